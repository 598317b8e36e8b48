// Files of any length are read in flat memory, and what is too much is refused before it is held.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BadFile, openInput } from '../../src/changes/files/index.ts';

const MIB = 1 << 20;

setFlagsFromString('--expose-gc');
const clean = runInNewContext('gc') as () => void;

const folder = mkdtempSync(join(tmpdir(), 'pm-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of a beginning and many pieces. */
function longFile(name: string, begin: string, piece: (at: number) => string, count: number): string {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  writeSync(file, begin);
  for (let at = 0; at < count; at++) writeSync(file, piece(at));
  closeSync(file);
  return path;
}

const rowsOf = (at: number): string =>
  Array.from({ length: 1000 }, (_, row) => `${at * 1000 + row},Name ${row},"a, longer text"\n`).join('');

describe('200,000 rows', () => {
  const files: readonly (readonly [string, () => string])[] = [
    ['CSV', () => longFile('long.csv', 'N,Name,Text\n', rowsOf, 200)],
    ['NDJSON', () => longFile('long.ndjson', '', (at) => `{"N":${at},"Name":"x"}\n`.repeat(1000), 200)],
    ['JSON', () => longFile('long.json', '[{"N":0}', (at) => `,\n{"N":${at},"Name":"x"}`.repeat(1000), 200)],
  ];

  it.each(files)('of %s are read without being held', async (name, make) => {
    const path = make();
    const input = await openInput(name === 'JSON' ? longFileEnd(path) : path);
    let count = 0;
    let most = 0;
    const before = heldAfterCleaning();
    for await (const _ of input.rows())
      if (count++ % 40_000 === 39_999) most = Math.max(most, heldAfterCleaning() - before);
    await input.close();
    expect(count).toBeGreaterThanOrEqual(200_000);
    expect(most / MIB).toBeLessThan(10);
  });

  it('would be noticed if they were held', async () => {
    const input = await openInput(longFile('held.csv', 'N,Name,Text\n', rowsOf, 200));
    const before = heldAfterCleaning();
    const held: unknown[] = [];
    for await (const row of input.rows()) held.push(row);
    expect((heldAfterCleaning() - before) / MIB).toBeGreaterThan(10);
    expect(held.length).toBe(200_000);
    await input.close();
  });
});

/** The bytes of the heap that are in use, without what waits to be cleaned away. */
function heldAfterCleaning(): number {
  clean();
  return process.memoryUsage().heapUsed;
}

function longFileEnd(path: string): string {
  const file = openSync(path, 'a');
  writeSync(file, '\n]\n');
  closeSync(file);
  return path;
}

describe('a cell of 100 MB', () => {
  const big = 'x'.repeat(MIB);
  const makers: Readonly<Record<string, () => string>> = {
    csv: () => longFile('big.csv', 'a,b\n1,2\n3,"', () => big, 100),
    'csv without quotes': () => longFile('bare.csv', 'a,b\n1,2\n3,', () => big, 100),
    json: () => longFile('big.json', '[{"a":1},\n{"a":"', () => big, 100),
    ndjson: () => longFile('big.ndjson', '{"a":1}\n{"a":"', () => big, 100),
    yaml: () => longFile('big.yaml', '- a: 1\n- a: "', () => big, 100),
  };
  const paths: Record<string, string> = {};
  beforeAll(() => {
    for (const [form, make] of Object.entries(makers)) paths[form] = make();
  });

  it.each([
    ['csv', 3, 'is a record of more than 8 MiB; the rest of the file was not checked'],
    ['csv without quotes', 3, 'is a record of more than 8 MiB; the rest of the file was not checked'],
    ['json', 2, 'is in a record of more than 8 MiB'],
    ['ndjson', 2, 'is longer than 8 MiB; the rest of the file was not checked'],
    ['yaml', 1, 'is larger than 32 MiB'],
  ])('in %s is refused', async (form, line, message) => {
    const input = await openInput(paths[form] ?? '');
    const error: unknown = await read(input.rows()).catch((thrown: unknown) => thrown);
    await input.close();
    expect(error).toBeInstanceOf(BadFile);
    expect(error).toMatchObject({ found: [{ line, message }] });
  });

  it('is never held', () => {
    const module = fileURLToPath(new URL('../../src/changes/files/index.ts', import.meta.url));
    const grown = execFileSync(process.execPath, ['--input-type=module', '-e', growth(module, paths.csv ?? '')], {
      cwd: join(module, '../../../..'),
      encoding: 'utf8',
    });
    expect(Number(grown)).toBeGreaterThan(0);
    expect(Number(grown)).toBeLessThan(90);
  });
});

it.each([
  ['small', 1],
  ['large', 9],
])('a line of nothing but delimiters in a %s table is refused', async (size, mib) => {
  const input = await openInput(longFile(`${size}-wide.csv`, 'a,b\n1,2\n', () => ','.repeat(MIB), mib));
  const error: unknown = await read(input.rows()).catch((thrown: unknown) => thrown);
  await input.close();
  const message = 'is a record of more than 131,072 cells; the rest of the file was not checked';
  expect(error).toMatchObject({ found: [{ line: 3, message }] });
});

async function read(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

/** A program that says by how many MiB reading that file made it grow at most. */
const growth = (module: string, path: string): string => `
  import { buildSync } from 'esbuild';
  import { writeFileSync, rmSync } from 'node:fs';
  const { outputFiles } = buildSync({ entryPoints: [${JSON.stringify(module)}], bundle: true, write: false,
    platform: 'node', format: 'esm', packages: 'external' });
  const built = new URL('file://' + process.cwd() + '/node_modules/.growth-' + process.pid + '.mjs');
  writeFileSync(built, outputFiles[0].contents);
  try {
    const { openInput } = await import(built);
    await import('csv-parse');
    const before = process.memoryUsage().rss;
    const input = await openInput(${JSON.stringify(path)});
    await (async () => { for await (const row of input.rows()); })().catch(() => {});
    console.log(process.resourceUsage().maxRSS / 1024 - before / 1048576);
  } finally {
    rmSync(built);
  }
`;
