// pm apply on a remote service, whether it keeps the IDs of new records or gives them its own.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../src/contract/call.ts';
import { ignoringIDs } from '../support/ignoring-ids.ts';
import { type Member, pmIn, usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { FILES, filesIn, ID, PERSON, person, siteFolder, UNDOABLE } from '../support/site-folder.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (one) => {
  await company(one);
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
  await one('sites create Elsewhere --admin taken.there').prints();
});
const remote = (line: string) => pm(`${line} -p prod`, { env: { PM_PASSWORD: PASSWORD } });

const folder = (files: Readonly<Record<string, readonly string[]>>): string => siteFolder(join(pm.home, 'site'), files);
const exported = (names: string): Promise<string> => pm(`export ${names} -p local`).prints();
/** All that an undo can take back. */
async function held(): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const name of UNDOABLE) texts.push(await exported(name));
  return texts;
}

/** What the folder has made, as people see it. */
async function seen(): Promise<readonly unknown[]> {
  const rows = (line: string): Promise<readonly Member[]> => pm(`${line} -o json -p local`).rows();
  const [member] = (await rows('department-members list --individual cleo')).filter(({ Primary }) => Primary);
  return [
    (await rows('departments list')).find(({ Name }) => Name === 'Fjord')?.DisplayRank,
    await pm('individuals get dora -o json -p local').row(),
    member?.Leader,
    (await rows('department-members list --department Fjord')).map(({ Name }) => Name).sort(),
    (await rows('accountabilities list --individual dora')).map(({ Name }) => Name),
    (await rows('projects list --department Fjord')).map(({ Name, Phase }) => [Name, Phase]),
    (await rows('permissions list --project Move')).map(({ PrincipalName }) => PrincipalName),
    (await rows('tasks list --project Move')).map(({ Responsible }) => String(Responsible).split(/[ ,]/).length),
  ];
}

describe.each<[string, (backend: Backend) => Backend]>([
  ['that keeps IDs', (backend) => backend],
  ['that gives its own', ignoringIDs],
])('a folder on a service %s', (_name, over) => {
  servedAsProd(pm, { over });

  it('is rehearsed by reading, made as one job, and taken back by one undo', async () => {
    const before = await held();
    const rows = await remote(`apply ${folder(FILES)} -n -o json`).rows();
    expect(new Set(rows.map(({ File }) => File))).toEqual(new Set(Object.keys(FILES)));
    expect(await held()).toEqual(before);
    const { out } = await remote(`apply ${folder(FILES)} --yes -o json`);
    expect(JSON.parse(out)).toMatchObject({ State: 'ended', Done: 11, Unchanged: 0 });
    expect(await seen()).toMatchObject([
      '1.4.1',
      { PrimaryOrganizationName: 'North' },
      true,
      ['cleo Best', 'dora Best'],
      ['Travel'],
      [['Move', 'Pilot']],
      ['cleo Best'],
      [2],
    ]);
    await remote('undo --yes').prints();
    expect(await held()).toEqual(before);
  });

  it('is there when it is imported again, and other files name its records as it did', async () => {
    await remote(`apply ${folder(FILES)} --yes`).prints();
    await remote(`apply ${folder(FILES)} --yes`).says('  11 unchanged', 'Nothing to change.');
    const other = siteFolder(join(pm.home, 'other'), {
      'accountabilities.csv': [
        'ID,AncestorID,Name,Rank,Description',
        `${ID(7)},${ID(4)},Journeys,1,Go there`,
        `${ID(0)},${ID(4)},Maps,2,Draw them`,
      ],
    });
    await remote(`import accountabilities ${join(other, 'accountabilities.csv')} --yes`).prints();
    const rows = await pm('accountabilities list --individual dora -o json -p local').rows();
    expect(rows.map(({ Name }) => Name)).toEqual(['Journeys', 'Maps']);
  });

  it('may hold who is at the top, and reports to itself', async () => {
    const before = await held();
    const people = [PERSON, person(ID(3), 'cleo', ID(2), ID(3)), person(ID(4), 'dora', ID(1), ID(3))];
    const files = { 'departments.csv': FILES['departments.csv'], 'individuals.csv': people };
    await remote(`apply ${folder(files)} --yes`).says('Undo: pm undo ');
    const [cleo, dora] = await pm('individuals get cleo dora -o json -p local').rows();
    expect([cleo?.PrimaryReportsTo, dora?.PrimaryReportsTo]).toEqual([cleo?.ID, cleo?.ID]);
    await remote('undo --yes').prints();
    expect(await held()).toEqual(before);
  });

  it('is a site that was exported: it is made there, and is the same when it is exported from there', async () => {
    const other = pmIn(() => join(pm.home, 'other'));
    await company(other);
    await other('individuals update ann --last-name Smythe').prints();
    await other('accountabilities create --individual ann --rank 3 --name Lead --description Lead').prints();
    await other('permissions set ann allow read site Local').prints();
    await other('export --dir site').says();
    const site = join(other.home, 'site');
    await remote(`apply ${site} -n`).says('2 creates, 1 update');
    await remote(`apply ${site} --yes`).says('Undo: pm undo ');
    await remote(`apply ${site} --yes`).says('Nothing to change.');
    await remote('export --dir there').says();
    const members = /\n {2}Members:(?:\n {4}- .*)*/g;
    const withoutMembers = (folder: string) =>
      Object.entries(filesIn(folder)).map(([path, text]) => [path, text.replaceAll(members, '')]);
    expect(withoutMembers(join(pm.home, 'there'))).toEqual(withoutMembers(site));
  });

  it('brings back who was deleted, and compares what belongs to them when it is applied again', async () => {
    const bob = [
      'UserName: bob',
      'BasicRoles:',
      ...['- Name: Guide', '  Rank: 1', '  Description: Lead', '  PercentTime: 50'],
      ...['  Indicators:', '    - Name: Calm', '      Rank: 1', '      Description: Stay calm'],
      ...['Tasks:', '- Name: Call'],
      ...['DepartmentMembers:', '- OrganizationID: Local/Labs', '  Title: Guest'],
    ];
    const site = folder({ 'individuals/bob.yaml': bob });
    await remote(`apply ${site} --yes`).says('4 creates');
    const before = await held();
    await pm('individuals delete bob --yes -p local').prints();
    await remote(`apply ${site} -n`).says('1 undelete', 'tasks: 1 row, 1 left for a second apply, since');
    await remote(`apply ${site} --yes`).says('1 undelete', 'Undo: pm undo ');
    expect(await held()).toEqual(before);
    await remote(`apply ${site} --yes`).says('Nothing to change.');
  });

  it('is taken back with --on-error rollback, the files before the row that failed too', async () => {
    const before = await held();
    const people = [PERSON, person(ID(3), 'cleo', ID(2), 'ann'), person(ID(4), 'taken.there', ID(1), ID(3))];
    const files = { 'departments.csv': FILES['departments.csv'], 'individuals.csv': people };
    await remote(`apply ${folder(files)} --yes --on-error rollback --concurrency 1`).fails(
      3,
      'individuals.csv line 3: ',
      'Taken back: 3 of 3 changes',
    );
    expect(await held()).toEqual(before);
  });
});
