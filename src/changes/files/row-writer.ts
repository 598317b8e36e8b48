// Writes rows in the dialect of an input file, in UTF-8, which holds every character; the output can be read as input again.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Options } from 'csv-stringify/sync';
import type { Cell, Dialect, Newline } from './input.ts';
import { guard } from './table.ts';

interface FileWriter {
  /** One cell for each column; a member whose cell is undefined is left out of JSON, NDJSON and YAML, and blank in tables. */
  write(cells: readonly (Cell | undefined)[]): Promise<void>;
  /** Writes what is left; the stream stays open. */
  end(): Promise<void>;
}

export interface WriteOptions {
  /** For spreadsheets: a byte order mark, and no text that could be taken for a formula. Tables only. */
  readonly excel?: boolean;
}

/** The dialect in which a file of that dialect is written: Excel files as the CSV that Excel reads, which takes UTF-8 by its mark. */
export function writtenDialect(dialect: Dialect, { excel = false }: WriteOptions = {}): Dialect {
  const { form, encoding } = dialect;
  if (form === 'xlsx') return { form: 'csv', encoding: 'utf-8-bom', delimiter: ',', newline: 'CRLF' };
  const isGuarded = excel && (form === 'csv' || form === 'tsv');
  return { ...dialect, encoding: encoding === 'utf-8' && !isGuarded ? encoding : 'utf-8-bom' };
}

/** A writer of rows with these columns. Null is a blank cell in tables; all cells that need quotes have them. */
export async function fileWriter(
  stream: Writable,
  dialect: Dialect,
  columns: readonly string[],
  options: WriteOptions = {},
): Promise<FileWriter> {
  const written = writtenDialect(dialect, options);
  const add = textWriter(stream, written.encoding === 'utf-8-bom' ? '\uFEFF' : '');
  if (written.form === 'csv' || written.form === 'tsv') return tableWriter(add, written, columns, options);
  return memberWriter(add, await MEMBERS[written.form === 'xlsx' ? 'json' : written.form](), columns);
}

const AT_ONCE = 500;

/** Gathers rows, so that a million of them are not a million writes. */
function inBatches<T>(flush: (rows: readonly T[]) => Promise<void>) {
  let rows: T[] = [];
  const empty = async (): Promise<void> => {
    const batch = rows;
    rows = [];
    if (batch.length > 0) await flush(batch);
  };
  return {
    async add(row: T): Promise<void> {
      rows.push(row);
      if (rows.length >= AT_ONCE) await empty();
    },
    empty,
  };
}

const NEWLINES: Readonly<Record<Newline, string>> = { LF: '\n', CRLF: '\r\n', CR: '\r' };

async function tableWriter(
  add: AddText,
  dialect: Dialect,
  columns: readonly string[],
  { excel = false }: WriteOptions,
): Promise<FileWriter> {
  const { stringify } = await import('csv-stringify/sync');
  const delimiter = dialect.delimiter ?? (dialect.form === 'tsv' ? '\t' : ',');
  const newline = NEWLINES[dialect.newline ?? 'LF'];
  const plain = (cell: Cell | undefined): string =>
    excel && typeof cell === 'string' ? guard(cell) : String(cell ?? '');
  const style: Options = {
    delimiter,
    record_delimiter: newline,
    // Also line ends of other kinds, and a text that would be taken for a `sep=` line or a mark.
    quoted_match: /[\r\n]|^sep=|^\uFEFF/i,
    // A line without any character would be no record.
    quoted_empty: columns.length === 1,
  };
  const batch = inBatches<readonly (Cell | undefined)[]>((rows) => {
    const texts = rows.map((cells) => columns.map((_, at) => plain(cells[at])));
    return add(stringify(texts, style));
  });
  await add((dialect.sep ? `sep=${delimiter}${newline}` : '') + stringify([columns.map(plain)], style));
  return { write: batch.add, end: batch.empty };
}

type Members = Readonly<Record<string, Cell>>;

interface Spelling {
  readonly opening: string;
  readonly between: string;
  readonly closing: string;
  /** For a file without a record. */
  readonly empty: string;
  one(row: Members): string;
}

const MEMBERS = {
  json: async (): Promise<Spelling> => ({
    opening: '[\n',
    between: ',\n',
    closing: '\n]\n',
    empty: '[]\n',
    one: (row) => JSON.stringify(row),
  }),
  ndjson: async (): Promise<Spelling> => ({
    opening: '',
    between: '\n',
    closing: '\n',
    empty: '',
    one: (row) => JSON.stringify(row),
  }),
  yaml: async (): Promise<Spelling> => {
    const { stringify } = await import('yaml');
    return { opening: '', between: '', closing: '', empty: '[]\n', one: (row) => stringify([row], { lineWidth: 0 }) };
  },
};

function memberWriter(add: AddText, spelling: Spelling, columns: readonly string[]): FileWriter {
  let isFirst = true;
  const batch = inBatches<Members>(async (rows) => {
    const lead = isFirst ? spelling.opening : spelling.between;
    isFirst = false;
    await add(lead + rows.map(spelling.one).join(spelling.between));
  });
  return {
    write: (cells) => batch.add(membersOf(columns, cells)),
    async end() {
      await batch.empty();
      await add(isFirst ? spelling.empty : spelling.closing);
    },
  };
}

function membersOf(columns: readonly string[], cells: readonly (Cell | undefined)[]): Members {
  const given = columns.flatMap((name, at) => {
    const cell = cells[at];
    return cell === undefined ? [] : [[name, cell] as const];
  });
  return Object.fromEntries(given);
}

type AddText = (text: string) => Promise<void>;

/** Writes texts, the first one behind a mark. */
function textWriter(stream: Writable, mark: string): AddText {
  let before = mark;
  return (text) => {
    const bytes = Buffer.from(before + text);
    before = '';
    return send(stream, bytes);
  };
}

/** Resolves when the stream has room for more. Throws the error of a stream that has failed: it says nothing more. */
export async function send(stream: Writable, bytes: Buffer): Promise<void> {
  if (stream.errored) throw stream.errored;
  if (!stream.write(bytes)) await once(stream, 'drain');
}
