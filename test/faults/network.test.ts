// A job on a remote service and everything that a network does to it: no more is unknown than was in flight, and one
// resume brings it to its end, with each record made once. The floor: each fault once, and five that last; the long run: all
// that last.
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { FAULTS, type Fault } from '../support/faults.ts';
import { isLong } from '../support/long.ts';
import { CONCURRENCY, sending, usingService, type Visitor } from './service.ts';

const service = usingService();
const ROWS = 24;

/** The command ends as the table of exit codes says, and without a word that is not for people. */
async function imported(visitor: Visitor, wanted: readonly string[], fault?: Fault): Promise<number> {
  const { exit, err, out } = await visitor.pm(sending(visitor.file(wanted)), patienceFor(fault));
  expect(err).not.toMatch(/\n\s+at |undefined|\[object/);
  if (/\tstopped\t/.test(out)) expect(err).toMatch(/error: (stopped|line \d+): [\s\S]*To go on: pm jobs resume/);
  return exit;
}

const ALL = Object.keys(FAULTS) as readonly Fault[];
/** Seconds: what stalls is waited for to the end. */
const patienceFor = (fault = ''): number | undefined => (fault.startsWith('a stall') ? 3 : undefined);

describe('one request that ends with', () => {
  it.each(ALL)('%s', async (fault) => {
    const visitor = await service.visitor();
    const wanted = service.names(ROWS);
    service.line.fails(fault, 9);
    expect([0, 3, 8, 9]).toContain(await imported(visitor, wanted, fault));
    expect(await visitor.open()).toBeLessThanOrEqual(CONCURRENCY);
    await service.settled(visitor, wanted);
  });
});

/** Those that stall take many seconds, and the others end alike. */
const LASTING = isLong ? ALL : ALL.filter((fault) => /^a (reset|429|502 after|page)/.test(fault));

describe('a line that from one moment on has nothing but', () => {
  it.each(LASTING)('%s', async (fault) => {
    const visitor = await service.visitor();
    const wanted = service.names(ROWS);
    service.line.fails(fault, 9, true);
    expect([3, 8, 9]).toContain(await imported(visitor, wanted, fault));
    expect(await visitor.open()).toBeLessThanOrEqual(CONCURRENCY);
    service.line.heals();
    await service.settled(visitor, wanted);
  });
});

it('a service that nobody listens for is told, and nothing is unknown', async () => {
  const visitor = await service.visitor();
  const wanted = service.names(ROWS);
  const file = visitor.file(wanted);
  await service.line.down();
  await visitor.pm(sending(file)).fails(8, 'nothing listens there');
  await service.line.up();
  expect(await visitor.rows()).toEqual([]);
  expect(await imported(visitor, wanted)).toBe(0);
  expect(service.ids(wanted)).toHaveLength(ROWS);
});

it('would show a client that sends blindly again what was not answered: records are made twice', async () => {
  const [name = ''] = service.names(1);
  service.line.fails('a reset after the request', 0);
  const body = JSON.stringify({ AncestorID: service.owner, Rank: 1, Name: name, Description: 'x' });
  const headers = { 'content-type': 'application/json', authorization: service.authorization };
  const send = async (): Promise<number> =>
    (await request(`${service.line.url}/v4/accountabilities`, { method: 'POST', headers, body })).statusCode;
  expect(await send().catch(send)).toBe(200);
  expect(service.ids([name])).toHaveLength(2);
});
