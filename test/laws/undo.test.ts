// A job goes back, and is done again, to the same records: also where its rows stand in each other's way, where a part of them
// goes back, and in whatever order jobs came before it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { company } from '../cli/company.ts';
import { isLong } from '../support/long.ts';
import { type CommandResult, NOW, usingPm } from '../support/pm.ts';
import { seeded } from '../support/seeded.ts';

const pm = usingPm(async (run) => {
  await company(run);
  await run('department-members create --individual ann@example.org --department Labs --title Adviser').prints();
  await run('department-members create --individual ann@example.org --department EMEA --title Guest').prints();
  await run('colors create --name Odd --rank 9 --code 112233').prints();
  await run('core-values create --name Care --rank 1').prints();
  await run('departments create --name Yard --rank 3 --parent Local').prints();
  await run('departments create --name Dock --rank 1 --parent Yard').prints();
});

const LISTS = [
  'individuals list',
  'departments list',
  'core-values list',
  'colors list',
  ...['ann@example.org', 'bob@example.org'].flatMap((who) => [
    `accountabilities list --individual ${who}`,
    `department-members list --individual ${who}`,
    `commitments list --individual ${who}`,
  ]),
];

/** The live records of the site, without who changed them last and when. */
async function state(): Promise<readonly string[]> {
  const records: string[] = [];
  for (const list of LISTS)
    for (const { Updated, UpdatedBy, ...members } of await pm(`${list} -o json`).rows())
      records.push(JSON.stringify(members));
  return records.sort();
}

const jobs = async (): Promise<readonly string[]> =>
  (await pm('jobs list -o json').rows()).map(({ Job }) => String(Job));

/** Changes for each of the rows, as one job; a later row may be about the record of an earlier one. */
function each(rows: readonly string[], command: string): Promise<CommandResult> {
  writeFileSync(join(pm.home, 'rows.csv'), `${rows.join('\n')}\n`);
  return pm([
    'each',
    'rows.csv',
    '--yes',
    '--on-drift',
    'overwrite',
    '--confirm',
    `local:${rows.length - 1}`,
    '--',
    ...command.split(' '),
  ]);
}

const memberships = async (): Promise<readonly string[]> =>
  (await pm('department-members list --individual ann@example.org -o json').rows())
    .filter(({ Primary }) => Primary === false)
    .map(({ ID }) => String(ID));

const idOf = async (department: string): Promise<string> =>
  String((await pm('departments list -o json').rows()).find(({ Name }) => Name === department)?.ID);

const whoIs = async (userName: string): Promise<string> =>
  String((await pm('individuals list -o json').rows()).find(({ Email }) => Email === `${userName}@example.org`)?.ID);

/** Jobs of which no row could be taken back by itself, or in the order in which they were made. */
const JOBS: Readonly<Record<string, () => Promise<CommandResult>>> = {
  'user names go round in a ring of two': async () => {
    const rows = (await pm('individuals list -o json').rows()).filter(({ Email }) => Email !== 'admin@localhost');
    const names = rows.map(({ UserName }) => UserName).reverse();
    const lines = ['ID,UserName', ...rows.map(({ ID }, at) => `${ID},${names[at]}`)];
    writeFileSync(join(pm.home, 'ring.csv'), `${lines.join('\n')}\n`);
    return pm('import individuals ring.csv --yes');
  },
  'a user name goes from hand to hand': async () => {
    const [ann, bob] = [await whoIs('ann'), await whoIs('bob')];
    return each(['ID,New', `${ann},away`, `${bob},ann`, `${ann},bob`], 'individuals update {ID} --user-name {New}');
  },
  'two departments of a branch change places': async () => {
    const [sales, emea, local] = [await idOf('Sales'), await idOf('EMEA'), await idOf('Local')];
    return each(['ID,Below', `${emea},${local}`, `${sales},${emea}`], 'departments update {ID} --parent {Below}');
  },
  'a person and the manager change places': () =>
    each(
      [
        'Who,Whom',
        'ann@example.org,ann@example.org',
        'bob@example.org,bob@example.org',
        'ann@example.org,bob@example.org',
      ],
      'individuals update {Who} --primary-reports-to {Whom}',
    ),
  'one person moves twice': () =>
    each(
      ['To,Title', 'Labs,First', 'EMEA,Second'],
      'individuals update ann@example.org --primary-organization {To} --primary-title {Title}',
    ),
  'two memberships of one person are made primary in turn': async () =>
    each(
      ['ID', ...(await memberships())],
      'department-members update {ID} --individual ann@example.org --primary true --reports-to admin',
    ),
  'a record is made': () =>
    each(
      ['Name', 'New'],
      'accountabilities create --individual ann@example.org --rank 5 --name {Name} --description x',
    ),
  'numbered records are made': () =>
    each(['Name,Rank', 'Red,11', 'Blue,12'], 'colors create --name {Name} --rank {Rank} --code ff0000'),
  'a numbered record is deleted': () => each(['Name', 'Odd'], 'colors delete {Name}'),
  'what owns is deleted, and what it owns with it': () => each(['Name', 'Yard'], 'departments delete {Name}'),
};

const JOB_NAMES = Object.keys(JOBS);

describe('goes back, is done again, and goes back once more:', () => {
  it.each(JOB_NAMES)('%s', async (name) => {
    const before = await state();
    expect(await JOBS[name]?.()).toMatchObject({ exit: 0 });
    const after = await state();
    expect(after).not.toEqual(before);
    for (const wanted of [before, after, before]) {
      const [newest] = await jobs();
      await pm(`undo ${newest} --yes`).prints();
      expect(await state()).toEqual(wanted);
    }
  });
});

it('half of the rows go back, then the others, and both undos are taken back', async () => {
  const rows = ['Name,Description', 'Keep,one', 'Sell,two'];
  const states = [await state()];
  await each(rows, 'accountabilities update {Name} --individual ann@example.org --description {Description}');
  const [job] = await jobs();
  states.push(await state());
  await pm(`undo ${job} --yes --where "Line <= 2"`).prints();
  states.push(await state());
  await pm(`undo ${job} --yes`).prints();
  expect(await state()).toEqual(states[0]);
  const [second, first] = await jobs();
  await pm(`undo ${second} --yes`).prints();
  expect(await state()).toEqual(states[2]);
  await pm(`undo ${first} --yes`).prints();
  expect(await state()).toEqual(states[1]);
});

it('of a job whose history is forgotten what it made goes back, and pm says what does not', async () => {
  const before = await state();
  writeFileSync(join(pm.home, 'mixed.csv'), 'Name,Parent,Rank,Focus\nLabs,Local,2,New\nFresh,Local,4,First\n');
  await pm('import departments mixed.csv --yes').prints();
  const [job] = await jobs();
  const later = { now: () => new Date(NOW.getTime() + 400 * 86_400_000) };
  await pm('history prune --older-than 365d -n', later).says(
    'With them 1 job loses the undo of what was changed or deleted.',
  );
  await pm('history prune --older-than 365d', later).says('With them 1 job loses the undo');
  await pm(`undo ${job} --yes`, later).says('The history of some records is forgotten: what they were before');
  const after = await state();
  expect(after.filter((record) => !before.includes(record))).toMatchObject([expect.stringContaining('"Focus":"New"')]);
  expect(after).toHaveLength(before.length);
  await pm(`undo ${job} --yes`, later).fails(7, 'can be undone', 'history of some records is forgotten');
});

describe('jobs in any order go back, the newest first, through every state before, and are done again', () => {
  it.each(Array.from({ length: isLong ? 60 : 2 }, (_, seed) => seed))('seed %i', async (seed) => {
    const random = seeded(seed);
    const states = [await state()];
    const made: string[] = [];
    for (let step = 0; step < (isLong ? 12 : 5); step++) {
      const name = JOB_NAMES[Math.floor(random() * JOB_NAMES.length)] ?? '';
      // A row that an earlier job has made impossible fails, as it may.
      const { out } = (await JOBS[name]?.()) ?? { out: '' };
      const [newest = ''] = await jobs();
      if (made.includes(newest) || !out.includes(newest)) continue;
      made.push(newest);
      states.push(await state());
    }
    expect(made.length).toBeGreaterThan(1);
    const undos: string[] = [];
    for (const [index, job] of [...made.entries()].reverse()) {
      await pm(`undo ${job} --yes`);
      expect(await state()).toEqual(states[index]);
      undos.push((await jobs())[0] ?? '');
    }
    for (const [index, undo] of undos.reverse().entries()) {
      await pm(`undo ${undo} --yes`);
      expect(await state()).toEqual(states[index + 1]);
    }
  });
});
