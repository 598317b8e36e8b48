// JSON and YAML as other programs write them: lists in an object, objects in a record, directories, mappings by their names.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

/** The command that imports this value, or this text, from a file. */
function importing(value: unknown, flags = '', file = 'people.json', resource = 'individuals'): string {
  writeFileSync(join(pm.home, file), typeof value === 'string' ? value : JSON.stringify(value));
  return `import ${resource} ${file} --yes ${flags}`;
}

const personCalled = (login: string) => pm(`individuals get name:${login} -o json`).row();

const loginOfManager = async (login: string): Promise<unknown> =>
  (await pm(`individuals get ${String((await personCalled(login)).PrimaryReportsTo)} -o json`).row()).UserName;

const titled = (login: string, title: string) => ({ UserName: login, PrimaryTitle: title });

describe('a list in an object', () => {
  it.each([
    [{ value: [titled('ann', 'Planner')], Count: 1 }, 'value'],
    [{ '@odata.context': 'x', Items: [titled('ann', 'Planner')], nextLink: null, hasMore: false }, 'Items'],
    [{ data: { users: [titled('ann', 'Planner')], page: { total: 1, totalPages: 1 } } }, 'data.users'],
  ])('is read, and it is said which it is: %j', async (file, list) => {
    await pm(importing(file)).says('1 update', `read: the list under ${list}`);
    expect(await personCalled('ann')).toMatchObject({ PrimaryTitle: 'Planner' });
  });

  it.each([
    [{ '@odata.nextLink': 'https://a.example/2' }, 'column @odata.nextLink is https://a.example/2'],
    [{ totalResults: 250 }, 'column totalResults is 250'],
    [{ paging: { next: { after: '7' } } }, 'column paging.next.after is 7'],
    [{ pages: 3 }, 'column pages is 3'],
    [{ meta: { hasNextPage: true } }, 'column meta.hasNextPage is true'],
  ])('is refused where it is one page of several: %j', async (around, said) => {
    const refusal = [7, said, 'the file is one page of several, and holds 1 record'] as const;
    await pm.refuses(importing({ ...around, value: [titled('ann', 'Planner')] }), ...refusal);
    await pm.refuses(importing({ value: [titled('ann', 'Planner')], ...around }), ...refusal);
    await pm(importing([titled('ann', 'Planner')])).says('1 update');
  });

  it('is refused beside another list, and beside a field', async () => {
    const file = { value: [titled('ann', 'Planner')], groups: [{ Name: 'x' }], Department: 'Sales' };
    await pm.refuses(
      importing(file),
      7,
      'column groups is beside the list under value',
      'column Department is beside the list under value',
      'Write one list into the file',
    );
  });

  it('is no list of records where a field stands before it', () =>
    pm.refuses(importing({ ...titled('ann', 'Planner'), orders: [{ a: 1 }] }), 7, 'column orders is not a field'));
});

describe('a record', () => {
  it('that pm has shown changes nothing when it is read again', async () => {
    await pm(importing(await personCalled('ann'))).says('1 unchanged');
  });

  it('may be one object, with null for what is to be emptied', async () => {
    await pm('individuals update ann --prefix Dr.').prints();
    await pm(importing({ UserName: 'ann', Prefix: null })).says('1 update');
    expect(await personCalled('ann')).toMatchObject({ Prefix: null });
  });

  it('is refused by the names of all members that are understood by nobody, of which each can be left out', async () => {
    const file = [{ ...titled('ann', 'Planner'), address: { street: 'a', city: 'b' }, manager: { title: 'Chief' } }];
    await pm.refuses(importing(file), 7, 'address.street, address.city, manager.title');
    const flags = ['address.street', 'address.city', 'manager.title'].map((name) => `--map ${name}=`);
    await pm(importing(file, flags.join(' '))).says('1 update');
  });

  it('may lack a member that --map leaves out; but one of them has it', async () => {
    const file = [{ ...titled('ann', 'Planner'), x: 1 }, titled('bob', 'Seller')];
    await pm(importing(file, '--map x=')).says('2 updates');
    await pm.refuses(importing(file, '--map x= --map y='), 7, 'column y is mapped, but the file has no such column');
  });

  it('may have dates in milliseconds', async () => {
    await pm(importing([{ UserName: 'ann', HireDate: { value: '/Date(1709251200000)/' } }])).says('1 update');
    expect(await personCalled('ann')).toMatchObject({ HireDate: '2024-03-01' });
  });
});

/** A directory's list of these people. */
const directory = (...Resources: readonly object[]) => ({ schemas: ['…:ListResponse'], totalResults: 2, Resources });

const extended = (members: object) => ({ 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': members });

const chief = {
  id: '2611',
  userName: 'cy',
  name: { givenName: 'Cy', familyName: 'Roe' },
  title: 'Head',
  emails: [{ value: 'cy@example.org' }],
  active: true,
  ...extended({ department: 'Sales' }),
};

const clerk = {
  id: '9067',
  userName: 'di',
  name: { givenName: 'Di', familyName: 'Roe', formatted: 'Di Roe' },
  title: 'Clerk',
  emails: [{ value: 'di@home.example' }, { value: 'di@example.org', primary: true }],
  active: true,
  ...extended({ department: 'EMEA', manager: { value: '2611', displayName: 'Cy Roe' } }),
};

describe('the list of a directory', () => {
  it('is read with names, addresses, departments and managers', async () => {
    const flags = '--map id= --ref manager.value=id --ignore-unknown --top usual';
    await pm(importing(directory(clerk, chief), flags)).says(
      '2 creates',
      'name.givenName → FirstName',
      'read of several values, the primary or the first: emails (1 cell)',
      'left out, because it is not a field: name.formatted, manager.displayName',
    );
    expect(await personCalled('di')).toMatchObject({
      FirstName: 'Di',
      LastName: 'Roe',
      Email: 'di@example.org',
      PrimaryTitle: 'Clerk',
      PrimaryOrganizationName: 'EMEA',
    });
    expect([await loginOfManager('di'), await loginOfManager('cy')]).toEqual(['cy', 'cy']);
  });

  it('says which of two members names the manager, and what to do about IDs', async () => {
    const file = directory(clerk, chief);
    const { err } = await pm.refuses(importing(file), 7, 'column id is "9067", not a GUID', '--map id= leaves out');
    const choice = "--map 'manager.displayName=PrimaryReportsTo' --map 'manager.value='";
    expect(err).toContain(choice);
    await pm(importing(file, `--map id= ${choice} --map name.formatted= --top usual`)).says('2 creates');
    expect(await loginOfManager('di')).toBe('cy');
  });

  it('leaves out who is not active, and counts them', async () => {
    const flags = '--map id= --ref manager.value=id --ignore-unknown --top usual';
    await pm(importing(directory(chief, { ...clerk, active: false }), flags)).says('1 create', '1 skipped');
    await pm.refuses('individuals get name:di', 6);
    await pm(importing(directory(chief, { ...clerk, active: false }), `${flags} --map active=`)).says('1 create');
  });

  it('keeps what is no list of values out of a field', () =>
    pm.refuses(
      importing([{ ...titled('ann', 'Planner'), emails: ['a@b.example', 'c@d.example'] }]),
      7,
      'column emails',
    ));
});

describe('YAML', () => {
  const yaml = (lines: readonly string[], resource: string, flags = '') =>
    importing(`${lines.join('\n')}\n`, flags, 'file.yaml', resource);

  it('may be mappings by their names, also under a name', async () => {
    const departments = ['Night Shift:', '  parent: Sales', '  rank: 3', 'Day Shift:', '  parent: Sales', '  rank: 4'];
    await pm(yaml(departments, 'departments')).says('2 creates');
    await pm(yaml(['departments:', ...departments.map((line) => `  ${line}`)], 'departments')).says(
      '2 unchanged',
      'read: the list under departments',
    );
    await pm(
      yaml(['teams:', '  leads:', '    description: Leads', '  docks:', '    description: Docks'], 'security-groups'),
    ).says('2 creates', 'Name → Group');
  });

  it('may have a list under a name, and one record', async () => {
    await pm(yaml(['count: 1', 'people:', '  - UserName: ann', '    UserDefined1: 00042'], 'individuals')).says(
      '1 update',
    );
    await pm(yaml(['UserName: bob', 'fields:', '  UserDefined1: 00042'], 'individuals')).says('1 update');
    for (const login of ['ann', 'bob']) expect(await personCalled(login)).toMatchObject({ UserDefined1: '00042' });
  });

  it('is refused where a list is one page of several, or a name stands for two', async () => {
    await pm.refuses(yaml(['total: 7', 'people:', '  - UserName: ann'], 'individuals'), 7, 'column total is 7');
    await pm.refuses(yaml(['- UserName: ann', '  1: a', '  "1": b'], 'individuals'), 7, 'gives a name twice');
    await pm.refuses(yaml(['A:', '  name: B', '  rank: 1'], 'departments'), 7, 'column key is not a field');
  });
});
