// pm can: who may do what, why, and what if.
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

it('says yes with exit 0 and no with exit 5', async () => {
  await pm('can admin update department Sales').prints(/^yes\n$/);
  await pm('can bob read department Sales').prints(/^yes\n$/);
  expect((await pm('can bob update department Sales').fails(5)).out).toBe('no\n');
});

it('says of a name that several have what works there: the ID', async () => {
  const { err } = await pm('can bob read accountability Keep').fails(7, 'fits 2', 'of Ann Smith');
  expect(err).toMatch(/hint: Give the ID of the one you mean\.$/m);
  const [id = ''] = /[0-9a-f-]{36}/.exec(err) ?? [];
  await pm(`can bob read accountability ${id}`).prints(/^yes\n$/);
});

it('says that the login and the deletion of a global administrator are for global ones', async () => {
  await pm('individuals update bob --is-admin true').prints();
  const { out } = await pm('can bob delete individual admin --why').fails(5);
  expect(out).toMatch(/^no\n/);
  expect(out).toContain('Only global administrators may delete a global administrator');
  await pm('can bob update individual admin --why').prints(
    /^yes$/m,
    /^But not its UserName, IsAdmin, Email, Password: /m,
  );
  await pm('individuals delete admin --as bob --yes').fails(5, 'global administrator', '--as');
  await pm('can admin delete individual admin').prints(/^yes\n$/);
});

it('shows the rows that decided, in the order they were looked at, and the near misses', async () => {
  await pm('permissions set bob allow update department Sales').prints();
  await pm('permissions set bob deny update department Sales/EMEA').prints();
  const { out } = await pm('can bob update department Sales/EMEA --why').fails(5);
  const ID = '[0-9a-f-]{36}';
  const lines = out.split('\n');
  expect(lines[0]).toBe('no');
  expect(lines[2]).toBe('May "Bob Stone" update the department "EMEA"?');
  expect(lines.slice(4).map((line) => line.replace(new RegExp(ID, 'g'), 'ID'))).toEqual([
    'At                  Says    To                            Row',
    '──────────────────  ──────  ─────────  ─────────────────  ────────────────────────────────────',
    'department "EMEA"   Deny    Bob Stone  decides            ID',
    'department "Sales"  Allow   Bob Stone  would decide next  ID',
    'department "Local"  no row',
    'site "Local"        no row',
    '',
    'ID: ID, ID',
    '',
  ]);
});

it('tells what a row is about, whether it is a group’s, and why it does not decide at its own step', async () => {
  await pm('security-groups add-member Leaders bob').prints();
  await pm('permissions set Leaders deny create department Sales').prints();
  await pm('permissions set bob allow create department Sales').prints();
  expect((await pm('can bob create project in department Sales --why').fails(5)).out).toMatch(
    / Allow +Bob Stone .* deny comes first +\S{36}$/m,
  );
  await pm('permissions set bob allow create department Sales --child-type project').prints();
  await pm('can bob create project in department Sales --why').prints(
    / Allow +Bob Stone +project \(15\) .* decides +\S{36}$/m,
    / Deny +Leaders \(group\) .* the type comes first +\S{36}$/m,
  );
});

it('tells a row that is about something else here', async () => {
  await pm('permissions set bob allow create department Sales --child-type 58').prints();
  expect((await pm('can bob create metric in department Sales --why').fails(5)).out).toMatch(
    / Allow +Bob Stone +metric \(58\) .* counts elsewhere +\S{36}$/m,
  );
});

it('says what holds where no row decides, and for administrators', async () => {
  expect((await pm('can bob delete department Sales --why').fails(5)).out).toContain(
    'No permission decides. By default individuals delete',
  );
  await pm('can bob read department Sales --why').prints('No permission decides. By default everybody reads');
  await pm('can admin delete department Sales --why').prints('An administrator may do everything');
  expect((await pm('can bob create color in site Local --why').fails(5)).out).toContain('Only administrators may');
});

it('tells a dashboard by the rows of whose it is, once', async () => {
  await pm('permissions set bob allow read individual ann').prints();
  const out = await pm('can bob read dashboard ann --why').prints();
  expect(out.match(/ Allow /g)).toHaveLength(1);
  expect(out).toMatch(/^individual "Ann Smith" +Allow/m);
});

it('is asked of a new record in its owner', async () => {
  await pm('can bob create project in department Sales').fails(5);
  await pm('permissions set bob allow create department Sales --child-type project').prints();
  await pm('can bob create project in department Sales').prints('yes');
  await pm('can bob create department in department Sales').fails(5);
});

it.each([
  'allow update on department Sales to bob',
  'allow update on department "Sales" to "bob"',
  'bob allow update department Sales',
])('imagines a right and gives none: %s', async (grant) => {
  const before = pm.dump();
  const imagined = ['can', 'bob', 'update', 'department', 'Sales', '--if', grant];
  await pm(imagined).prints(/^yes\nNow: no\n/, `With "${grant}": yes`);
  await pm([...imagined, '--why']).prints('No permission decides.', / decides +\S{36}$/m);
  expect(pm.dump()).toEqual(before);
  await pm('can bob update department Sales').fails(5);
});

it('runs as the refusal prints it', async () => {
  const refused = await pm('departments update Sales --focus Mine --as bob').fails(5, 'may not change the department');
  const line = /pm (can bob update department \S+ --why)/.exec(refused.err)?.[1] ?? '';
  expect((await pm(line).fails(5)).out).toMatch(/^no\n/);
  expect((await pm(`${line} --as bob`).fails(5)).out).toMatch(/^no\n/);
});

it('shows what an undelete needs', async () => {
  const id = await pm('departments get Labs -o id').id();
  await pm('departments delete Labs --yes').prints();
  const { err } = await pm(`departments undelete ${id} --as bob`).fails(5, 'bob may not delete or undelete', 'Labs');
  const line = /pm (can bob delete department \S+ --why)/.exec(err)?.[1] ?? '';
  await pm(line).fails(5);
  await pm('permissions set bob allow delete department Local').prints();
  await pm(line).prints(/^yes\n/);
  await pm(`departments undelete ${id} --as bob`).prints('Labs');
});

it('tells of others to administrators alone', () =>
  pm('can ann read department Sales --as bob').fails(5, 'asking what somebody else may do'));

it.each<[string | readonly string[], ...string[]]>([
  ['can bob fly department Sales', 'is not an action', 'create, read, update, delete, delegate'],
  ['can bob update departmnt Sales', 'there is no resource', 'Did you mean department?'],
  ['can bob update Sales', 'there is no resource "Sales"', 'department Sales'],
  ['can bob create project', 'in which owner?'],
  ['can bob update department', 'of which one?'],
  [['can', 'bob', 'update', 'department', 'Sales', '--if', 'nonsense'], 'is not a right in words'],
])('refuses %s', async (line, ...wanted) => {
  await pm.refuses(line, 2, ...wanted);
});

it('knows a group by its members', async () => {
  await pm('security-groups add-member Leaders bob ann').prints();
  expect((await pm('security-groups members Leaders -o json').rows()).map((row) => row.UserName)).toEqual([
    'ann',
    'bob',
  ]);
  await pm('permissions set Leaders allow update department Sales').prints();
  await pm('can bob update department Sales').prints('yes');
  await pm('security-groups delete-member Leaders bob').prints();
  await pm('can bob update department Sales').fails(5);
});
