// A folder as pm export --dir writes it, of files whose content a test says.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../src/contract/index.ts';

/** Writes files of lines, each called as the command of its resource; answers the folder. */
export function siteFolder(folder: string, files: Readonly<Record<string, readonly string[]>>): string {
  mkdirSync(folder, { recursive: true });
  const entries = Object.entries(files).map(([name, lines]) => {
    const content = `${lines.join('\n')}\n`;
    writeFileSync(join(folder, name), content);
    const resource = resources.find(({ command }) => `${command}.csv` === name)?.name;
    const sha256 = createHash('sha256').update(content).digest('hex');
    return [name, { resource, rows: lines.length - 1, sha256 }];
  });
  const manifest = { pm: 'export', version: 2, files: Object.fromEntries(entries) };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return folder;
}

export const ID = (number: number): string => `a0000000-0000-4000-8000-00000000000${number}`;
export const PERSON = 'ID,UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryOrganizationID,PrimaryReportsTo';
export const person = (id: string, user: string, place: string, boss: string): string =>
  `${id},${user},${user},Best,${user}@example.org,Clerk,${place},${boss}`;
/** Files that name each other, for the company of the tests of the command line: all rows are new. */
export const FILES = {
  'departments.csv': ['ID,ParentID,Name,Rank', `${ID(1)},Local,North,4`, `${ID(2)},${ID(1)},Fjord,1`],
  'individuals.csv': [PERSON, person(ID(3), 'cleo', ID(2), 'ann'), person(ID(4), 'dora', ID(1), ID(3))],
  'department-members.csv': [
    'ID,IndividualID,OrganizationID,ReportsToID,Title,Primary,Leader',
    `${ID(5)},${ID(3)},${ID(2)},ann,Clerk,true,true`,
    `${ID(6)},${ID(4)},${ID(2)},${ID(3)},Guest,false,false`,
  ],
  'accountabilities.csv': ['ID,AncestorID,Name,Rank,Description', `${ID(7)},${ID(4)},Travel,1,Go there`],
  'project-phases.csv': ['Name,Rank', 'Pilot,9'],
  'projects.csv': ['ID,AncestorID,Name,PhaseID', `${ID(8)},${ID(2)},Move,Pilot`],
  'tasks.csv': ['ID,AncestorID,Name,Responsible', `${ID(9)},${ID(8)},Pack,${ID(3)} ${ID(4)}`],
  'permissions.csv': [
    'RowID,PrincipalID,ChildType,CreateState,ReadState,UpdateState,DeleteState,DelegateState',
    `${ID(8)},cleo,<null>,1,1,1,1,0`,
  ],
};

/** What such a folder makes, and an undo can take back. */
export const UNDOABLE = [
  'departments',
  'individuals',
  'department-members',
  'accountabilities',
  'projects',
  'tasks',
  'permissions',
];
