// Several programs on one file: nobody sees an error, nothing is lost, nothing is counted twice.
import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { programIn } from '../support/program.ts';
import { all, folder, newFile, opened, SITE } from './store-fixture.ts';

const WRITERS = 4;
const EACH = 50;

/** A program that creates records one by one, and prints each ID after its commit. */
const WRITER = `
  import { storedResources } from './src/contract/index.ts';
  import { openSqlite } from './src/engine/store/sqlite/store.ts';
  const [file = '', name = ''] = process.argv.slice(2);
  const store = await openSqlite({ file, resources: storedResources, computed: {} });
  for (let i = 0; i < ${EACH}; i++) {
    const ID = await store.transaction(async (writer) => {
      const ID = await writer.nextID('color', '${SITE}');
      await writer.insert('color', { SiteID: '${SITE}', ID, Rank: ID, Name: name + i, Code: '000000' });
      return ID;
    });
    process.stdout.write(ID + '\\n');
  }
  await store.close();
`;

/** A program that creates records until it is refused, and says why. */
const FILLER = `
  import { storedResources } from './src/contract/index.ts';
  import { openSqlite } from './src/engine/store/sqlite/store.ts';
  const store = await openSqlite({ file: process.argv[2] ?? '', resources: storedResources, computed: {} });
  try {
    for (let ID = 1; ; ID++) {
      const color = { SiteID: '${SITE}', ID, Rank: ID, Name: 'x'.repeat(5_000), Code: '000000' };
      await store.transaction((writer) => writer.insert('color', color));
      process.stdout.write(ID + '\\n');
    }
  } catch (error) {
    process.stderr.write(error.code);
  }
`;

const numbers = (out: string): number[] => out.trim().split('\n').map(Number);

function run(command: string, ...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((done) => {
    const child = spawn(command, args);
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.stderr.on('data', (text) => {
      err += text;
    });
    child.on('close', (code) => done({ code, out, err }));
  });
}

it(`lets ${WRITERS} processes write at once: each record is there once, and each number was given once`, async () => {
  const file = await newFile();
  const script = await programIn(folder(), WRITER);
  const runs = await Promise.all(
    Array.from({ length: WRITERS }, (_, i) => run(process.execPath, script, file, `writer ${i} `)),
  );
  expect(runs.map(({ code, err }) => ({ code, err }))).toEqual(runs.map(() => ({ code: 0, err: '' })));
  const acknowledged = runs.flatMap(({ out }) => numbers(out)).sort((a, b) => a - b);
  expect(acknowledged).toEqual(Array.from({ length: WRITERS * EACH }, (_, i) => i + 1));
  const store = await opened(file);
  const stored = await store.find(all('color', { ordered: true }));
  expect(stored.map(({ ID }) => ID)).toEqual(acknowledged);
}, 60_000);

it('says that there is no room when the file cannot grow, and keeps what it had acknowledged', async () => {
  const file = await newFile();
  const limited = `ulimit -f 2000 && exec "${process.execPath}" "${await programIn(folder(), FILLER)}" "${file}"`;
  const { out, err } = await run('sh', '-c', limited);
  expect(err).toBe('disk_full');
  const store = await opened(file);
  const stored = await store.find(all('color', { ordered: true }));
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.map(({ ID }) => ID)).toEqual(numbers(out));
}, 60_000);
