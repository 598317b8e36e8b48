// The tables that a clone copies: all that every store has, read off the SQL that makes them. What a store has for itself
// stays behind: its versions, its markers of commits, its locks.
import type { Resource } from '../../../contract/resource.ts';
import { statementsOf } from '../schema/ddl.ts';
import { type Computed, schemaOf } from '../schema/tables.ts';
import type { SqlType, Typed } from '../sql/dialect.ts';
import { SQLITE } from '../sqlite/dialect.ts';

export interface CopiedTable {
  readonly name: string;
  /** As the statement that makes the table writes them. */
  readonly columns: readonly Typed[];
  /** The columns that tell its rows apart, in the order in which the rows are copied. */
  readonly key: readonly string[];
  /** Its rows are numbered: by the whole file, or by the counter of a site. */
  readonly numbered?: true;
  /** The rows that are copied, where not all are. */
  readonly where?: string;
}

/**
 * The tables whose rows are numbered, and the order in which they are read. Where sites have the same number a file gives new ones
 * in that order: jobs of all sites are listed together.
 */
export const NUMBERED: Readonly<Record<string, readonly string[]>> = {
  history: ['SiteID', 'Sequence'],
  job: ['Sequence', 'SiteID'],
};

/** The counters of those tables are set at the end, see numbers.ts. */
const OTHER_COUNTERS = `Resource NOT IN (${Object.keys(NUMBERED)
  .map((name) => `'${name}'`)
  .join(', ')})`;

/** Throws where a table is numbered and nothing says by whom. */
export function copiedTables(resources: readonly Resource[], computed: Computed): readonly CopiedTable[] {
  return statementsOf(schemaOf(resources, computed, SQLITE), [])
    .filter((statement) => statement.startsWith('CREATE TABLE'))
    .map(tableIn);
}

const NAME = /^CREATE TABLE "?([^" ]+)/;
const COLUMN = /^ {2}("?[\w$]+"?) (TEXT|INTEGER|REAL)\b/gm;
const KEY = /^ {2}PRIMARY KEY \((.+)\)/m;
const AUTOMATIC = ' PRIMARY KEY AUTOINCREMENT';

function tableIn(statement: string): CopiedTable {
  const name = NAME.exec(statement)?.[1] ?? '';
  const columns = [...statement.matchAll(COLUMN)].map(([, column = '', type]) => ({
    name: column,
    type: type as SqlType,
  }));
  const numbered = statement.includes(AUTOMATIC);
  if (numbered !== Object.hasOwn(NUMBERED, name)) throw new Error(`what numbers the rows of ${name} is not known`);
  return {
    name,
    columns,
    key: NUMBERED[name] ?? KEY.exec(statement)?.[1]?.split(', ') ?? [],
    ...(numbered ? { numbered } : {}),
    ...(name === 'counter' ? { where: OTHER_COUNTERS } : {}),
  };
}
