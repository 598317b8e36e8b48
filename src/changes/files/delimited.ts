// Reads CSV and TSV: detects the delimiter, and parses records with their line numbers.
import type { CsvError, Options, Parser } from 'csv-parse';
import { type FaultList, ReadingStopped, shownValue } from './bad-file.ts';
import { type Batches, type FileFault, type Line, MOST_IN_RECORD, type Newline } from './input.ts';

interface Spelling {
  readonly delimiter: string;
  readonly quote: string;
  /** How many bytes of a `sep=` line come before the header. */
  readonly skip: number;
}

/**
 * The records of a table in UTF-8, the header first. Lines without any character are no records. A fault of quotes that
 * hides where the next record begins ends the reading with `ReadingStopped`.
 */
export async function* delimitedLines(
  bytes: AsyncIterable<Buffer>,
  spelling: Spelling,
  faults: FaultList,
): Batches<Line> & AsyncGenerator<readonly Line[]> {
  const { parse } = await import('csv-parse');
  const counter = lineCounter(spelling.skip > 0 ? 1 : 0);
  let header: readonly string[] | undefined;
  let batch: Line[] = [];
  const parser: Parser = parse({
    ...optionsFor(spelling),
    on_skip: (error) => {
      if (!error) return;
      if (error.code === 'INVALID_OPENING_QUOTE') return keepRecord(parser);
      faults.add(quoteFault(error, counter.upcoming(parser.info), header));
      throw new ReadingStopped();
    },
  });
  // `on_record` would have each record described, which costs as much as reading it.
  parser.push = (cells: string[] | null) => {
    if (!cells) return false;
    header ??= cells;
    batch.push({ line: counter.next(cells, parser.info), cells });
    return true;
  };
  const broken = failureOf(parser);
  for await (const piece of withoutFirst(bytes, spelling.skip)) {
    await Promise.race([broken, written(parser, piece)]);
    if (batch.length === 0) continue;
    yield batch;
    batch = [];
  }
  await Promise.race([broken, ended(parser)]);
  if (batch.length > 0) yield batch;
}

const optionsFor = ({ delimiter, quote }: Spelling): Options => ({
  delimiter,
  quote,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_error: true,
  max_record_size: MOST_IN_RECORD,
});

/**
 * A quote inside a cell that does not begin with one is text: `5" pipe`. csv-parse takes it for that, too, but then drops the
 * record, unless it also takes every other stray quote for text. The mark by which it does is not among its types.
 */
function keepRecord(parser: Parser): undefined {
  const { state } = parser as Parser & { readonly state: { recordHasError: boolean } };
  state.recordHasError = false;
}

/** Rejects when the parser gives up. */
function failureOf(parser: Parser): Promise<never> {
  const failure = new Promise<never>((_, reject) => parser.once('error', reject));
  // It is looked at again with the next piece, if there is one.
  failure.catch(() => undefined);
  return failure;
}

const written = (parser: Parser, piece: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.write(piece, (error) => (error ? reject(error) : resolve()));
  });

const ended = (parser: Parser): Promise<void> =>
  new Promise((resolve) => {
    parser.once('finish', resolve).end();
  });

async function* withoutFirst(bytes: AsyncIterable<Buffer>, skip: number): AsyncGenerator<Buffer> {
  let left = skip;
  for await (const piece of bytes) {
    const rest = left > 0 ? piece.subarray(left) : piece;
    left = Math.max(0, left - piece.length);
    if (rest.length > 0) yield rest;
  }
}

type Info = Parser['info'];

/** csv-parse counts a line end of two characters inside quotes as two lines, and does not say where a record began. */
function lineCounter(linesBefore: number) {
  let counted = 0;
  let empty = 0;
  let end = linesBefore;
  return {
    /** The line on which this record begins; the next one is counted from its end. */
    next(cells: readonly string[], info: Info): number {
      const passed = info.lines - counted - 1;
      counted = info.lines;
      empty = info.empty_lines;
      if (passed === 0) return ++end;
      let within = 0;
      let signs = 0;
      for (const cell of cells) {
        for (const sign of cell.match(/\r\n|\n|\r/g) ?? []) {
          within++;
          signs += sign.length;
        }
      }
      const line = end + 1 + passed - signs;
      end = line + within;
      return line;
    },
    /** The line on which the record that is being read begins. */
    upcoming: (info: Info): number => end + 1 + info.empty_lines - empty,
  };
}

function quoteFault(error: CsvError, line: number, header: readonly string[] = []): FileFault {
  const index = Number(error.index);
  const at = Number.isNaN(index) ? {} : { column: header[index]?.trim() || `${index + 1}` };
  const shown = typeof error.field === 'string' && error.field !== '' ? { value: shownValue(error.field) } : {};
  return { line, ...at, ...shown, ...(FAULTS[error.code] ?? { message: shownValue(error.message) }) };
}

const DOUBLE = 'Put the whole cell in quotes, and write each quote inside it twice: "5"" pipe".';

const FAULTS: Readonly<Record<string, { message: string; hint: string }>> = {
  CSV_QUOTE_NOT_CLOSED: {
    message: 'opens a quote that is never closed; the file may be cut off',
    hint: 'Close the quote, or export the file again.',
  },
  CSV_INVALID_CLOSING_QUOTE: {
    message: 'goes on behind a closing quote; what follows in the file was not looked at',
    hint: DOUBLE,
  },
  CSV_MAX_RECORD_SIZE: {
    message: 'is a record of more than 8 MiB; what follows in the file was not looked at',
    hint: 'Perhaps a quote is never closed. A cell holds 1 MiB at most.',
  },
};

const DELIMITERS = [',', ';', '\t', '|'] as const;
const SEP = /^sep=(.)(?:\r\n|\n|\r|$)/i;
const LINES = 20;

interface TableDialect {
  readonly delimiter: string;
  readonly newline: Newline;
  readonly quote: '"';
  readonly sep?: true;
}

/** What the beginning of a text shows. A `sep=` line wins over what is counted; `wanted` wins over both. */
export function tableDialect(text: string, wanted?: string): TableDialect {
  const sep = SEP.exec(text)?.[1];
  return {
    delimiter: wanted ?? sep ?? likeliest(text),
    newline: newlineOf(text),
    quote: '"',
    ...(sep !== undefined && { sep: true }),
  };
}

/** How many bytes of UTF-8 the `sep=` line takes. */
export const sepLength = (text: string): number => Buffer.byteLength(SEP.exec(text)?.[0] ?? '');

/** The one that cuts most of the first lines as it cuts the header, and cuts it into most. */
function likeliest(text: string): string {
  const lines = bareLines(text);
  const scored = DELIMITERS.map((delimiter) => {
    const [header = 0, ...counts] = lines.map((line) => line.split(delimiter).length - 1);
    const alike = counts.filter((count) => count === header).length;
    return { delimiter, header, alike: counts.length === 0 ? 1 : alike / counts.length };
  });
  const [best] = scored
    .filter(({ header }) => header > 0)
    .sort((one, other) => other.alike - one.alike || other.header - one.header);
  return best?.delimiter ?? ',';
}

/** The first lines without what stands in quotes; the last one may be cut, and does not count. */
function bareLines(text: string): readonly string[] {
  const bare = text.replace(/"(?:[^"]|"")*(?:"|$)/g, '');
  const lines = bare.split(/\r\n|\n|\r/).filter((line) => line !== '');
  return (lines.length > LINES ? lines : /[\r\n]$/.test(bare) ? lines : withoutCut(lines, text)).slice(0, LINES);
}

const withoutCut = (lines: readonly string[], text: string): readonly string[] =>
  lines.length > 1 && text.length > WHOLE ? lines.slice(0, -1) : lines;

/** A beginning that is shorter is the whole file. */
const WHOLE = 1 << 14;

function newlineOf(text: string): Newline {
  const found = /\r\n|\n|\r/.exec(text.replace(/"(?:[^"]|"")*(?:"|$)/g, ''))?.[0];
  return found === '\r\n' ? 'CRLF' : found === '\r' ? 'CR' : 'LF';
}
