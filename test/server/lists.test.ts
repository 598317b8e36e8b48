// Lists go out as they are read, whole or visibly cut.
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { basic, overBackend, usingServer } from './served.ts';

const server = usingServer();

/** Colors without end, or up to a number; `given` counts what was asked of it. */
function colors(most: number, atEnd?: Error) {
  const given = { rows: 0, isOver: false };
  async function* list(): AsyncGenerator<Row> {
    try {
      for (; given.rows < most; given.rows++) yield { ID: given.rows, Name: 'n'.repeat(1000) };
      if (atEnd) throw atEnd;
    } finally {
      given.isOver = true;
    }
  }
  return { given, list };
}

describe('a list', () => {
  it('is what the back end answers, record by record', async () => {
    const wanted: Row[] = [];
    for await (const row of server.session.list(contract.color.operations.list, { by: 'plain' })) wanted.push(row);
    expect((await server.asAda('GET', '/v4/colors')).json()).toEqual(wanted);
  });

  it('of none or one is a list too', async () => {
    expect((await server.asAda('GET', '/v4/users?deleted=1')).text).toBe('[]');
    const xml = await server.asAda('GET', '/v4/users?deleted=1', { accept: 'text/xml' });
    expect(xml.text).toMatch(/<ArrayOfIndividual [^>]*><\/ArrayOfIndividual>$/);
  });

  it('of many pieces arrives whole', async () => {
    const { list } = colors(1000);
    const many = await overBackend({ list });
    const rows = (await many.ask('GET', '/v4/colors')).json() as unknown as readonly Row[];
    expect(rows.map(({ ID }) => ID)).toEqual(Array.from({ length: 1000 }, (_, at) => at));
    await many.close();
  });
});

describe('a list that fails', () => {
  it('at its beginning is refused like anything else', async () => {
    const { list } = colors(0, new ServiceError('deleted', 'the owner is deleted'));
    const failing = await overBackend({ list });
    expect((await failing.ask('GET', '/v4/colors')).json()).toMatchObject({ status: 404, code: 'deleted' });
    await failing.close();
  });

  it('later is cut, so that nobody takes it for the whole, and the log says why', async () => {
    const { list } = colors(500, new Error('the disk came off'));
    const failing = await overBackend({ list });
    await expect(failing.ask('GET', '/v4/colors')).rejects.toThrow(/aborted|hang up/);
    await failing.close();
    await expect.poll(() => failing.lines.length).toBe(2);
    expect(failing.lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ error: expect.stringContaining('the disk came off') }),
      expect.objectContaining({ path: '/v4/colors', cut: true }),
    ]);
  });
});

describe('a reader', () => {
  it('that goes away ends the list behind it', async () => {
    const { given, list } = colors(Number.POSITIVE_INFINITY);
    const endless = await overBackend({ list });
    await new Promise<void>((resolve) => {
      const headers = { authorization: basic('ada', 'x') };
      const asked = get(`${endless.url}/v4/colors`, { headers, agent: false }, (answer) => {
        answer.once('data', () => asked.destroy());
        answer.on('error', () => undefined).on('close', resolve);
      });
    });
    await endless.close();
    await expect.poll(() => given.isOver).toBe(true);
  });

  it('that goes away before the first piece ends the list too', async () => {
    const { given, list } = colors(Number.POSITIVE_INFINITY);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isAsked = false;
    const late = await overBackend({
      async *list() {
        isAsked = true;
        await released;
        yield* list();
      },
    });
    const headers = { authorization: basic('ada', 'x') };
    const asked = get(`${late.url}/v4/colors`, { headers, agent: false }).on('error', () => undefined);
    await expect.poll(() => isAsked).toBe(true);
    asked.destroy();
    await expect.poll(() => late.lines.length).toBe(1);
    release();
    await expect.poll(() => given.isOver).toBe(true);
    await late.close();
  });

  it('that reads slowly is not read ahead of', async () => {
    const { given, list } = colors(200_000);
    const slow = await overBackend({ list });
    const asked = get(`${slow.url}/v4/colors`, { headers: { authorization: basic('ada', 'x') }, agent: false });
    asked.on('error', () => undefined);
    const answer = await new Promise<IncomingMessage>((resolve) => asked.once('response', resolve));
    answer.pause().on('error', () => undefined);
    // Time for the server to go on, had it no reason to wait.
    for (let i = 0; i < 200; i++) await slow.ask('GET', '/healthz');
    const first = given.rows;
    asked.destroy();
    expect(first).toBeLessThan(100_000);
    await slow.close();
  });
});
