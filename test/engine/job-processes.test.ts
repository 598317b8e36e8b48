// Many processes on one journal, and one that is killed in the middle: nothing is lost, doubled, or kept by half.
import { expect, it } from 'vitest';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import { programIn } from '../support/program.ts';
import { collected, JOB, journalAt, journalFile, numbersOf, ready, run } from './job-fixture.ts';
import { accountability, all, folder, ids, individual, keep, newFile, opened, SITE } from './store-fixture.ts';

const WORKERS = 4;
const EACH = 50;

/** Marks its own rows, four at a time: first what it is about to do, then what came of it. */
const MARKER = `
  import { openJournal } from './src/engine/store/journal/journal.ts';
  const [file = '', worker = ''] = process.argv.slice(2);
  const jobs = await openJournal(file, 30000);
  const first = Number(worker) * ${EACH} + 1;
  const one = async (row) => {
    await jobs.mark('${JOB}', [{ from: row, to: row, state: 'intent' }]);
    await jobs.mark('${JOB}', [{ from: row, to: row, state: 'done', result: { id: worker + '/' + row } }]);
  };
  for (let i = 0; i < ${EACH}; i += 4) {
    await Promise.all([0, 1, 2, 3].filter((k) => i + k < ${EACH}).map((k) => one(first + i + k)));
  }
  await jobs.close();
`;

/** Makes a record and marks its row in one transaction; asks to be killed before or after the commit. */
const changer = (killedIn: 'transaction' | 'answer', journalOutside: boolean) => `
  import { resources } from './src/contract/index.ts';
  import { openSqlite } from './src/engine/store/sqlite/store.ts';
  const store = await openSqlite({ file: process.argv[2] ?? '', resources, computed: {} });
  const forever = async () => { process.stdout.write('kill me'); await new Promise((done) => setTimeout(done, 60000)); };
  const marks = [{ from: 1, to: 1, state: 'done' }];
  ${journalOutside ? `await store.jobs.mark('${JOB}', marks);` : ''}
  await store.transaction(async (writer) => {
    await writer.insert('accountability', { SiteID: '${SITE}', ID: 'a', AncestorID: 'ann', Rank: 1, Name: 'a', Description: '' });
    ${journalOutside ? '' : `await writer.jobs.mark('${JOB}', marks);`}
    ${killedIn === 'transaction' ? 'await forever();' : ''}
  });
  await forever();
`;

it(`lets ${WORKERS} processes mark at once: every row is marked, with its own result, and counted once`, async () => {
  const file = journalFile();
  const jobs = await openJournal(file);
  await ready(jobs, WORKERS * EACH);
  await jobs.close();
  const script = await programIn(folder(), MARKER);
  const runs = await Promise.all(Array.from({ length: WORKERS }, (_, i) => run(script, file, String(i))));
  expect(runs).toEqual(runs.map(() => ({ end: 0, err: '' })));
  const after = await journalAt(file);
  const rows = await collected(after.rows(JOB));
  expect(rows.map(({ number, result }) => [number, result?.id])).toEqual(
    rows.map(({ number }) => [number, `${Math.floor((number - 1) / EACH)}/${number}`]),
  );
  expect((await after.head(JOB))?.counts).toEqual({ done: WORKERS * EACH });
}, 60_000);

/** What is there of the change and of its mark after the program was killed. */
async function killed(source: string) {
  const file = await newFile();
  const store = await opened(file);
  await keep(store, { individual: [individual('ann')] });
  await ready(store.jobs, 1);
  expect(await run(await programIn(folder(), source), file)).toEqual({ end: 'SIGKILL', err: '' });
  return {
    change: await ids(store, all('accountability')),
    marks: await numbersOf(store.jobs.rows(JOB, { states: ['done'] })),
    goesOn: await keep(store, { accountability: [accountability('b', 'ann')] }),
  };
}

it('keeps neither the change nor its mark of a process killed before the commit', async () => {
  expect(await killed(changer('transaction', false))).toMatchObject({ change: [], marks: [] });
}, 60_000);

it('keeps both of a process killed after the commit', async () => {
  expect(await killed(changer('answer', false))).toMatchObject({ change: ['a'], marks: [1] });
}, 60_000);

it('would tell them apart: with the mark outside of the transaction one of them is there alone', async () => {
  expect(await killed(changer('transaction', true))).toMatchObject({ change: [], marks: [1] });
}, 60_000);
