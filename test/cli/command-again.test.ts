// A command that is given again while its job is not finished, and jobs that are taken back in part.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openServing } from '../../src/cli/serving.ts';
import type { Session } from '../../src/contract/call.ts';
import type { JobStore } from '../../src/contract/jobs.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { inDialog } from '../support/dialog.ts';
import { NOW, usingPm } from '../support/pm.ts';
import { siteFolder } from '../support/site-folder.ts';

const pm = usingPm();
const IMPORT = 'import colors new.csv --key Name --yes -o json';
const NAMES = ['new 1', 'new 2', 'new 3'];

const write = (names: readonly string[]): void =>
  writeFileSync(
    join(pm.home, 'new.csv'),
    `${['Name,Rank,Code', ...names.map((name) => `${name},9,ff0000`)].join('\n')}\n`,
  );

const colors = async (): Promise<readonly string[]> =>
  (await pm('colors list -o json').rows()).map(({ Name }) => String(Name)).filter((name) => name.startsWith('new'));

const jobs = async () => pm('jobs list -o json').rows();

/** Works on the journal past the program. */
async function inJournal(work: (jobs: JobStore, session: Session) => Promise<unknown>): Promise<void> {
  const { backend } = await openServing({ home: pm.home, owner: 'admin', clock: () => NOW });
  const session = await backend.open({ user: 'admin' });
  if (session.local) await work(session.local.jobs, session);
  await backend.close();
}

let job = '';
beforeEach(async () => {
  write(NAMES);
  job = String((await pm(IMPORT).row()).Job);
});

/** The job as it is when it was killed behind its first row. */
async function killed(): Promise<void> {
  for (const { ID, Name } of await pm('colors list -o json').rows())
    if (Name === 'new 2' || Name === 'new 3') await inJournal((_, session) => deleteColor(session, String(ID)));
  await inJournal((journal) => journal.mark(job, [{ from: 2, to: 3, state: 'pending' }]));
}

async function deleteColor(session: Session, id: string): Promise<void> {
  const { contract } = await import('../../src/contract/index.ts');
  await session.call(contract.color.operations.delete, { params: { id } });
}

describe('an import that was killed, and is given again', () => {
  beforeEach(killed);

  it('goes on with its job, and says so', async () => {
    expect(await colors()).toEqual(['new 1']);
    await pm(IMPORT).says(`This command has begun before: job ${job.slice(0, 8)} goes on`);
    expect(await colors()).toEqual(NAMES);
    expect(await jobs()).toMatchObject([{ State: 'ended', Total: 3, Done: 3 }]);
  });

  it('is refused where the file has another content by now, or the flags are others', async () => {
    await pm.refuses(
      `${IMPORT} --blank clear`,
      7,
      'with other flags',
      '1 row is done, 2 wait',
      `pm jobs resume ${job.slice(0, 8)}`,
    );
    write([...NAMES, 'new 4']);
    await pm.refuses(IMPORT, 7, 'another content', `pm undo ${job.slice(0, 8)}`);
  });

  it('has rows of which there is nothing to report yet', async () => {
    const { err } = await pm(`jobs report ${job}`);
    expect(err).toBe(`2 rows wait to be run; to go on: pm jobs resume ${job.slice(0, 8)}\n`);
  });

  it('is to be forgotten where nothing of it is done: there is nothing to take back', async () => {
    for (const { ID, Name } of await pm('colors list -o json').rows())
      if (Name === 'new 1') await inJournal((_, session) => deleteColor(session, String(ID)));
    await inJournal((journal) => journal.mark(job, [{ from: 1, to: 1, state: 'pending' }]));
    const { err } = await pm.refuses(`${IMPORT} --blank clear`, 7, '0 rows are done, 3 wait', 'pm jobs prune');
    expect(err).not.toContain('pm undo');
    await pm(`jobs prune ${job} --yes`).says('Forgot 1 job.');
    await pm(`${IMPORT} --blank clear`).prints();
  });

  it('makes nothing that somebody else has made meanwhile', async () => {
    await pm('colors create --name "NEW 2" --rank 3 --code 00ff00').prints();
    await pm(`jobs resume ${job}`).fails(3, 'another color has this Name by now');
    expect(await colors()).toEqual(['new 1', 'new 3']);
    expect(await pm(`jobs show ${job} --rows --state drifted -o json`).rows()).toMatchObject([{ Row: 2 }]);
  });

  it('is forgotten only with an agreement', async () => {
    await pm.refuses(`jobs prune ${job}`, 12, '2 rows wait to be run');
    await pm(`jobs prune ${job} --yes`).says('Forgot 1 job.');
  });
});

it('a folder that was killed is refused where it has lost a file since, and names both ways out', async () => {
  const lines = (name: string): readonly string[] => [`- Name: ${name}`, '  Rank: 9', '  Code: ff0000'];
  siteFolder(join(pm.home, 'site'), {
    'colors.yaml': [...lines('red one'), ...lines('red two')],
    'core-values.yaml': ['- Name: Care', '  Rank: 1'],
  });
  const applied = String((await pm('apply site --yes -o json').row()).Job);
  await inJournal((journal) => journal.mark(applied, [{ from: 2, to: 3, state: 'pending' }]));
  rmSync(join(pm.home, 'site/core-values.yaml'));
  const { err } = await pm.refuses('apply site --yes', 7, 'is not finished', `pm jobs resume ${applied.slice(0, 8)}`);
  expect(err).toContain(`pm undo ${applied.slice(0, 8)}`);
});

it('an import that never began is forgotten, and planned anew', async () => {
  await pm('undo --yes').prints();
  await inJournal(async (journal) => {
    const head = await journal.head(job);
    if (head) await journal.begin({ ...head, id: 'a0000000-0000-4000-8000-000000000001' });
  });
  expect(await jobs()).toMatchObject([{ State: 'planning' }, { Kind: 'undo' }, { Kind: 'import', Undone: 3 }]);
  await pm(IMPORT).prints();
  expect(await colors()).toEqual(NAMES);
  expect(await jobs()).toMatchObject([{ Kind: 'import', Done: 3 }, { Kind: 'undo' }, { Kind: 'import', Undone: 3 }]);
});

describe('a row of unknown outcome', () => {
  beforeEach(() => inJournal((journal) => journal.mark(job, [{ from: 2, to: 2, state: 'unknown' }])));

  it('is settled by what the caller knows, and the job is free again', async () => {
    await pm.refuses('undo --yes', 9, 'pm does not know what became of 1 row', `pm jobs resume ${job}`);
    await pm(`jobs settle ${job} --row 2 --done --id 77 -n`).says('Row 2 would count as done.');
    await pm.refuses(`jobs settle ${job} --row 2 --done`, 2, 'row 2 made a new color: which one is it?');
    await pm.refuses(`jobs settle ${job} --row 2`, 2, 'was the row done or not?', '--not-done');
    await pm(`jobs settle ${job} --row 2 --done --id 77 --yes`).says('Row 2 counts as done.');
    await pm.refuses(`jobs settle ${job} --row 2 --not-done`, 7, 'row 2 of job', 'is done: its outcome is known');
    expect(await jobs()).toMatchObject([{ State: 'ended', Done: 3 }]);
  });

  it('is in the way of another try of the others', () =>
    pm.refuses(`jobs retry ${job}`, 9, 'pm does not know what became of 1 row', `pm jobs resume ${job}`));

  it('is not settled without a yes: the row and what is said of it are shown', async () => {
    await pm.refuses(
      `jobs settle ${job} --row 2 --done --id 77`,
      12,
      'what became of row 2 needs a confirmation: create color new 2 was done and made 77',
      'To go on: --yes',
    );
  });

  it('is asked about on a terminal', async () => {
    const words = ['jobs', 'settle', job, '--row', '2', '--not-done'];
    const no = await inDialog(words, pm.home, [['Is that so?', '\r']]);
    expect([no.exit, no.out]).toEqual([12, expect.stringContaining('not confirmed; the row is as it was')]);
    expect(no.out).toContain('Row 2, create color new 2, was not done and can be run again.');
    const yes = await inDialog(words, pm.home, [['Is that so?', 'y\r']]);
    expect([yes.exit, yes.out]).toEqual([0, expect.stringContaining('Row 2 counts as not done.')]);
  });

  it('is run again where it was not done', async () => {
    await pm(`jobs settle ${job} --row 2 --not-done --yes`).says(`To go on: pm jobs resume ${job.slice(0, 8)}`);
    expect(await pm(`jobs show ${job} --rows --state pending -o json`).rows()).toHaveLength(1);
  });

  it('is left alone by an undo that is told so', async () => {
    await pm('undo --leave-unknown --yes').prints();
    expect(await colors()).toEqual(['new 2']);
  });
});

describe('an undo of some rows', () => {
  it('takes back the chosen ones, says what stands, and can be repeated for the rest', async () => {
    await pm("undo --where 'Row != 2' --yes").says(`1 row remains of 3. To take it back: pm undo ${job.slice(0, 8)}`);
    expect(await colors()).toEqual(['new 2']);
    expect(await jobs()).toMatchObject([
      { Kind: 'undo', Done: 2 },
      { Done: 1, Undone: 2 },
    ]);
    await pm.refuses(`jobs resume ${job}`, 7, 'undone in part', `pm undo ${job}`);
    await pm('undo --yes').prints();
    expect(await colors()).toEqual([]);
    await pm.refuses('undo --yes', 7, 'there is nothing to undo');
  });

  it('says that nothing takes back what stands, and why', async () => {
    mkdirSync(join(pm.home, 'site'));
    writeFileSync(join(pm.home, 'site', 'colors.csv'), 'Name,Rank,Code\nnew 4,9,ff0000\n');
    writeFileSync(join(pm.home, 'site', 'periods.csv'), 'StartDate,EndDate\n2031-01-01,2031-03-31\n');
    await pm('apply site --yes').prints();
    await pm('undo --yes').says('1 row remains of 2. It cannot be undone. New periods cannot be undone');
  });

  it('says how many of the rows that stand can be undone', async () => {
    mkdirSync(join(pm.home, 'site'));
    writeFileSync(join(pm.home, 'site', 'colors.csv'), 'Name,Rank,Code\nnew 4,9,ff0000\nnew 5,10,ff0001\n');
    writeFileSync(join(pm.home, 'site', 'periods.csv'), 'StartDate,EndDate\n2031-01-01,2031-03-31\n');
    await pm('apply site --yes').prints();
    await pm(`undo --where "Name = 'new 5'" --yes`).says(
      '2 rows remain of 3. 1 of them for good. To take back the others: pm undo ',
    );
    await pm('undo --yes').says('1 row remains of 3. It cannot be undone. New periods cannot be undone');
  });

  it('finds no row, or a wrong filter, before anything is changed', async () => {
    await pm("undo --where 'Row = 9' --yes").says('The chosen rows cannot be undone.');
    await pm.refuses("undo --where 'Nothing = 9' --yes", 2, 'there is no field "Nothing"');
    expect(await colors()).toEqual(NAMES);
  });
});

it('an undo takes no older job back in the place of one that nothing takes back, and names both', async () => {
  const names = await colors();
  await pm('tokens create --kind user').prints();
  const { err } = await pm.refuses('undo --yes', 7, 'tokens create', 'cannot be undone; the newest that can is ');
  expect(await colors()).toEqual(names);
  const [, again = ''] = /To take it back: pm (undo \S+)/.exec(err) ?? [];
  await pm(`${again} --yes`).prints();
  expect(await colors()).toEqual([]);
  await pm.refuses('undo --yes', 7, 'there is nothing to undo: ', 'tokens create');
});

it('an undo that finds all as it was before says of no undo that it would take that back', async () => {
  const chief = 'individuals update admin --primary-title';
  await pm(`${chief} Chief`).prints();
  const [change] = await jobs();
  await pm(`${chief} Administrator`).prints();
  const { Done, Unchanged, Undo } = await pm(`undo ${String(change?.Job)} --yes -o json`).row();
  expect({ Done, Unchanged, Undo }).toEqual({ Done: 0, Unchanged: 1, Undo: null });
});

it('an undo is younger than another one: that is refused until the younger one is taken back', async () => {
  const undo = async (line: string): Promise<string> => String((await pm(`${line} --yes -o json`).row()).Job);
  const first = await undo(`undo ${job}`);
  const redo = await undo(`undo ${first}`);
  const second = await undo(`undo ${job}`);
  await pm.refuses(`undo ${redo} --yes`, 7, 'the later job ', `pm undo ${second}`);
  await undo(`undo ${second}`);
  expect(await colors()).toEqual(NAMES);
  await undo(`undo ${redo}`);
  expect(await colors()).toEqual([]);
});

it('the jobs of a service that is down are shown: the journal is here', async () => {
  await pm('profiles add far --url https://127.0.0.1:9').prints();
  await pm('jobs list -p far').says('No jobs.');
  await pm('jobs prune -p far').says('Forgot 0 jobs.');
});

describe('forgetting old jobs', () => {
  it('leaves a job alone that another process has, and forgets the others', async () => {
    const other = 'a0000000-0000-4000-8000-000000000002';
    await inJournal(async (journal) => {
      const head = await journal.head(job);
      // The process that runs the tests lives as long as they do.
      if (head) await journal.begin({ ...head, id: other }, { pid: process.ppid, host: hostname() });
    });
    await pm('jobs prune --older-than 0d', { now: () => new Date(NOW.getTime() + 1) }).says('Forgot 1 job.');
    expect(await jobs()).toMatchObject([{ ID: other, State: 'planning' }]);
    await pm.refuses(`jobs prune ${other} --yes`, 10, `process ${process.ppid}`);
  });
});

it('a record that somebody has made meanwhile is not made once more, whatever --on-drift says', async () => {
  await killed();
  await pm('colors create --name "NEW 2" --rank 3 --code 00ff00').prints();
  await pm(`jobs resume ${job}`).fails(3, 'by now');
  await pm(`jobs retry ${job} --on-drift overwrite`).fails(3, 'another color has this Name by now');
  expect(await colors()).toEqual(['new 1', 'new 3']);
});

it('a damaged job is in the way of no import', async () => {
  await killed();
  const database = openDatabase(join(pm.home, 'local.db'));
  database.prepare("UPDATE job SET Title = 'another' WHERE ID = ?").run(job);
  database.close();
  await pm(`${IMPORT} --on-drift skip`).prints();
  expect(await colors()).toEqual(NAMES);
});
