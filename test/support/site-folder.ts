// Folders of site files, whose content a test says, and what stands in one.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files of lines, each at its path in the folder; answers the folder. */
export function siteFolder(folder: string, files: Readonly<Record<string, readonly string[]>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
  }
  return folder;
}

/** The texts of all files of a folder, and of those in it, by their paths. */
export const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );

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
