// pm history and pm log: who did what to a record, and to the site.
import { expect, it } from 'vitest';
import { NOW, usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

it('tells of a record who changed which member from what to what, the newest first', async () => {
  await pm('individuals update ann --primary-title Chief').prints();
  await pm('individuals update ann --primary-title Boss --suffix Dr').prints();
  const lines = await pm('history individuals ann -o json').rows();
  const updates = lines.filter(({ What }) => What === 'update');
  expect(updates.map(({ Who, Field, Before, After }) => [Who, Field, Before, After])).toEqual([
    ['admin', 'Suffix', null, 'Dr'],
    ['admin', 'PrimaryTitle', 'Chief', 'Boss'],
    ['admin', 'PrimaryTitle', 'Member', 'Chief'],
  ]);
  const [newest, , older] = updates;
  expect((await pm('jobs list -o json').rows()).map(({ Job }) => String(Job).slice(0, 8))).toEqual(
    expect.arrayContaining([newest?.Job, older?.Job]),
  );
});

it('tells of a new record what it began with', async () => {
  const lines = await pm('history individuals ann -o json').rows();
  expect(lines.map(({ What, Before }) => [What, Before])).toEqual(lines.map(() => ['create', null]));
  const values = Object.fromEntries(lines.map(({ Field, After }) => [Field, After]));
  expect(values).toMatchObject({ UserName: 'ann', PrimaryTitle: 'Member' });
  expect(values).not.toHaveProperty('ID');
});

it('tells what happened since then, and of which kind of record', async () => {
  await pm('individuals update ann --suffix Dr', { now: () => new Date('2026-04-20T12:00:00Z') }).prints();
  const now = () => new Date('2026-04-21T09:00:00Z');
  expect(await pm('history individuals ann --since -1d -o json', { now }).rows()).toMatchObject([{ Field: 'Suffix' }]);
  await pm('history individuals bob --since -1d', { now }).says('Nothing happened since 2026-04-20');
  await pm.refuses('history individuals ann --since ever', 2, '--since is "ever"');
  await pm.refuses('history nobody', 2, 'there is no resource "nobody"', 'pm history individuals nobody');
  await pm.refuses('history individual', 2, 'pm history individuals needs to know which');
  await pm.refuses('history people ann', 2, 'there is no resource "people"', 'Did you mean: pm history individuals?');
  await pm.refuses('history indviduals', 2, 'Did you mean: pm history individuals?');
  await pm.refuses('history individuals nobody', 6, 'there is no individual "nobody"');
});

it('tells that a password was set, alone or with others, and never which', async () => {
  const stdin = 'a long new password';
  await pm('passwd ann --new-password-stdin', { stdin }).prints();
  await pm('individuals update ann --suffix Dr --new-password-stdin', { stdin }).prints();
  const lines = await pm('history ann --limit 3 -o json').rows();
  expect(lines.map(({ What, Field, Before, After }) => [What, Field, Before, After])).toEqual([
    ['update', 'Suffix', null, 'Dr'],
    ['update', 'Password', null, 'set'],
    ['update', 'Password', null, 'set'],
  ]);
  const log = await pm('log --field Password -o json').rows();
  expect(log.map(({ Changes }) => Changes)).toEqual(['Suffix Dr; Password set', 'Password set']);
});

it('says that nothing fits a filter, and which flag takes a full name', async () => {
  for (const command of ['history ann', 'log', 'jobs list'])
    await pm([...command.split(' '), '--where', "Job = 'x'"]).says('Nothing fits --where.');
  await pm(['log', '--where', "Who = 'Ann Smith'"]).says('--who takes a full name, too');
});

it('takes what was pasted alone, as pm show does', async () => {
  const ofAnn = await pm('history individuals ann -o json').rows();
  for (const text of ['ann', 'ann@example.org', 'Ann Smith', await pm('individuals get ann -o id').id()])
    expect(await pm(['history', text, '-o', 'json']).rows()).toEqual(ofAnn);
  await pm('individuals delete ann --yes').prints();
  await pm('history ann').prints('delete');
  await pm('departments create --name Twin --rank 3 --parent Local').prints();
  await pm('departments create --name Twin --rank 1 --parent Sales').prints();
  await pm.refuses('history Twin', 7, '"Twin" fits 2 departments', 'of Sales', 'of Local');
});

it('tells of a deleted record too', async () => {
  await pm('individuals delete bob --yes').prints();
  const lines = await pm('history individuals bob -o json').rows();
  expect([...new Set(lines.map(({ What }) => What))]).toEqual(['delete', 'create']);
});

it('names people and departments where people read, and gives IDs to programs', async () => {
  await pm('individuals update bob --primary-reports-to ann').prints();
  await pm('history individuals bob --where "Field = \'PrimaryReportsTo\'" -o md').prints('Ann');
  const [line] = await pm('history individuals bob --where "Field = \'PrimaryReportsTo\'" -o json').rows();
  expect(line?.After).toMatch(/^[0-9a-f-]{36}$/);
});

it('tells who came into a group, and who went', async () => {
  await pm('security-groups create --group Night').prints();
  await pm('security-groups add-member Night ann').prints();
  await pm('security-groups add-member Night bob').prints();
  await pm('security-groups delete-member Night ann --yes').prints();
  const log = await pm('log --resource security-groups --field Members -o md').prints();
  const members = [...log.matchAll(/Members ([^|]+) \|/g)].map(([, change]) => change?.trim());
  expect(members).toEqual([
    expect.stringMatching(/^-Ann/),
    expect.stringMatching(/^\+Bob/),
    expect.stringMatching(/^\+Ann/),
  ]);
});

it('takes the flags that say whose record is meant', async () => {
  await pm.refuses('history accountabilities Keep', 7, 'Keep');
  await pm('accountabilities update Keep --individual bob --rank 4').prints();
  const lines = await pm('history accountabilities Keep --individual bob -o json').rows();
  expect(lines[0]).toMatchObject({ What: 'update', Field: 'Rank', After: '4' });
  const others = await pm('history accountabilities Keep --individual ann -o json').rows();
  expect(others.filter(({ What }) => What !== 'create')).toEqual([]);
  const ends = await pm('history department-members --individual ann --department Sales -o json').rows();
  expect(ends.length).toBeGreaterThan(0);
  await pm.refuses('history individuals ann --project Ferry', 2, 'individuals take no --project');
  await pm.refuses('history accountabilities', 2, 'needs to know which');
});

it('knows nothing of what never was', async () => {
  await pm.refuses(
    'history individuals 0f8fad5b-d9cb-469f-a165-70867728950e',
    6,
    'there is no history of the individual',
  );
});

it('names a record without a name by those whose it is', async () => {
  await pm('individuals update bob --primary-title Boss').prints();
  const lines = await pm('log --resource department-members --limit 1 --fields Name,Changes -o md').prints();
  expect(lines).toContain('Title Member → Boss');
  expect(lines).toMatch(/\| Bob[^|]*, \S[^|]* \|/);
});

it('tells of the site, the newest first', async () => {
  await pm('individuals update ann --primary-title Chief').prints();
  const lines = await pm('log --limit 3 -o json').rows();
  expect(lines).toHaveLength(3);
  expect(lines.some(({ Resource, Fields }) => Resource === 'individuals' && Fields === 'PrimaryTitle')).toBe(true);
  expect(await pm('log --since 2027-01-01 -o json').rows()).toEqual([]);
  expect((await pm('log --since -1d -o json').rows()).length).toBeGreaterThan(3);
  await pm.refuses('log --since lately', 2, '--since is "lately"');
});

it('filters the same lines for people and for programs, by whose a membership is', async () => {
  const filter = `log --where "Name ~ 'EMEA'"`;
  const lines = await pm(`${filter} -o json`).rows();
  expect(lines.map(({ Resource }) => Resource)).toContain('department-members');
  const table = String(await pm(`${filter} -o md`).prints());
  expect(table.trim().split('\n')).toHaveLength(lines.length + 2);
});

it('chooses by who did it, what it was, which field, and which job', async () => {
  await pm('individuals update ann --primary-title Chief').prints();
  await pm('individuals update bob --suffix Dr', { env: { USER: 'admin' } }).prints();
  const [job] = await pm('jobs list --limit 1 -o json').rows();
  const of = async (flags: string) =>
    (await pm(`log ${flags} -o json`).rows()).map(({ Name, Fields }) => [Name, Fields]);
  expect(await of(`--job ${String(job?.Job).slice(0, 8)}`)).toEqual([['Bob Stone', 'Suffix']]);
  expect(await of('--field primarytitle --resource individuals --limit 1')).toEqual([
    [expect.stringMatching(/^Ann/), 'PrimaryTitle'],
  ]);
  expect((await of('--who ADMIN --resource individuals')).length).toBeGreaterThan(0);
  await pm.refuses('log --resource people2', 2, 'people2');
});

it('takes whoever did something as every other reference, and never says that nothing happened by who is nobody', async () => {
  await pm('individuals update bob --is-admin true').prints();
  await pm('individuals update ann --suffix Dr --as bob').prints();
  const newest = async (who: string) => (await pm(['log', '--who', who, '--limit', '1', '-o', 'json']).rows())[0];
  const line = { Who: 'bob', Changes: 'Suffix Dr' };
  const [bob] = await pm('individuals list --where "UserName = \'bob\'" -o json').rows();
  const names = ['bob', 'BOB', 'bob@example.org', 'Bob Stone', 'Stone, Bob', String(bob?.ID)];
  for (const who of names) expect(await newest(who)).toMatchObject(line);
  expect((await pm('log --who me --as bob -o json').rows()).length).toBe(1);
  await pm('individuals delete bob --yes').prints();
  for (const who of names) expect(await newest(who)).toMatchObject(line);
  await pm.refuses('log --who nobody', 6, 'there is no individual "nobody"');
  await pm.refuses('log --who 0f8fad5b-d9cb-469f-a165-70867728950e', 6, 'there is no individual "0f8f');
  await pm('log --who ann --until 2020-01-01').says('Nothing happened');
});

it('refuses a field that nothing has, a job that is none, and --by', async () => {
  await pm.refuses('log --field Titel', 2, 'not a field of any resource', 'Did you mean Title?');
  await pm.refuses('log --field Titel --resource colors', 2, 'not a field of colors', 'pm explain colors');
  await pm('log --field Title --until 2020-01-01').says('Nothing happened');
  for (const job of ['ffff-ffff', 'last', '""']) await pm.refuses(`log --job ${job}`, 6, 'there is no job');
  await pm.refuses('log --by ann', 2, "unknown option '--by'", 'Write --who <individual>.');
});

it('tells what happened up to a moment, and of rights in words', async () => {
  const at = (text: string) => ({ now: () => new Date(text) });
  await pm('permissions set bob deny read department Sales', at('2026-05-01T10:00:00Z')).prints();
  await pm('permissions set bob unset read department Sales', at('2026-05-02T10:00:00Z')).prints();
  const log = (flags: string) =>
    pm(`log --resource permissions ${flags} --fields Changes -o csv`, at('2026-05-03T10:00:00Z')).prints();
  expect(await log('--limit 1')).toContain('Read: Deny → Not Set');
  expect(await log('--until 2026-05-01T12:00:00Z --limit 1')).toContain('Create: Not Set; Read: Deny;');
  expect(await log('--until 2026-05-01T12:00:00Z --limit 1')).not.toContain('→');
  await pm.refuses('log --until tomorrow', 2, '--until is "tomorrow"');
});

it('names the job of each line, whatever else happened in the same second and before it by the clock', async () => {
  const now = (text: string) => ({ now: () => new Date(text) });
  const SECOND = '2026-05-01T10:00:00.100Z';
  const wanted: unknown[] = [];
  for (const [at, suffix] of [
    [SECOND, 'A'],
    [SECOND, 'B'],
    ['2026-04-30T10:00:00Z', 'C'],
    [SECOND, 'D'],
  ] as const) {
    await pm(`individuals update ann --suffix ${suffix}`, now(at)).prints();
    const [job] = await pm('jobs list --limit 1 -o json', now(at)).rows();
    wanted.unshift([`Suffix ${suffix}`, String(job?.Job).slice(0, 8)]);
  }
  const lines = await pm('log --field Suffix -o json', now(SECOND)).rows();
  expect(lines.map(({ Changes, Job }) => [String(Changes).replace(/\w+ → /, ''), Job])).toEqual(wanted);
  await pm('jobs prune --older-than 1d --yes', now('2026-09-01T10:00:00Z')).says();
  const later = await pm('log --field Suffix -o json', now(SECOND)).rows();
  expect(later.map(({ Job }) => Job)).toEqual(lines.map(({ Job }) => Job));
});

it('names a global administrator of another site, whose changes are taken back by that name', async () => {
  const later = { now: () => new Date(NOW.getTime() + 60_000) };
  await pm('sites create North --admin nora').prints();
  await pm('departments create --name Ops --rank 1 --site North', later).prints();
  const who = async (line: string) => (await pm(`${line} -o json`).rows()).map(({ Who }) => Who);
  for (const caller of ['', ' --as nora']) {
    expect(new Set(await who(`history departments Ops --site North${caller}`))).toEqual(new Set(['admin']));
    expect(new Set(await who(`log --site North${caller}`))).toEqual(new Set(['admin']));
  }
  await pm('undo --by ADMIN --since -1d --site North -n', later).says('Undo of what admin did', '1 line of history');
  await pm('undo --by bob --since -1d --site North -n', later).fails(6, 'there is no individual "bob"');
});

it('tells of tokens, which are no records', async () => {
  const token = await pm('tokens create --kind user --fields ID -o json').row();
  const lines = await pm('log -o json').rows();
  expect(lines).toContainEqual(expect.objectContaining({ What: 'create', Resource: 'tokens', ID: token.ID }));
});
