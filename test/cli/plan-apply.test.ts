// pm plan and pm apply: what is written down runs once, and leaves alone what has changed meanwhile.
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type Member, usingPm, words } from '../support/pm.ts';
import { company, individual } from './company.ts';

const pm = usingPm(company);
const at = (name: string): string => join(pm.home, name);

beforeEach(async () => {
  writeFileSync(at('q4.csv'), 'UserName,PrimaryTitle\nadmin,Chief\nann,Chief\nbob,Chief\n');
});

it('writes a plan that can be looked at, and changes nothing', async () => {
  const before = pm.dump();
  await pm('plan individuals q4.csv --out q4.plan').says('3 updates', 'q4.plan: 3 changes, 0 unchanged');
  const { Changes } = (await pm('plan show q4.plan -o json').row()) as { Changes: readonly Member[] };
  expect(Changes.map(({ Name }) => Name)).toEqual(['admin', 'ann', 'bob']);
  await pm('plan show q4.plan -o md').prints('| Member | Chief |');
  expect(pm.dump()).toEqual(before);
  expect(statSync(at('q4.plan')).mode & 0o777).toBe(0o600);
});

it('applies the rest where two records changed since, tells which, and ends with 3', async () => {
  await pm('plan individuals q4.csv --key UserName --out q4.plan').says();
  await pm('individuals update ann --suffix Dr').prints();
  await pm('individuals update bob --primary-title Boss').prints();
  const told = await pm('apply q4.plan --yes -o json').fails(3, 'has changed since the plan was made');
  expect(JSON.parse(told.out)).toMatchObject({ Done: 1, Drifted: 2, State: 'ended' });
  const drifted = await pm(`jobs show ${JSON.parse(told.out).Job} --rows --state drifted -o json`).rows();
  expect(drifted.map(({ Line, State }) => [Line, State])).toEqual([
    [3, 'drifted'],
    [4, 'drifted'],
  ]);
  const titles = (await pm('individuals list -o json').rows()).map(({ UserName, PrimaryTitle }) => [
    UserName,
    PrimaryTitle,
  ]);
  expect(Object.fromEntries(titles)).toEqual({ admin: 'Chief', ann: 'Member', bob: 'Boss' });
  const [retry = ''] = /jobs retry .*/.exec(told.err) ?? [];
  await pm('apply q4.plan --yes').fails(7, 'the plan has run already', retry);
  await pm(`${retry} --yes -o json`).prints('"Done": 3,');
});

it('counts what is by then as it wants it as unchanged, which its undo leaves so', async () => {
  await pm('plan individuals q4.csv --key UserName --out q4.plan').says();
  for (const who of ['admin', 'ann']) await pm(`individuals update ${who} --primary-title Chief`).prints();
  const { out } = await pm('apply q4.plan --yes -o json').says();
  expect(JSON.parse(out)).toMatchObject({ Done: 1, Unchanged: 2 });
  await pm('undo --yes').says();
  await pm('individuals list --fields UserName,PrimaryTitle').prints('admin\tChief', 'ann\tChief', 'bob\tMember');
});

it('says of many records that have changed one thing once, and how to see them all', async () => {
  await pm(individual('cid', 'Cid Moss', 'Labs', 'ann')).prints();
  appendFileSync(at('q4.csv'), 'cid,Chief\n');
  await pm('plan individuals q4.csv --key UserName --out q4.plan').says();
  for (const who of ['admin', 'ann', 'bob', 'cid']) await pm(`individuals update ${who} --suffix Dr`).prints();
  const { err } = await pm('apply q4.plan --yes').fails(
    7,
    'error: 4 rows (2, 3, 4 …), the first: the individual admin',
  );
  expect(err.match(/^error: /gm)).toHaveLength(1);
  const [line = ''] = /pm jobs show \w+ --rows$/m.exec(err) ?? [];
  await pm(words(line).slice(1)).prints('Cid Moss');
});

/** The hash that plan show prints. */
async function hashOf(file: string): Promise<string> {
  const { err } = await pm(`plan show ${file}`).says(`pm apply ${file} --expect`);
  return /--expect ([0-9a-f]{64})$/m.exec(err)?.[1] ?? '';
}

it('runs the plan whose hash was looked at, and no other', async () => {
  await pm('plan individuals q4.csv --key UserName --out q4.plan').says();
  const hash = await hashOf('q4.plan');
  await pm('plan individuals q4.csv --key UserName --out other.plan').says();
  expect(await hashOf('other.plan')).not.toBe(hash);
  await pm.refuses(`apply other.plan --yes --expect ${hash}`, 7, 'not the expected plan');
  await pm.refuses(`apply other.plan --yes --expect ${hash.slice(0, 8)}`, 2, '64 hexadecimal digits');
  await pm(`apply q4.plan --yes --expect ${hash.toUpperCase()}`).prints('3');
});

it('prints commands that run as they stand', async () => {
  const there = '-p local';
  const { err } = await pm(`plan individuals q4.csv --key UserName --out 'q4 of it.plan' ${there}`).says('3 changes');
  const [, look = '', run = ''] = /Look: pm (.+)\. Run: pm (.+)$/m.exec(err) ?? [];
  expect(look).toBe(`plan show 'q4 of it.plan' ${there}`);
  expect(run).toMatch(/^apply 'q4 of it\.plan' --expect [0-9a-f]{64} -p local$/);
  await pm(look).says(`To run this and nothing else: pm ${run}\n`);
  await pm(`${run} --yes`).prints('3');
});

it.each(['stop', 'rollback'])('keeps for the command that runs it what --on-error %s said', async (what) => {
  const { err } = await pm(`import individuals q4.csv -n --out q4.plan --on-error ${what}`).says('3 changes');
  const [, run = ''] = / Run: pm (.+)$/m.exec(err) ?? [];
  expect(run).toContain(`apply q4.plan --on-error ${what} --expect`);
  await pm('plan show q4.plan').says(`To run this and nothing else: pm ${run}\n`);
  await pm(`${run} --yes`).prints('3');
});

it.each([
  ['as it was made', '', []],
  ['as the command says, where it says it', '--on-error continue', ['cid']],
])('runs after a row that fails %s', async (_, typed, made) => {
  const rows = ['cid,Cid,Moss,cid@example.org,Sales,Member,ann', 'dan,Dan,Dorn,dan@example.org,Labs,Member,ann'];
  const header = 'UserName,FirstName,LastName,Email,Department,Title,Manager';
  writeFileSync(at('new.csv'), `${[header, ...rows].join('\n')}\n`);
  await pm('import individuals new.csv -n --out new.plan --on-error rollback').says('2 changes');
  await pm('departments delete Labs --yes').prints();
  expect((await pm(`apply new.plan --yes ${typed}`)).err).toContain('error: line 3: ');
  const names = (await pm('individuals list -o json').rows()).map(({ UserName }) => UserName);
  expect(names.filter((name) => name === 'cid' || name === 'dan')).toEqual(made);
});

it('is refused when it was edited, cut, or is no plan', async () => {
  await pm('plan individuals q4.csv --out q4.plan').says();
  const text = readFileSync(at('q4.plan'), 'utf8');
  writeFileSync(at('edited.plan'), text.replace('Chief', 'Thief'));
  await pm.refuses('apply edited.plan --yes', 7, 'changed after it was written');
  writeFileSync(at('cut.plan'), text.slice(0, text.lastIndexOf('\n{') + 1));
  await pm.refuses('apply cut.plan --yes', 7, 'it ends after 2 of 3 rows');
  await pm.refuses('apply q4.csv --yes', 2, 'is not a plan of pm');
  appendFileSync(at('q4.plan'), '{}\n');
  await pm.refuses('apply q4.plan --yes', 7, 'damaged');
});

it('holds no password', async () => {
  writeFileSync(at('secret.csv'), 'UserName,Password\nann,Correct-horse-1\n');
  await pm.refuses('plan individuals secret.csv --out s.plan', 7, 'line 2 sets Password');
});

it('asks where the plan is to be written', async () => {
  await pm.refuses('plan individuals q4.csv', 2, '--out q4.plan');
});
