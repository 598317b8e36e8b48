// Answers that come packed although nothing packed was asked for.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { LIMITS } from '../../src/wire/gate.ts';
import type { Handler } from '../support/fake-server.ts';
import { aSession, rowsOf } from './client-session.ts';

const { list, get } = contract.color.operations;
const color = (ID: number) => ({ ID, Name: `Color ${ID}` });

const packed =
  (bytes: Uint8Array, coding = 'gzip', status = 200): Handler =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': coding }).end(bytes);

/** A gzip of so many blanks, of which only a thousandth travels. */
const bomb = (size: number): Uint8Array => gzipSync(Buffer.alloc(size, ' '));

describe('a packed answer', () => {
  it.each([
    ...['gzip', 'x-gzip', 'GZIP'].map((coding) => [coding, gzipSync] as const),
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('is unpacked (%s)', async (coding, pack) => {
    const { server, session } = await aSession();
    server.does(
      packed(pack(JSON.stringify(color(7))), coding),
      packed(pack(JSON.stringify([1, 2].map(color))), coding),
    );
    expect(await session.call(get, { params: { id: '7' } })).toMatchObject({ Name: 'Color 7' });
    expect(await rowsOf(session.list(list))).toMatchObject([{ ID: 1 }, { ID: 2 }]);
    expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('is read where it is an error', async () => {
    const { server, session } = await aSession();
    server.does(packed(gzipSync('{"Message":"No such color"}'), 'gzip', 404));
    await expect(session.call(get, { params: { id: '7' } })).rejects.toThrow('No such color');
  });

  it.each([
    ['one record', () => [get, { params: { id: '7' } }] as const],
    ['a list', () => [list, {}] as const],
  ])('is refused where it grows beyond the limit of %s', async (_, asked) => {
    const { server, session } = await aSession({ retries: 0 });
    server.does(packed(bomb(LIMITS.record + 1_000_000)));
    const [operation, input] = asked();
    const reading = operation === list ? rowsOf(session.list(list)) : session.call(operation, input);
    await expect(reading).rejects.toThrow(/larger than|no end of a record/);
  });

  it('that is damaged or cut off is no answer', async () => {
    const { server, session } = await aSession({ retries: 0 });
    const whole = gzipSync(JSON.stringify(Array.from({ length: 1000 }, (_, n) => color(n))));
    for (const bytes of [Buffer.from('no gzip'), whole.subarray(0, whole.length - 20)]) {
      server.does(packed(bytes));
      await expect(rowsOf(session.list(list))).rejects.toThrow('damaged or cut off');
    }
  });
});
