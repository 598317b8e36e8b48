// Internal errors: answered without details, and logged with them.
import { expect, it } from 'vitest';
import { type ErrorCode, ServiceError } from '../../src/contract/errors.ts';
import { overBackend } from './served.ts';

const INSIDE = '/srv/pm/local.db: near "SELECT"';

async function failing(error: Error) {
  const server = await overBackend({
    call: async () => {
      throw error;
    },
  });
  const answer = await server.ask('GET', '/v4/me');
  await server.close();
  return { answer, log: server.lines.join('\n') };
}

it('a defect is 500 without details, and the log has them under the same ID', async () => {
  const { answer, log } = await failing(new TypeError(INSIDE));
  expect(answer.json()).toMatchObject({ status: 500, code: 'internal', instance: '/v4/me', errors: [] });
  expect(answer.text).not.toContain('SELECT');
  expect(log).toContain('SELECT');
  expect(log).toContain(String(answer.headers['x-request-id']));
});

const OURS: readonly (readonly [ErrorCode, number, boolean])[] = [
  ['busy', 503, false],
  ['disk_full', 507, true],
  ['storage', 500, true],
  ['unreachable', 502, true],
  ['bad_answer', 502, true],
  ['unknown_outcome', 504, true],
];

it.each(OURS)('%s is %i and names no file', async (code, status, isLogged) => {
  const { answer, log } = await failing(new ServiceError(code, INSIDE));
  expect(answer.json()).toMatchObject({ status, code });
  expect(answer.text).not.toContain('local.db');
  expect(log.includes('local.db')).toBe(isLogged);
});

it('what is busy can be asked for again in a second', async () => {
  const { answer } = await failing(new ServiceError('busy', INSIDE));
  expect(answer.headers['retry-after']).toBe('1');
});

it.each(['partly', 'interrupted'] as const)('%s, which no service says, is a defect', async (code) => {
  const { answer } = await failing(new ServiceError(code, INSIDE));
  expect(answer.json()).toMatchObject({ status: 500, code: 'internal' });
});

it('readiness follows the back end', async () => {
  const server = await overBackend({}, { isReady: async () => false });
  expect(await server.ask('GET', '/readyz')).toMatchObject({ status: 503, text: 'not ready\n' });
  expect((await server.ask('GET', '/healthz')).status).toBe(200);
  await server.close();
});
