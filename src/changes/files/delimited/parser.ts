// Parses CSV and TSV piece by piece: records with their line numbers.
import type { CsvError, Options, Parser } from 'csv-parse';
import { ReadingStopped, shownValue } from '../bad-file.ts';
import { type FileFault, type Line, MOST_IN_RECORD } from '../input.ts';

export interface Spelling {
  readonly delimiter: string;
  /** How many bytes of a `sep=` line come before the header. */
  readonly skip: number;
}

/** More than any spreadsheet has. csv-parse counts no delimiters: a line of nothing else would be read into memory whole. */
const MOST_CELLS = 1 << 17;

/** In bytes. The lines of a part live together: those of a larger one would outlive a collection of garbage. */
const PART = 1 << 16;

/** The parts of a piece, of which the first may have another size. */
export function* partsOf(piece: Uint8Array, first = PART): Generator<Uint8Array> {
  yield piece.subarray(0, first);
  for (let at = first; at < piece.length; at += PART) yield piece.subarray(at, at + PART);
}

/** Parses one table in UTF-8. */
export interface LineParser {
  /** The records that end in the next piece; without a piece those that the end of the file ends. */
  next(piece?: Uint8Array): Promise<readonly Line[]>;
}

/**
 * A parser of records, the header first. Lines without any character are no records. A fault of quotes that hides where the
 * next record begins is handed to `stopped`, and then `next` throws `ReadingStopped`.
 */
export async function lineParser(spelling: Spelling, stopped: (fault: FileFault) => void): Promise<LineParser> {
  const { parse } = await import('csv-parse');
  const counter = lineCounter(spelling.skip > 0 ? 1 : 0);
  let header: readonly string[] | undefined;
  let lines: Line[] = [];
  const parser: Parser = parse({
    ...optionsFor(spelling),
    on_skip: (error) => {
      if (!error) return;
      if (error.code === 'INVALID_OPENING_QUOTE') return keepRecord(parser);
      stopped(quoteFault(error, counter.upcoming(parser.info), header));
      throw new ReadingStopped();
    },
  });
  // `on_record` would have each record described, which costs as much as reading it.
  parser.push = (cells: string[] | null) => {
    if (!cells) return false;
    header ??= cells;
    lines.push({ line: counter.next(cells, parser.info), cells });
    return true;
  };
  const broken = failureOf(parser);
  return {
    async next(piece) {
      await Promise.race([broken, piece ? written(parser, piece) : ended(parser)]);
      if (stateOf(parser).record.length > MOST_CELLS) {
        stopped({ line: counter.upcoming(parser.info), ...TOO_MANY });
        throw new ReadingStopped();
      }
      const found = lines;
      lines = [];
      return found;
    },
  };
}

const optionsFor = ({ delimiter }: Spelling): Options => ({
  delimiter,
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
  stateOf(parser).recordHasError = false;
}

interface ParserState {
  recordHasError: boolean;
  /** The cells of the record that has not ended. */
  readonly record: readonly unknown[];
}

const stateOf = (parser: Parser): ParserState => (parser as Parser & { readonly state: ParserState }).state;

/** Rejects when the parser gives up. */
function failureOf(parser: Parser): Promise<never> {
  const failure = new Promise<never>((_, reject) => parser.once('error', reject));
  // It is looked at again with the next piece, if there is one.
  failure.catch(() => undefined);
  return failure;
}

const written = (parser: Parser, piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.write(piece, (error) => (error ? reject(error) : resolve()));
  });

const ended = (parser: Parser): Promise<void> =>
  new Promise((resolve) => {
    parser.once('finish', resolve).end();
  });

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

const TOO_MANY = {
  message: 'is a record of more than 131,072 cells; the rest of the file was not checked',
  hint: 'Perhaps this is not a table, or its cells have another delimiter.',
};

const DOUBLE = 'Put the whole cell in quotes, and write each quote inside it twice: "5"" pipe".';

const FAULTS: Readonly<Record<string, { message: string; hint: string }>> = {
  CSV_QUOTE_NOT_CLOSED: {
    message: 'opens a quote that is never closed; the file may be cut off',
    hint: 'Close the quote, or export the file again.',
  },
  CSV_INVALID_CLOSING_QUOTE: {
    message: 'continues after a closing quote; the rest of the file was not checked',
    hint: DOUBLE,
  },
  CSV_MAX_RECORD_SIZE: {
    message: 'is a record of more than 8 MiB; the rest of the file was not checked',
    hint: 'Perhaps a quote is never closed. A cell holds 1 MiB at most.',
  },
};
