// The parser of a large table has a thread of its own; what is read of it is the same.
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Cell } from '../../src/changes/files/index.ts';
import { startThread } from '../../src/files/thread.ts';
import { faultsOf, linesOf, open } from '../support/input-files.ts';

vi.mock('../../src/files/thread.ts', { spy: true });
const starting = vi.mocked(startThread);
afterEach(() => void starting.mockReset());

const HEADER = 'Name,Text\r\n';
/** What is hard to count: line ends in quotes, quotes in text, empty lines, letters of several bytes. */
const PART = ['Ann,"two\r\nlines"', '', 'pipe,5" wide', '"a ""b""",ä€😀', ',', `long,${'x'.repeat(1000)}`, ''].join(
  '\r\n',
);
const LINES_OF_PART = PART.split('\r\n').length - 1;
const RECORDS_OF_PART = 4;
/** Together more than 4 MiB. */
const TIMES = 5000;

const largeFile = (end = ''): string => HEADER + PART.repeat(TIMES) + end;

/** The lines of a large file, by those of a small one that is read here. */
async function wantedLines(): Promise<(readonly Cell[])[]> {
  const part = await linesOf(await open('small.csv', HEADER + PART));
  const all: (readonly Cell[])[] = [];
  for (let time = 0; time < TIMES; time++)
    for (const [line, ...cells] of part) all.push([Number(line) + time * LINES_OF_PART, ...cells]);
  return all;
}

/** The threads that were started. All of them have to end. */
const threads = (): readonly Worker[] => starting.mock.results.map(({ value }) => value as Worker);
const hasEnded = async (thread: Worker): Promise<boolean> => {
  if (thread.threadId !== -1) await new Promise((resolve) => thread.once('exit', resolve));
  return true;
};

describe('a table of more than 4 MiB', () => {
  it('is read in a thread as a small one is read here', async () => {
    const input = await open('large.csv', largeFile());
    expect(await linesOf(input)).toEqual(await wantedLines());
    expect(starting).toHaveBeenCalledOnce();
  });

  it('is read as often as it is asked for, each time from its beginning', async () => {
    const input = await open('large.csv', largeFile());
    const lines = await linesOf(input);
    expect(lines.length).toBe(TIMES * RECORDS_OF_PART);
    expect(await linesOf(input)).toEqual(lines);
  });

  it('is read here where the system gives no thread', async () => {
    starting.mockReturnValue(undefined);
    const input = await open('large.csv', largeFile());
    expect((await linesOf(input)).length).toBe(TIMES * RECORDS_OF_PART);
  });

  it('may name its delimiter in a line of its own', async () => {
    const input = await open('large.csv', `sep=,\r\n${largeFile()}`);
    const wanted = await wantedLines();
    expect(await linesOf(input)).toEqual(wanted.map(([line, ...cells]) => [Number(line) + 1, ...cells]));
  });

  it('is refused with the line of a quote that is never closed', async () => {
    const line = 2 + TIMES * LINES_OF_PART;
    expect(await faultsOf('large.csv', largeFile('"open,x\r\n'))).toEqual([
      `line ${line}, column Name: opens a quote that is never closed; the file may be cut off`,
    ]);
    expect(starting).toHaveBeenCalled();
  });
});

describe('the thread ends', () => {
  it.each([
    ['when all is read', Number.POSITIVE_INFINITY],
    ['when the reading stops early', 10],
    ['when nothing is read before the file is closed', 0],
  ])('%s', async (_, most) => {
    const input = await open('large.csv', largeFile());
    let count = 0;
    if (most > 0) for await (const row of input.rows()) if (row.line > 0 && ++count >= most) break;
    await input.close();
    expect(threads().length).toBe(1);
    expect(await Promise.all(threads().map(hasEnded))).toEqual([true]);
  });

  it('when the file is closed after a reader that never came back for the rest', async () => {
    const input = await open('large.csv', largeFile());
    const rows = input.rows()[Symbol.asyncIterator]();
    await rows.next();
    await input.close();
    expect(await Promise.all(threads().map(hasEnded))).toEqual([true]);
  });
});
