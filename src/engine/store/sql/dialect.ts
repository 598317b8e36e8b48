// The SQL that differs between the stores. All other SQL stands once.
import type { Bound } from './steps.ts';

/** A flag is 0 or 1. */
export type SqlType = 'TEXT' | 'INTEGER' | 'REAL' | 'FLAG';

/** A column as SQL, with its type. */
export interface Typed {
  readonly name: string;
  readonly type: SqlType;
  /** The stored value as SQL, where it is another than the bound one. */
  readonly stored?: (bound: string) => string;
}

/** Words of one store's SQL. A `?` in them is bound by who asks. */
export interface Dialect {
  /** The join that keeps the tables in the order in which they are written: from few rows to those that they own, by an index. */
  readonly join: string;
  /** A list of texts as a table with the column `value`; JSON is bound. */
  readonly texts: string;
  /** A list of lists as a table with the column `value`; JSON is bound. */
  readonly lists: string;
  /** Do processes of one machine alone reach the tables? */
  readonly isLocal: boolean;
  /** A value of a statement as a text that is compared as the columns are: code unit by code unit. */
  text(value: string): string;
  /** A text as the whole number that it is; null where it is none. */
  integer(text: string): string;
  /** A text that holds JSON, for the operators `->` and `->>`. */
  json(column: string): string;
  /** Is the column one of a list? JSON is bound. */
  isAny(column: Typed): string;
  /** The first of two that is not null, in the form that indexes are made of. */
  ifNull(value: string, other: string): string;
  /** It stands for no number in such an index. */
  readonly noNumber: string;
  /** A term of an order in which null is the least, for queries and indexes. */
  ordered(column: string, down: boolean): string;
  /** The same column, for which no index is used. */
  unindexed(column: string): string;
  /** Ends a query of one table's rows that no other transaction changes before this one ends. */
  forChange(table: string): string;
  /** Does one of the texts hold a folded one, which is bound? */
  holds(columns: readonly string[]): string;
  /** Does `holds` answer it for every text? Else it answers too many rows, and they are read to know. */
  readonly holdsExactly: boolean;
  readonly types: Readonly<Record<SqlType, string>>;
  createTable(statement: string): string;
  /** The last number that a table has given a row by this column, and the statements that set it. */
  lastNumber(table: string, column: string): string;
  setLastNumber(table: string, column: string, last: number): readonly string[];
  /** Statements for `each`: they are asked with a list of values for each row, in the order of the columns. */
  insertEach(table: string, columns: readonly Typed[]): string;
  updateEach(table: string, columns: readonly Typed[], keys: readonly Typed[]): string;
  deleteEach(table: string, keys: readonly Typed[]): string;
  /** Statements on different tables that answer the same columns, as few as can be. */
  together(parts: readonly Part[]): readonly Part[];
}

/** A statement of several. */
export interface Part extends Asked {
  /** It changes rows and answers none. */
  readonly isSilent?: boolean;
}

/** A statement with its parameters. */
export interface Asked {
  readonly sql: string;
  readonly params: readonly Bound[];
}
