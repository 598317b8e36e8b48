// Opens input files: detects the form and the dialect of each, and reads its rows.
import { extname } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { batchedRows } from '../../text/batches.ts';
import { BadFile, type FaultList, faultList, ReadingStopped, wholeFault } from './bad-file.ts';
import { sepLength, tableDialect } from './delimited/dialect.ts';
import { linesHere, tableLines, threadFor } from './delimited/lines.ts';
import { beginningOf, encodingOf, findUndecodable, mayBeUndecodable, textOf, utf8Of } from './encoding.ts';
import type { Batches, Dialect, FileFault, FileRow, Form, InputFile, Line, OpenOptions } from './input.ts';
import { jsonListRows, ndjsonRows } from './json.ts';
import { openSource, type Source, type Survey, surveyOf } from './source.ts';
import { EMPTY, readHeader, tableRows, unguard } from './table.ts';
import { openWorkbook, sheetNames } from './xlsx.ts';
import { yamlRows } from './yaml.ts';

export { BadFile } from './bad-file.ts';
export type { Cell, Dialect, FileFault, FileRow, Form, InputFile, OpenOptions } from './input.ts';

/**
 * Opens the file of that path; `-` is stdin, which is kept privately so that it can be read twice. All of it is
 * looked at once. Throws `usage` for a file that cannot be read, and `BadFile` for one that is not what it says, has bytes
 * that are no characters, or a bad header; its faults include those of all rows.
 */
export async function openInput(path: string, options: OpenOptions = {}): Promise<InputFile> {
  const source = await openSource(path, options.stdin);
  try {
    return await opened(source, options);
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The sheets of an Excel file that hold anything. Throws `usage`, `BadFile`. */
export async function sheetsOf(path: string): Promise<readonly string[]> {
  const source = await openSource(path);
  try {
    const { head } = await surveyOf(source);
    const strange = strangeContent('xlsx', head, '');
    if (strange) throw new BadFile(source.name, [strange]);
    return await sheetNames(source);
  } finally {
    await source.close();
  }
}

async function opened(source: Source, options: OpenOptions): Promise<InputFile> {
  const named = options.form ?? formByName(source.name);
  // It starts while the file is looked at.
  const thread = named === 'csv' || named === 'tsv' ? threadFor(source.size) : undefined;
  try {
    const survey = await surveyOf(source);
    if (survey.head.length === 0) throw new BadFile(source.name, [EMPTY]);
    const encoding = await encodingOf(survey, options.encoding);
    const text = beginningOf(survey.head, encoding);
    const form = named ?? formByContent(survey.head, text);
    const strange = strangeContent(form, survey.head, text);
    if (strange) throw new BadFile(source.name, [strange]);
    const faults = faultList(source.name);
    if (form !== 'xlsx' && mayBeUndecodable(survey, encoding)) await findUndecodable(source, encoding, faults);
    const reading = await readingOf(source, { form, encoding, thread, text, options });
    // Faults of the file are reported together with those of the rows.
    if (faults.total > 0 || !reading.isSound) for await (const _ of checked(reading.batches, faults));
    return inputFile(source, survey, reading);
  } catch (error) {
    await thread?.end();
    throw error;
  }
}

function inputFile(source: Source, { hash }: Survey, reading: Reading): InputFile {
  const { dialect, columns, headerLine, others = [], hidden = [], remarks = new Set(), batches } = reading;
  return {
    dialect,
    columns,
    headerLine,
    others,
    hidden,
    remarks: () => [...remarks],
    describe: () => describe(dialect),
    rows: () => batchedRows(() => checked(batches, faultList(source.name))),
    hash: async () => hash,
    async close() {
      await reading.close?.();
      await source.close();
    },
  };
}

/** The rows. Throws `BadFile` with all faults after the last one. */
async function* checked(batches: Reading['batches'], faults: FaultList): AsyncGenerator<readonly FileRow[]> {
  try {
    yield* batches(faults);
  } catch (error) {
    if (!(error instanceof ReadingStopped)) throw error;
  }
  faults.throwIfAny();
}

function describe({ form, encoding, delimiter, newline, sheet }: Dialect): string {
  if (form === 'xlsx') return `XLSX, sheet ${JSON.stringify(sheet)}`;
  if (delimiter === undefined) return `${form.toUpperCase()}, ${encoding}`;
  return `${encoding}, ${delimiter === '\t' ? 'tab' : `'${delimiter}'`}, ${newline}`;
}

const ENDINGS: Readonly<Record<string, Form>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.xlsx': 'xlsx',
};

/** The form that the name of a file says; undefined if it says none. */
export const formByName = (name: string): Form | undefined => ENDINGS[extname(name).toLowerCase()];

/** One line alone may as well be a list that a service has wrapped: as JSON, both are read. */
const RECORDS_IN_LINES = /^\s*\{[^\n]*\}[^\S\n]*\n\s*\{/;

/** The form that the first bytes look like. `text` is how they read. */
function formByContent(head: Buffer, text: string): Form {
  if (isZip(head)) return 'xlsx';
  if (RECORDS_IN_LINES.test(text)) return 'ndjson';
  if (/^\s*[[{]/.test(text)) return 'json';
  if (/^(?:---|- )/.test(text)) return 'yaml';
  return text.split(/[\r\n]/, 1)[0]?.includes('\t') ? 'tsv' : 'csv';
}

const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'));
/** Old Office files, and new ones with a password. */
const isOle = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]));

/** The fault of a file that holds something else than its form says; undefined if it may well be one of that form. */
export function strangeContent(form: Form, head: Buffer, text: string): FileFault | undefined {
  if (isOle(head))
    return wholeFault(
      'is an old Excel file, or one with a password',
      'Save it in Excel as an .xlsx without a password, or as CSV.',
    );
  if (form === 'xlsx') return isZip(head) ? undefined : wholeFault('is not an Excel file', 'Try --form csv.');
  if (isZip(head))
    return wholeFault(`is a ZIP archive, not ${form.toUpperCase()}`, 'If it is an Excel file: --form xlsx.');
  if (text.includes('\0'))
    return wholeFault(`is not text, so it is not ${form.toUpperCase()}`, 'It holds bytes of value zero.');
  return strangeText(form, text);
}

function strangeText(form: Form, text: string): FileFault | undefined {
  if (/^\s*<(?:!doctype|html|head|body|table|\?xml|!--)/i.test(text))
    return wholeFault('is a web page or XML', 'Perhaps it is a login page. Download the file again.');
  const isTable = form === 'csv' || form === 'tsv';
  if (isTable && /^\s*(?:\[\s*\{|\{\s*")/.test(text))
    return wholeFault(
      `holds JSON, not ${form.toUpperCase()}`,
      'Use --form json, or --form ndjson for a record on each line.',
    );
  if (form === 'json' && RECORDS_IN_LINES.test(text))
    return wholeFault('holds a record on each line, not one list', 'Use --form ndjson.');
  if (form === 'json' && /^\s*[^[{\s]/.test(text))
    return wholeFault('holds no records', 'JSON must be an array of objects, or one: [{"Name": "…"}, …].');
  if (form === 'ndjson' && /^\s*\[/.test(text))
    return wholeFault('holds a list, not a record on each line', 'Use --form json.');
  return undefined;
}

interface Findings {
  readonly form: Form;
  readonly encoding: string;
  readonly thread: ReturnType<typeof threadFor>;
  /** How the file begins. */
  readonly text: string;
  readonly options: OpenOptions;
}

interface Reading
  extends Pick<InputFile, 'dialect' | 'columns' | 'headerLine'>,
    Partial<Pick<InputFile, 'others' | 'hidden' | 'close'>> {
  readonly remarks?: ReadonlySet<string>;
  /** The header is good; else there are faults to report before any row is read. */
  readonly isSound: boolean;
  batches(faults: FaultList): Batches<FileRow>;
}

/** How to read a file of that form. Throws `usage` for rows of a form without lines, and as `openWorkbook`. */
function readingOf(source: Source, findings: Findings): Promise<Reading> {
  const { form } = findings;
  if (form === 'csv' || form === 'tsv') return delimitedReading(source, findings);
  const { headerRow, lastRow } = findings.options;
  if (form === 'xlsx') return workbookReading(source, findings.options);
  const which = headerRow !== undefined ? 'header' : 'last';
  if (headerRow !== undefined || lastRow !== undefined)
    throw new ServiceError('usage', `only a table has a ${which} row, and ${form.toUpperCase()} is none`);
  return Promise.resolve(memberReading(source, form, findings));
}

const MEMBER_ROWS = { json: jsonListRows, ndjson: ndjsonRows, yaml: yamlRows };

function memberReading(source: Source, form: keyof typeof MEMBER_ROWS, { encoding, options }: Findings): Reading {
  const remarks = new Set<string>();
  const { isField = () => false } = options;
  return {
    dialect: { form, encoding },
    columns: undefined,
    remarks,
    isSound: true,
    batches: (faults) => MEMBER_ROWS[form](textOf(source, encoding), faults, { isField, remarks }),
  };
}

async function delimitedReading(source: Source, findings: Findings): Promise<Reading> {
  const { form, encoding, thread, text, options } = findings;
  const { headerRow = 1 } = options;
  const header = text.split(/(?<=\r\n|\n|\r(?!\n))/).slice(headerRow - 1);
  const table = tableDialect(header.join(''), options.delimiter ?? (form === 'tsv' ? '\t' : undefined));
  const spelling = { ...table, skip: table.sep ? sepLength(text) : 0 };
  const bytes = () => utf8Of(source, encoding);
  const below = (lines: Batches<Line>): Batches<Line> => {
    const found = fromLine(headerRow, lines);
    return options.excel ? unguarded(found) : found;
  };
  const { read, close } = tableLines(source.size, spelling, thread);
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

async function workbookReading(source: Source, options: Findings['options']): Promise<Reading> {
  const { sheet, others, hidden, remarks, is1904, lines } = await openWorkbook(source, options);
  const dialect: Dialect = { form: 'xlsx', encoding: 'utf-8', sheet, ...(is1904 ? { is1904 } : {}) };
  return { ...(await tableReading(dialect, options, lines)), others, hidden, remarks };
}

type Lines = (faults: FaultList) => Batches<Line>;

/** `beginning` reads the same lines, of which only the first is wanted. */
async function tableReading(
  dialect: Dialect,
  options: Findings['options'],
  lines: Lines,
  beginning = lines,
): Promise<Reading> {
  const first = await firstLine(beginning);
  // The faults of the header are reported again, together with those of the rows.
  const faults = faultList('');
  const columns = first ? readHeader(first, faults).columns : [];
  const isSound = first !== undefined && faults.total === 0;
  const batches: Reading['batches'] = (into) => tableRows(lines(into), into, options);
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
