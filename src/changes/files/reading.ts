// How each form is read: the dialect, the columns, and batches of rows.
import { ServiceError } from '../../contract/errors.ts';
import { type FaultList, faultList, ReadingStopped } from './bad-file.ts';
import { sepLength, tableDialect } from './delimited/dialect.ts';
import { linesHere, tableLines } from './delimited/lines.ts';
import { textOf, utf8Of } from './encoding.ts';
import type { Batches, Dialect, FileRow, Form, InputFile, Line, OpenOptions } from './input.ts';
import { jsonListRows, ndjsonRows } from './json.ts';
import type { Source } from './source.ts';
import { readHeader, tableRows, unguard } from './table.ts';
import { openWorkbook } from './xlsx.ts';
import { yamlRows } from './yaml.ts';

export interface Findings {
  readonly form: Form;
  readonly encoding: string;
  /** In bytes. */
  readonly size: number;
  /** How the file begins. */
  readonly text: string;
  readonly options: OpenOptions;
}

export interface Reading
  extends Pick<InputFile, 'dialect' | 'columns' | 'headerLine'>,
    Partial<Pick<InputFile, 'others' | 'hidden' | 'close'>> {
  /** The header is good; else there are faults to report before any row is read. */
  readonly isSound: boolean;
  batches(faults: FaultList): Batches<FileRow>;
}

/** How to read a file of that form. Throws `usage` for a header row of a form without one. What stops the opening of a workbook is thrown as `BadFile`, with `faults`. */
export function readingOf(source: Source, findings: Findings, faults: FaultList): Promise<Reading> {
  const { form } = findings;
  if (form === 'csv' || form === 'tsv') return delimitedReading(source, findings);
  const { headerRow } = findings.options;
  if (form === 'xlsx') return workbookReading(source, findings.options, faults);
  if (headerRow !== undefined)
    throw new ServiceError('usage', `only a table has a header row, and ${form.toUpperCase()} is none`);
  return Promise.resolve(memberReading(source, form, findings.encoding));
}

const MEMBER_ROWS = { json: jsonListRows, ndjson: ndjsonRows, yaml: yamlRows };

function memberReading(source: Source, form: 'json' | 'ndjson' | 'yaml', encoding: string): Reading {
  return {
    dialect: { form, encoding },
    columns: undefined,
    isSound: true,
    batches: (faults) => MEMBER_ROWS[form](textOf(source, encoding), faults),
  };
}

async function delimitedReading(source: Source, findings: Findings): Promise<Reading> {
  const { form, encoding, size, text, options } = findings;
  const { headerRow = 1 } = options;
  const header = text.split(/(?<=\r\n|\n|\r(?!\n))/).slice(headerRow - 1);
  const table = tableDialect(header.join(''), options.delimiter ?? (form === 'tsv' ? '\t' : undefined));
  const spelling = { ...table, skip: table.sep ? sepLength(text) : 0 };
  const bytes = () => utf8Of(source, encoding);
  const below = (lines: Batches<Line>): Batches<Line> => {
    const found = fromLine(headerRow, lines);
    return options.excel ? unguarded(found) : found;
  };
  const { read, close } = tableLines(size, spelling);
  try {
    const reading = await tableReading(
      { form, encoding, ...table },
      options,
      (into) => below(read(bytes(), into)),
      (into) => below(linesHere(bytes(), spelling, into)),
    );
    return { ...reading, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function workbookReading(source: Source, options: Findings['options'], faults: FaultList): Promise<Reading> {
  const { sheet: wanted, headerRow = 1 } = options;
  try {
    const { sheet, others, hidden, lines } = await openWorkbook(source, wanted, faults);
    const dialect: Dialect = { form: 'xlsx', encoding: 'utf-8', sheet };
    const table = await tableReading(dialect, options, (into) => lines(headerRow, into));
    return { ...table, hidden: hidden.filter((line) => line > headerRow), others: wanted === undefined ? others : [] };
  } catch (error) {
    if (error instanceof ReadingStopped) faults.throwIfAny();
    throw error;
  }
}

type Lines = (faults: FaultList) => Batches<Line>;

/** `beginning` reads the same lines, of which only the first is wanted. */
async function tableReading(
  dialect: Dialect,
  { ignoreUnknown }: Findings['options'],
  lines: Lines,
  beginning = lines,
): Promise<Reading> {
  const first = await firstLine(beginning);
  // The faults of the header are reported again, together with those of the rows.
  const faults = faultList('');
  const columns = first ? readHeader(first, faults).columns : [];
  const isSound = first !== undefined && faults.total === 0;
  const batches: Reading['batches'] = (into) => tableRows(lines(into), into, ignoreUnknown);
  return { dialect, columns, headerLine: first?.line, isSound, batches };
}

/** Without the lines above the header. */
async function* fromLine(first: number, lines: Batches<Line>): AsyncGenerator<readonly Line[]> {
  for await (const batch of lines) {
    const rest = first === 1 ? batch : batch.filter(({ line }) => line >= first);
    if (rest.length > 0) yield rest;
  }
}

async function firstLine(lines: Lines): Promise<Line | undefined> {
  try {
    for await (const [line] of lines(faultList(''))) return line;
  } catch (error) {
    if (!(error instanceof ReadingStopped)) throw error;
  }
  return undefined;
}

async function* unguarded(lines: Batches<Line>): AsyncGenerator<readonly Line[]> {
  for await (const batch of lines)
    yield batch.map(({ line, cells }) => ({
      line,
      cells: cells.map((cell) => (typeof cell === 'string' ? unguard(cell) : cell)),
    }));
}
