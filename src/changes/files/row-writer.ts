// Writes rows in the dialect and encoding of an input file; the output can be read as input again.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Options } from 'csv-stringify/sync';
import { encodeWindows1252 } from './encoding.ts';
import type { Cell, Dialect, Newline } from './input.ts';
import { guard } from './table.ts';

interface FileWriter {
  /** One cell for each column; a member whose cell is undefined is left out of JSON, NDJSON and YAML, and blank in tables. */
  write(cells: readonly (Cell | undefined)[]): Promise<void>;
  /** Writes what is left; the stream stays open. Answers what the reader of the file should know. */
  end(): Promise<readonly string[]>;
}

export interface WriteOptions {
  /** For spreadsheets: a byte order mark, and no text that could be taken for a formula. Tables only. */
  readonly excel?: boolean;
}

/** The dialect in which a file of that dialect is written: Excel files as the CSV that Excel reads. */
export function writtenDialect(dialect: Dialect, { excel = false }: WriteOptions = {}): Dialect {
  const { form, encoding } = dialect;
  if (form === 'xlsx') return { form: 'csv', encoding: 'utf-8-bom', delimiter: ',', newline: 'CRLF', quote: '"' };
  if (!excel || (form !== 'csv' && form !== 'tsv') || encoding.startsWith('utf-16')) return dialect;
  return { ...dialect, encoding: 'utf-8-bom' };
}

/** A writer of rows with these columns. Null is a blank cell in tables; all cells that need quotes have them. */
export async function fileWriter(
  stream: Writable,
  dialect: Dialect,
  columns: readonly string[],
  options: WriteOptions = {},
): Promise<FileWriter> {
  const written = writtenDialect(dialect, options);
  const text = textWriter(stream, written.encoding);
  if (written.form === 'csv' || written.form === 'tsv') return tableWriter(text, written, columns, options);
  return memberWriter(text, await MEMBERS[written.form === 'xlsx' ? 'json' : written.form](), columns);
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
  text: TextWriter,
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
    quote: '"',
    record_delimiter: newline,
    // Also line ends of other kinds, and a text that would be taken for a `sep=` line or a mark.
    quoted_match: /[\r\n]|^sep=|^\uFEFF/i,
    // A line without any character would be no record.
    quoted_empty: columns.length === 1,
  };
  const batch = inBatches<readonly (Cell | undefined)[]>((rows) =>
    text.add(
      stringify(
        rows.map((cells) => columns.map((_, at) => plain(cells[at]))),
        style,
      ),
    ),
  );
  await text.add((dialect.sep ? `sep=${delimiter}${newline}` : '') + stringify([columns.map(plain)], style));
  return {
    write: (cells) => batch.add(cells),
    async end() {
      await batch.empty();
      const note = await text.end();
      return note === undefined ? [] : [note];
    },
  };
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

function memberWriter(text: TextWriter, spelling: Spelling, columns: readonly string[]): FileWriter {
  let isFirst = true;
  const batch = inBatches<Members>(async (rows) => {
    const lead = isFirst ? spelling.opening : spelling.between;
    isFirst = false;
    await text.add(lead + rows.map(spelling.one).join(spelling.between));
  });
  return {
    write: (cells) => batch.add(membersOf(columns, cells)),
    async end() {
      await batch.empty();
      await text.add(isFirst ? spelling.empty : spelling.closing);
      const note = await text.end();
      return note === undefined ? [] : [note];
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

interface TextWriter {
  add(text: string): Promise<void>;
  /** Writes what is left; the stream stays open. Answers a note where another encoding had to be taken. */
  end(): Promise<string | undefined>;
}

/**
 * A writer in that encoding. An encoding that may lack a character buffers up to 16 MiB, and becomes
 * `utf-8-bom` if it does not fit or grows longer.
 */
function textWriter(stream: Writable, encoding: string): TextWriter {
  const encode = ENCODERS[encoding];
  if (!encode) return hopeful(stream, encoding);
  let isFirst = true;
  return {
    async add(text) {
      const mark = isFirst && MARKED.has(encoding) ? '\uFEFF' : '';
      isFirst = false;
      await send(stream, encode(mark + text));
    },
    end: async () => undefined,
  };
}

const ENCODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8-bom': (text) => Buffer.from(text),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
};
const MARKED = new Set(['utf-8-bom', 'utf-16le', 'utf-16be']);
const MOST_WAITING = 16 << 20;

/** Resolves when the stream has room for more. */
export async function send(stream: Writable, bytes: Buffer): Promise<void> {
  if (!stream.write(bytes)) await once(stream, 'drain');
}

function hopeful(stream: Writable, encoding: string): TextWriter {
  let waiting: string[] = [];
  let length = 0;
  let instead: TextWriter | undefined;
  const giveUp = async (): Promise<TextWriter> => {
    const writer = textWriter(stream, 'utf-8-bom');
    for (const text of waiting) await writer.add(text);
    waiting = [];
    return writer;
  };
  return {
    async add(text) {
      if (instead) return instead.add(text);
      waiting.push(text);
      length += text.length;
      if (length > MOST_WAITING) instead = await giveUp();
    },
    async end() {
      const bytes = instead || encoding !== 'windows-1252' ? undefined : encodeWindows1252(waiting.join(''));
      if (bytes) await send(stream, bytes);
      else instead ??= await giveUp();
      return bytes
        ? undefined
        : `The file is written in UTF-8 with a byte order mark, not in ${encoding}, so that no character is lost.`;
    },
  };
}
