// Which records a file or a sheet holds, by its name: people.csv holds individuals.
import type { Resource } from '../../contract/resource.ts';
import { findResource } from '../names.ts';

/** The commands of resources, each with other names that people give their files. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  individuals: ['people', 'person', 'persons', 'user', 'users', 'employee', 'employees', 'staff', 'worker', 'workers'],
  departments: [
    ...['org', 'orgs', 'organisation', 'organisations', 'orgunit', 'orgunits', 'unit', 'units'],
    ...['division', 'divisions', 'team', 'teams'],
  ],
  'department-members': ['membership', 'memberships', 'assignment', 'assignments'],
  accountabilities: ['responsibility', 'responsibilities', 'duty', 'duties'],
  commitments: ['goal', 'goals', 'objective', 'objectives'],
  metrics: ['kpi', 'kpis', 'measure', 'measures'],
  permissions: ['right', 'rights'],
  'security-groups': ['group', 'groups'],
};

const COMMANDS: ReadonlyMap<string, string> = new Map(
  Object.entries(SYNONYMS).flatMap(([command, words]) => words.map((word) => [word, command] as const)),
);

/** The resource whose records a file or sheet of this name holds; undefined where the name says none. */
export function resourceOfName(name: string): Resource | undefined {
  const word = plain(name);
  return findResource((known) => plain(known) === (COMMANDS.get(word) ?? word));
}

/** In lower case, without signs, and without the number in front that orders the files: `01 Departments`. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^\d+/, '');
