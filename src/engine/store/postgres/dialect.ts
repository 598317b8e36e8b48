// The words of PostgreSQL's SQL, and of what speaks it.
import { countSql } from '../sql/counter.ts';
import type { Dialect, SqlType, Typed } from '../sql/dialect.ts';

const TYPES: Readonly<Record<SqlType, string>> = {
  TEXT: 'TEXT',
  INTEGER: 'BIGINT',
  REAL: 'DOUBLE PRECISION',
  FLAG: 'SMALLINT',
};
const TEXTS = 'jsonb_array_elements_text(?::jsonb) AS each(value)';

const integer = (text: string): string => `substring((${text})::text FROM '^-?[0-9]{1,18}$')::bigint`;

/** The hyphen and line ends become blanks, apostrophes nothing. */
const BLANKS = String.raw`E'-\t\n\x0b\f\r\x27\x60', '      '`;

/** Texts in ASCII are folded as text/folded.ts does it; every other text is answered, since only that knows its letters. */
const mayHold = (columns: readonly string[]): string => `EXISTS (
  SELECT FROM (SELECT concat_ws(chr(1), ${columns.join(', ')}) COLLATE "C" AS t) AS texts
  WHERE octet_length(t) <> char_length(t) OR strpos(translate(lower(t), ${BLANKS}), ?) > 0)`;

export const POSTGRES: Dialect = {
  join: 'JOIN',
  texts: TEXTS,
  lists: 'jsonb_array_elements(?::jsonb) AS each(value)',
  numbersRows: false,
  isLocal: false,
  text: (value) => `(${value})::text COLLATE "C"`,
  integer,
  json: (column) => `${column}::jsonb`,
  // An array is looked up in an index, also where several of them stand in one condition.
  isAny: ({ name, type }) =>
    `${name} = ANY (ARRAY(SELECT ${type === 'INTEGER' ? integer('value') : 'value'} FROM ${TEXTS}))`,
  ifNull: (value, other) => `coalesce(${value}, ${other})`,
  noNumber: '-1',
  ordered: (column, down) => `${column} ${down ? 'DESC NULLS LAST' : 'NULLS FIRST'}`,
  unindexed: (column) => column,
  forChange: (table) => ` FOR UPDATE OF ${table}`,
  holds: mayHold,
  holdsExactly: false,
  types: { ...TYPES, TEXT: 'TEXT COLLATE "C"' },
  createTable,
  insertEach: (table, columns) => {
    const names = columns.map(({ name }) => name).join(', ');
    return `INSERT INTO ${table} (${names}) SELECT * FROM ${unnested(columns)}`;
  },
  insertNumbered: (table, number, columns) => {
    const names = columns.map(({ name }) => name).join(', ');
    return `WITH v AS (SELECT * FROM ${unnested(columns)} WITH ORDINALITY AS v(${names}, n)),
  size AS (SELECT min(SiteID) AS site, count(*) AS rows FROM v),
  taken AS (${countSql(`SELECT site, '${table}', rows FROM size`)})
INSERT INTO ${table} (${number}, ${names}) SELECT taken.Last - rows + n, ${names} FROM v, size, taken`;
  },
  updateEach: (table, columns, keys) => {
    const changes = columns.map(({ name }, i) => `${name} = v.c${i}`).join(', ');
    return `UPDATE ${table} AS t SET ${changes} FROM ${rowsOf([...columns, ...keys])} WHERE ${keysOf(keys, columns.length)}`;
  },
  deleteEach: (table, keys) => `DELETE FROM ${table} AS t USING ${rowsOf(keys)} WHERE ${keysOf(keys, 0)}`,
  together(parts) {
    const answering = parts.filter(({ isSilent }) => !isSilent);
    const all = [...answering, ...parts.filter(({ isSilent }) => isSilent)];
    const last = all.at(-1);
    if (!last || all.length === 1) return parts;
    const isSilent = answering.length === 0;
    const within = (isSilent ? all.slice(0, -1) : all).map(({ sql }, i) => `w${i} AS (${sql})`).join(', ');
    const rows = answering.map((_, i) => `SELECT * FROM w${i}`).join(' UNION ALL ');
    return [
      { sql: `WITH ${within} ${isSilent ? last.sql : rows}`, params: all.flatMap(({ params }) => params), isSilent },
    ];
  },
};

const AUTOMATIC = ' PRIMARY KEY AUTOINCREMENT';

/** An array for each column: the values of all rows. */
const unnested = (columns: readonly Typed[]): string =>
  `unnest(${columns.map(({ type }) => `?::${TYPES[type]}[]`).join(', ')})`;

const rowsOf = (columns: readonly Typed[]): string =>
  `${unnested(columns)} AS v(${columns.map((_, i) => `c${i}`).join(', ')})`;

const keysOf = (keys: readonly Typed[], from: number): string =>
  keys.map(({ name }, i) => `t.${name} = v.c${from + i}`).join(' AND ');

/** Numbers are of the site, so that no sequence of the whole database is shared by all writers. */
function createTable(statement: string): string {
  const isNumbered = statement.includes(AUTOMATIC);
  return statement
    .replace(/\n\) STRICT(?:, WITHOUT ROWID)?$/, isNumbered ? ',\n  PRIMARY KEY (SiteID, Sequence)\n)' : '\n)')
    .replace(AUTOMATIC, ' NOT NULL')
    .replace(/ TEXT\b(?! COLLATE)/g, ` ${POSTGRES.types.TEXT}`)
    .replace(/ INTEGER\b/g, ` ${POSTGRES.types.INTEGER}`);
}
