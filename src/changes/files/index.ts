// Opens the files that people bring: finds out how each is spelled, and reads its rows.
import type { Readable } from 'node:stream';
import { BadFile, type FaultList, faultList, ReadingStopped } from './bad-file.ts';
import { beginningOf, encodingOf, findUndecodable, mayBeUndecodable } from './encoding.ts';
import { formByContent, formByName, strangeContent } from './form.ts';
import type { Batches, Dialect, FileRow, Form, InputFile } from './input.ts';
import { type Reading, readingOf } from './reading.ts';
import { openSource, type Source } from './source.ts';
import { type Survey, surveyOf } from './survey.ts';
import { EMPTY } from './table.ts';

export { BadFile } from './bad-file.ts';
export type { Cell, Dialect, FileFault, FileRow, Form, InputFile } from './input.ts';

export interface OpenOptions {
  /** Wins over what the name and the content say. */
  readonly form?: Form;
  readonly encoding?: string;
  readonly delimiter?: string;
  /** The sheet of an Excel file; the first one if none is named. */
  readonly sheet?: string;
  /** What `-` reads. */
  readonly stdin?: Readable;
  /** The file was written with its texts guarded from spreadsheets. */
  readonly excel?: boolean;
}

/**
 * Opens the file of that path; `-` is stdin, which is kept privately so that it can be read twice. All of it is
 * looked at once. Throws `usage` for a file that cannot be read, and `BadFile` for one that is not what it says, has bytes
 * that are no characters, or no good header; it then tells of all its rows, too.
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

async function opened(source: Source, options: OpenOptions): Promise<InputFile> {
  const survey = await surveyOf(source);
  if (survey.size === 0) throw new BadFile(source.name, [EMPTY]);
  const encoding = await encodingOf(survey, options.encoding);
  const text = beginningOf(survey.head, encoding);
  const form = options.form ?? formByName(source.name) ?? formByContent(survey.head, text);
  const strange = strangeContent(form, survey.head, text);
  if (strange) throw new BadFile(source.name, [strange]);
  const faults = faultList(source.name);
  if (form !== 'xlsx' && mayBeUndecodable(survey, encoding)) await findUndecodable(source, encoding, faults);
  const reading = await readingOf(source, { form, encoding, text, options }, faults);
  // What is wrong with the whole is told together with what is wrong with the rows.
  if (faults.total > 0 || !reading.isSound) for await (const _ of checked(reading.batches, faults));
  return inputFile(source, survey, reading);
}

function inputFile(source: Source, { hash }: Survey, { dialect, columns, batches }: Reading): InputFile {
  return {
    dialect,
    columns,
    describe: () => describe(dialect),
    async *rows() {
      // `yield*` would wait for each of them twice.
      for await (const batch of checked(batches, faultList(source.name))) for (const row of batch) yield row;
    },
    hash: async () => hash,
    close: () => source.close(),
  };
}

/** The rows, and at their end all that was wrong. Throws `BadFile`. */
async function* checked(batches: Reading['batches'], faults: FaultList): Batches<FileRow> {
  try {
    yield* batches(faults);
  } catch (error) {
    if (!(error instanceof ReadingStopped)) throw error;
  }
  faults.settle();
}

function describe({ form, encoding, delimiter, newline, sheet }: Dialect): string {
  if (form === 'xlsx') return `XLSX, sheet ${JSON.stringify(sheet)}`;
  if (delimiter === undefined) return `${form.toUpperCase()}, ${encoding}`;
  return `${encoding}, ${delimiter === '\t' ? 'tab' : `'${delimiter}'`}, ${newline}`;
}
