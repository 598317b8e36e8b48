// stdout is written no faster than it is read, and its failures are told.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { printError } from '../../src/cli/output/errors.ts';
import { write } from '../../src/cli/output/index.ts';
import { item, OPTIONS, SHAPE, streams } from './output-printed.ts';

async function* many(count: number, whenRead: (row: number) => void = () => {}) {
  for (let Rank = 0; Rank < count; Rank++) {
    whenRead(Rank);
    yield item({ Rank });
  }
}
const PLAIN = { json: false, color: false, debug: false, calling: { shell: 'posix' } } as const;
const ndjson = { ...OPTIONS, format: 'ndjson' } as const;

describe('a slow reader', () => {
  test.each([
    ['ndjson', 1],
    ['csv', 64],
  ] as const)(
    'holds back the reading of records as %s: %i at most are read before they are taken',
    async (format, ahead) => {
      let read = 0;
      let most = 0;
      let taken = 0;
      const stdout = new Writable({
        write(chunk, _encoding, next) {
          taken += chunk.toString().split('\n').length - 1;
          most = Math.max(most, read - taken);
          setImmediate(next);
        },
      });
      const rows = many(5000, () => read++);
      await write({ shape: SHAPE, rows, one: false }, { ...OPTIONS, format, header: false }, streams({ stdout }));
      expect(taken).toBe(5000);
      expect(most).toBeLessThanOrEqual(ahead);
    },
  );

  test('gets few, large chunks', async () => {
    const sizes: number[] = [];
    const stdout = new Writable({
      write(chunk, _encoding, next) {
        sizes.push(chunk.length);
        next();
      },
    });
    await write({ shape: SHAPE, rows: many(2000), one: false }, ndjson, streams({ stdout }));
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThanOrEqual(64 * 1024);
  });
});

describe('a reader that goes away', () => {
  test('ends the reading with EPIPE, which is exit 141 without a word', async () => {
    const child = spawn('head', ['-n', '1'], { stdio: ['pipe', 'ignore', 'inherit'] });
    let closed = false;
    async function* endless() {
      try {
        for (;;) yield item();
      } finally {
        closed = true;
      }
    }
    const io = streams({ stdout: child.stdin });
    const error = await write({ shape: SHAPE, rows: endless(), one: false }, ndjson, io).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'EPIPE' });
    expect(closed).toBe(true);
    expect(printError(error, { ...PLAIN, debug: true }, io)).toBe(141);
    expect(io.err()).toBe('');
  });
});

test.skipIf(process.platform !== 'linux')('a full disk is exit 10', async () => {
  const io = streams({ stdout: createWriteStream('/dev/full') });
  const error = await write({ shape: SHAPE, rows: many(10), one: false }, ndjson, io).catch(
    (reason: unknown) => reason,
  );
  expect(printError(error, PLAIN, io)).toBe(10);
  expect(io.err()).toContain('error: the output could not be written: the disk is full');
});
