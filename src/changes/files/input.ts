// The types of an open input file: dialect, columns and rows.
import type { Readable } from 'node:stream';
import type { Advice } from '../../contract/errors.ts';

export type Form = 'csv' | 'tsv' | 'json' | 'ndjson' | 'yaml' | 'xlsx';
export type Newline = 'LF' | 'CRLF' | 'CR';

/** How a file is spelled. A file is written again in the dialect in which it was read. */
export interface Dialect {
  readonly form: Form;
  /** `utf-8`, `utf-8-bom`, `utf-16le`, `utf-16be`, `windows-1252`, or another name that the WHATWG standard knows. */
  readonly encoding: string;
  readonly delimiter?: string;
  readonly newline?: Newline;
  readonly sheet?: string;
  /** The first line is `sep=;` and names the delimiter. */
  readonly sep?: true;
  /** A workbook that counts its days from 1904. */
  readonly is1904?: true;
}

/**
 * One cell as the file has it, before any field is known. CSV and TSV hold text. The other forms also hold numbers,
 * booleans and null; dates are ISO text; arrays and objects are compact JSON text, and the row says which they are. A number
 * that would not come back as it is written (`00012`, `1.50`, twenty digits) is text.
 */
export type Cell = string | number | boolean | null | FormattedCell;

/** A number or a date of a spreadsheet, and how its cell shows it: 42 as `00042`. A field of text takes the shown form. */
export interface FormattedCell {
  readonly value: string | number;
  readonly shown: string;
  toString(): string;
}

export interface FileRow {
  /** The line on which the record begins, from 1; in a spreadsheet the number of its row. */
  readonly line: number;
  /** What the cells are called, one for one. The rows of a table share one array, which is its `columns`. */
  readonly names: readonly string[];
  readonly cells: readonly Cell[];
  /** The names of the cells that are an array or an object; left out where there are none. */
  readonly nested?: readonly string[];
  /** Of cells that are filled from others. */
  readonly faults?: readonly FileFault[];
}

export interface FileFault extends Advice {
  readonly line: number;
  /** In a folder of many files: the file and its line, `individuals/ann.yaml:12`. */
  readonly place?: string;
  readonly column?: string;
  /** At most 80 characters. */
  readonly value?: string;
  readonly message: string;
  /** The part that all such faults of a column have in common, whatever their values. */
  readonly cause?: string;
}

/** How a file is opened. The form, the encoding and the like win over its name and its content. */
export interface OpenOptions extends Partial<Pick<Dialect, 'form' | 'encoding' | 'delimiter' | 'sheet'>> {
  /** The line of a table that names its columns, from 1; by default the first that holds anything. */
  readonly headerRow?: number;
  /** The last line of a table, from 1; by default the last that holds anything. */
  readonly lastRow?: number;
  /** Rows may lack cells at their end, which are blank. */
  readonly shortRows?: boolean;
  /** What `-` reads. */
  readonly stdin?: Readable;
  /** The file was written with its texts guarded from spreadsheets. */
  readonly excel?: boolean;
  /** Cells in columns without a name are left out, and are no faults. */
  readonly ignoreUnknown?: boolean;
  /** Is this a field of the records: `title`, `name.givenName`? By it a record is known from an object around a list of them. */
  readonly isField?: (member: string) => boolean;
}

export interface InputFile {
  readonly dialect: Dialect;
  /** Undefined if each row names its own members: JSON, NDJSON and YAML. */
  readonly columns: readonly string[] | undefined;
  readonly headerLine?: number | undefined;
  /** The other sheets of a workbook that hold anything; none where a sheet was asked for. */
  readonly others: readonly string[];
  /** The rows of a sheet that a filter or a hand has hidden. */
  readonly hidden: readonly number[];
  /** Of a folder of many files: where the row of this line stands. */
  shownPlace?(line: number): string;
  /** How it was read, in words; whole after the last row. */
  remarks(): readonly string[];
  /** The dialect in words: `utf-8-bom, ';', CRLF`. */
  describe(): string;
  /**
   * The rows; each call reads them again. Rows with a fault are left out; after the last row, `BadFile` is thrown with all
   * faults.
   */
  rows(): AsyncIterable<FileRow>;
  /** SHA-256 of the bytes, in hexadecimal digits. */
  hash(): Promise<string>;
  /** Closes the file, or the copy of stdin. */
  close(): Promise<void>;
}

export const lineOf = ({ shownPlace }: Pick<InputFile, 'shownPlace'>, line: number): string =>
  shownPlace?.(line) ?? `line ${line}`;

/** Rows come in batches: an `await` for each of a million would cost more than reading it. */
export type Batches<T> = AsyncIterable<readonly T[]>;
/** A record of a table, the header among them. */
export interface Line {
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** The longest cell, in UTF-16 units. */
export const MOST_IN_CELL = 1 << 20;
/** The longest record, in bytes of UTF-8: a quote that is never closed would read the whole file into memory. */
export const MOST_IN_RECORD = 8 << 20;
/** The largest file, in bytes, of a form that cannot be read in pieces. */
export const MOST_IN_MEMORY = 256 << 20;
