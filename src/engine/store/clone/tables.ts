// The tables that a clone copies: all that every store has, read off the SQL that makes them. A store's own tables
// stay behind: its versions, its markers of commits, its locks.
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
  /** The column by which the table numbers its rows. */
  readonly numbered?: string;
}

export function copiedTables(resources: readonly Resource[], computed: Computed): readonly CopiedTable[] {
  return statementsOf(schemaOf(resources, computed, SQLITE), [])
    .filter((statement) => statement.startsWith('CREATE TABLE'))
    .map(tableIn);
}

const NAME = /^CREATE TABLE "?([^" ]+)/;
const COLUMN = /^ {2}("?[\w$]+"?) (TEXT|INTEGER|REAL)\b/gm;
const KEY = /^ {2}PRIMARY KEY \((.+)\)/m;
const NUMBERED = /^ {2}(\w+) INTEGER PRIMARY KEY AUTOINCREMENT/m;

function tableIn(statement: string): CopiedTable {
  const numbered = NUMBERED.exec(statement)?.[1];
  const columns = [...statement.matchAll(COLUMN)].map(([, column = '', type]) => ({
    name: column,
    type: type as SqlType,
  }));
  return {
    name: NAME.exec(statement)?.[1] ?? '',
    columns,
    key: numbered === undefined ? (KEY.exec(statement)?.[1]?.split(', ') ?? []) : [numbered],
    ...(numbered === undefined ? {} : { numbered }),
  };
}
