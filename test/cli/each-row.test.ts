// pm each: a command for every row of a file, in which a cell is never more than one word.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const file = (...lines: readonly string[]): void => writeFileSync(join(pm.home, 'people.csv'), `${lines.join('\n')}\n`);
const member = async (who: string, name: string): Promise<unknown> =>
  (await pm(`individuals get ${who} -o json`).row())[name];

it('makes one job of all rows, which one undo takes back', async () => {
  file('Email,Title', 'ann@example.org,Chief', 'bob@example.org,"Boss, really"');
  await pm('each people.csv --yes -- individuals update {Email} --primary-title {Title}').says('2 updates');
  expect([await member('ann', 'PrimaryTitle'), await member('bob', 'PrimaryTitle')]).toEqual(['Chief', 'Boss, really']);
  await pm('undo --yes').prints();
  expect(await member('ann', 'PrimaryTitle')).toBe('Member');
});

it('never takes a cell for a flag, for several words, or for stdin', async () => {
  file('Who,Title', 'ann,--is-admin');
  await pm('each people.csv --yes -- individuals update {Who} --primary-title {Title}').says();
  expect(await member('ann', 'PrimaryTitle')).toBe('--is-admin');
  expect(await member('ann', 'IsAdmin')).toBe(false);
  file('Who', '-');
  await pm.refuses('each people.csv --yes -- individuals delete {Who}', 7, 'line 2', 'names nothing');
  file('Who', 'ann bob');
  await pm.refuses('each people.csv --yes -- individuals delete {Who}', 7, 'there is no individual "ann bob"');
});

it('reads true and false from cells', async () => {
  file('Who,Admin', 'ann,true', 'bob,false');
  await pm('each people.csv --yes -- individuals update {Who} --is-admin {Admin}').says('1 update', '1 unchanged');
  expect(await member('ann', 'IsAdmin')).toBe(true);
  file('Who,Admin', 'ann,perhaps');
  await pm.refuses('each people.csv --yes -- individuals update {Who} --is-admin {Admin}', 7, 'line 2', 'perhaps');
});

it('runs a command of a record that takes no body', async () => {
  await pm('tasks create --individual ann --name Call --priority 1 --rank 1').prints();
  file('Task', 'Call');
  await pm('each people.csv --yes -- tasks toggle-completed {Task}').says('1 change');
  expect(await pm('tasks get Call -o json').row()).toMatchObject({ EndDateActual: expect.stringMatching(/^\d{4}-/) });
});

it('shows with -n what it would do, and does nothing', async () => {
  file('Who,Title', 'ann,Chief');
  const before = pm.dump();
  await pm('each people.csv -n -- individuals update {Who} --primary-title {Title}').prints('Chief');
  expect(pm.dump()).toEqual(before);
});

it('runs for the rows that --rows chooses, and counts the others', async () => {
  file('Who,Title,Status', 'ann,Chief,active', 'bob,Head,left');
  const line = ['each', 'people.csv', '--rows', "Status = 'active'", '--yes', '--', 'individuals', 'update', '{Who}'];
  await pm([...line, '--primary-title', '{Title}']).says('1 update', 'left out by --rows: 1 row');
  expect([await member('ann', 'PrimaryTitle'), await member('bob', 'PrimaryTitle')]).toEqual(['Chief', 'Member']);
});

it.each([
  ['individuals update {Whom} --suffix x', 2, 'the file has no column Whom'],
  ['individuals update ann --suffix x', 2, 'names no column'],
  ['individuals list', 2, 'and not individuals list'],
  ['permissions set {Who} allow read', 2, 'and not permissions set'],
  ['individuals update {Who} --from {Title}', 2, 'takes no column'],
  ['people update {Who}', 2, 'there is no resource "people"'],
])('refuses %s', async (command, exit, why) => {
  file('Who,Title', 'ann,Chief');
  await pm.refuses(`each people.csv --yes -- ${command}`, exit, why);
});

it('reads, trims and finds as an import does: dates, words for none, yes and no, blanks', async () => {
  file('Who,Job Title,Start,Admin', '\u00a0Ann Smith ,Chief ,31/12/2023,Y', 'bob,TBD,tbd,');
  const words = 'individuals update {who} --primary-title {job_title} --hire-date {Start} --is-admin {Admin}';
  await pm(`each people.csv --yes --null TBD -- ${words}`).says('1 update');
  expect(await member('ann', 'PrimaryTitle')).toBe('Chief');
  expect(String(await member('ann', 'HireDate'))).toContain('2023-12-31');
  expect([await member('ann', 'IsAdmin'), await member('bob', 'IsAdmin')]).toEqual([true, false]);
  file('Who,Start', 'ann,03/04/2024');
  await pm.refuses('each people.csv --yes -- individuals update {Who} --hire-date {Start}', 7, 'line 2', 'can be');
  await pm(
    'each people.csv --yes --date-format Start=mm/dd/yyyy -- individuals update {Who} --hire-date {Start}',
  ).says();
  expect(String(await member('ann', 'HireDate'))).toContain('2024-03-04');
});

it('leaves a field with a blank cell as it is, and empties it with <null>', async () => {
  await pm('individuals update ann --suffix jr').prints();
  file('Who,Suffix,Title', 'ann,,Chief');
  const words = 'individuals update {Who} --suffix {Suffix} --primary-title {Title}';
  await pm(`each people.csv --yes -- ${words}`).says('1 update');
  expect([await member('ann', 'Suffix'), await member('ann', 'PrimaryTitle')]).toEqual(['jr', 'Chief']);
  file('Who,Suffix,Title', 'ann,<null>,Chief');
  await pm(`each people.csv --yes -- ${words}`).says('1 update');
  expect(await member('ann', 'Suffix')).toBeNull();
});

it('deletes what two rows name once, and changes what two rows name in their order', async () => {
  file('Who', 'bob', 'Bob Stone');
  await pm('each people.csv --yes -- individuals delete {Who}').says('1 row twice', '1 delete');
  file('Who,Title', 'ann,Boss', 'ann@example.org,Head', 'ann,Boss', 'ann,Boss');
  const line = 'each people.csv --yes -- individuals update {Who} --primary-title {Title}';
  await pm(line).says('1 row twice', '3 updates');
  expect(await member('ann', 'PrimaryTitle')).toBe('Boss');
});

it('drops no repeated row of an operation that is no change of values: the second one is told', async () => {
  await pm('tasks create --individual ann --name Ring --priority 1 --rank 1').prints();
  file('Task', 'Ring', 'Ring');
  const { err } = await pm('each people.csv --yes -- tasks toggle-completed {Task}').fails(3, 'line 3', 'has changed');
  expect(err).not.toContain('twice in the file');
});
