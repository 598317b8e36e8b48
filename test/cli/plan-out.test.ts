// --out beside -n: the plan of what a rehearsal shows, of every command that changes records; pm apply then makes just that.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsOfProgram } from '../../src/cli/program.ts';
import type { Backend } from '../../src/contract/call.ts';
import { ignoringIDs } from '../support/ignoring-ids.ts';
import { usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { FILES, siteFolder } from '../support/site-folder.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (one) => {
  await company(one);
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
  await one('security-groups create --group Helpers').prints();
  await one('colors create --name Rose --rank 9 --code ff0080').prints();
});
const env = { PM_PASSWORD: PASSWORD };
const at = (name: string): string => join(pm.home, name);
const planned = (name = 'x.plan') =>
  readFileSync(at(name), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line));

describe('what a rehearsal shows becomes a plan, and nothing is changed', () => {
  it.each([
    ['individuals update ann --primary-title Chief', 'update'],
    [`individuals update --where "PrimaryTitle = 'Member'" --primary-title Chief`, 'update'],
    ['individuals delete bob', 'delete'],
    ['departments create --parent Sales --name Fjord', 'create'],
    ['colors delete Rose', 'delete'],
    ['security-groups add-member Helpers ann', 'addMember'],
    ['permissions set ann allow read department Sales', 'create'],
    ['sites grant-global ann', 'grantGlobal'],
    ['import individuals rows.csv', 'update'],
    ['each rows.csv -n --out x.plan -- individuals update {UserName} --suffix Dr', 'update'],
    ['undo', 'delete'],
  ])('%s', async (line, operation) => {
    writeFileSync(at('rows.csv'), 'UserName,PrimaryTitle\nann,Chief\n');
    const before = pm.dump();
    const [shown, wanted] = [line.includes('--out') ? line : `${line} -n --out x.plan`, 'Look: pm plan show x.plan'];
    const { err } = await pm(shown).says(wanted);
    expect(pm.dump()).toEqual(before);
    expect(planned().map((row) => row.operation)).toContain(operation);
    const [, look = ''] = /Look: pm (.+?)\. Run/.exec(err) ?? [];
    const [, run = ''] = /nothing else: pm (.+)$/m.exec((await pm(look).says()).err) ?? [];
    const yes = operation === 'delete' && !line.includes('bob') ? '--confirm local:1' : '--yes';
    await pm(`${run} ${yes} -o json`).prints('"State": "ended"');
    expect(pm.dump()).not.toEqual(before);
  });
});

it('the plan has the rows that are shown, and the rehearsal is printed as without it', async () => {
  const line = `individuals update --where "PrimaryTitle = 'Member'" --primary-title Chief -n -o json`;
  const shown = await pm(line).rows();
  expect(await pm(`${line} --out x.plan`).rows()).toEqual(shown);
  expect(planned().map(({ id }) => id)).toEqual(shown.map(({ ID }) => ID));
});

it('a record that was changed since the rehearsal is left alone', async () => {
  await pm('individuals update ann --primary-title Chief -n --out x.plan').says('1 change');
  await pm('individuals update ann --primary-title Boss').prints();
  await pm('apply x.plan --yes').fails(7, 'has changed since the plan was made');
  expect((await pm('individuals get ann -o json').row()).PrimaryTitle).toBe('Boss');
});

it('two changes of one record are both made', async () => {
  writeFileSync(at('rows.csv'), 'Who,Suffix,Title\nann,Dr,Chief\nann,Prof,Head\n');
  const each = 'individuals update {Who} --suffix {Suffix} --primary-title {Title}';
  await pm(`each rows.csv -n --out x.plan -- ${each}`).says('2 changes');
  await pm('apply x.plan --yes').prints();
  expect(await pm('individuals get ann -o json').row()).toMatchObject({ Suffix: 'Prof', PrimaryTitle: 'Head' });
});

describe('no plan is written', () => {
  it.each([
    ['of a change that is to be made', 'individuals update ann --suffix Dr --out x.plan', 2, '-n --out x.plan'],
    ['of a password', 'individuals update ann --new-password-file pw -n --out x.plan', 7, 'which no plan holds'],
    ['of a change that is refused', 'individuals update ann --user-name bob -n --out x.plan', 7, 'bob'],
    ['of several undos', 'undo --with-later -n --out x.plan', 2, 'Leave out --out or --with-later.'],
    ['behind --', 'each rows.csv -- individuals update {Who} --suffix Dr --out x.plan', 2, 'before --'],
  ])('%s', async (_what, line, exit, wanted) => {
    writeFileSync(at('pw'), 'Correct-horse-2');
    writeFileSync(at('rows.csv'), 'Who\nann\n');
    await pm.refuses(line, exit, wanted);
    expect(existsSync(at('x.plan'))).toBe(false);
  });

  it('where some of many changes would fail, and it says so', async () => {
    writeFileSync(at('rows.csv'), 'Who,User\nann,admin\nbob,bob2\n');
    const each = 'individuals update {Who} --user-name {User}';
    await pm(`each rows.csv -n --out x.plan -- ${each}`).fails(3, 'x.plan is not written: 1 change would fail.');
    expect(existsSync(at('x.plan'))).toBe(false);
  });
});

it('is refused where there is no site yet', async () => {
  const nowhere = { env: { PM_HOME: at('nowhere') }, cwd: pm.home };
  await pm('departments create --name Fjord -n --out x.plan', nowhere).fails(
    2,
    'there is no site to plan for yet',
    'pm seed',
  );
  expect(existsSync(at('x.plan'))).toBe(false);
});

it('is a flag of every command whose dry run shows changes', async () => {
  const commands = (await commandsOfProgram()).flatMap((one) => [one, ...one.commands]);
  const plans = commands.filter(({ options }) => options.some(({ flags }) => flags === '--out <plan>'));
  const names = plans.map((one) => [one.parent?.name(), one.name()].filter(Boolean).join(' '));
  for (const name of ['import', 'each', 'apply', 'undo', 'individuals create', 'permissions set'])
    expect(names).toContain(name);
});

it('a folder knows the records that it makes', async () => {
  const before = pm.dump();
  await pm(`apply ${siteFolder(at('site'), FILES)} -n --out x.plan`).says('x.plan: 11 changes');
  expect(pm.dump()).toEqual(before);
  expect(JSON.parse((await pm('apply x.plan --yes -o json')).out)).toMatchObject({ State: 'ended', Done: 11 });
  await pm(`apply ${siteFolder(at('site'), FILES)} --yes`).says('Nothing to change.');
  await pm('undo --yes').prints();
  await pm('individuals get dora').fails(6);
});

describe.each<[string, (backend: Backend) => Backend]>([
  ['that keeps IDs', (backend) => backend],
  ['that gives its own', ignoringIDs],
])('on a service %s', (_name, over) => {
  servedAsProd(pm, { over });
  const remote = (line: string) => pm(`${line} -p prod`, { env });

  it('a plan of a folder is applied, and taken back', async () => {
    await remote(`apply ${siteFolder(at('site'), FILES)} -n --out x.plan`).says('x.plan: 11 changes');
    expect(JSON.parse((await remote('apply x.plan --yes -o json')).out)).toMatchObject({ State: 'ended', Done: 11 });
    await remote(`apply ${siteFolder(at('site'), FILES)} --yes`).says('Nothing to change.');
    await remote('undo --yes').prints();
    await pm('individuals get dora -p local').fails(6);
  });

  it('a named record that was changed since is left alone', async () => {
    await remote('individuals update ann --primary-title Chief -n --out x.plan').says('1 change');
    await pm('individuals update ann --primary-title Boss -p local').prints();
    await remote('apply x.plan --yes').fails(7, 'has changed since the plan was made');
  });
});
