// The flags of commands that run a job, and of those that read a file for it.
import { Command, Option } from 'commander';
import type { OpenOptions } from '../../changes/files/index.ts';
import { plain } from '../../changes/rows/column-synonyms.ts';
import { type DateForm, type DateForms, dateFormOf } from '../../changes/rows/dates.ts';
import type { Making } from '../../changes/rows/reader.ts';
import type { Mode } from '../../changes/rows/row-draft.ts';
import type { OnDrift, OnError } from '../../changes/run/options.ts';
import { ServiceError } from '../../contract/errors.ts';
import { collectValues, PLAN_OUT } from '../command.ts';
import type { GlobalValues } from '../globals.ts';
import { wordsIn } from '../settings.ts';

export interface RunFlags extends GlobalValues {
  readonly onError?: OnError;
  readonly onDrift?: OnDrift;
  readonly exitCode?: boolean;
}

export interface FileFlags extends GlobalValues, Omit<OpenOptions, 'headerRow' | 'lastRow' | 'stdin' | 'isField'> {
  readonly headerRow?: string;
  readonly lastRow?: string;
  readonly dateFormat?: readonly string[];
  readonly null?: string;
  readonly rows?: readonly string[];
}

export interface ImportFlags extends FileFlags {
  readonly key?: string;
  readonly mode?: Mode;
  readonly map?: readonly string[];
  readonly ref?: readonly string[];
  readonly onDeleted?: 'error' | 'undelete' | 'new';
  readonly blank?: 'leave' | 'clear';
  readonly top?: string;
  readonly make?: Making;
  readonly below?: string;
  /** The file in which these flags are kept. */
  readonly saveRecipe?: string;
  /** The recipe that some of them are from, and what it says of columns. */
  readonly recipe?: { readonly name: string; readonly pairs: readonly string[] };
  readonly set?: readonly string[];
  readonly split?: string;
  /** What is done with records that no row names. */
  readonly missing?: 'list' | 'delete';
  /** The part of the site that the file is about. */
  readonly within?: readonly string[];
}

const choice = (flags: string, doc: string, choices: readonly string[], initial?: string): Option => {
  const option = new Option(flags, doc).choices(choices);
  return initial === undefined ? option : option.default(initial);
};

/** Flags that say how a job runs. */
export function withRunFlags(command: Command): Command {
  return withJournal(
    command
      .addOption(choice('--on-error <what>', 'after a row that fails', ['continue', 'stop', 'rollback'], 'continue'))
      .addOption(driftOption())
      .option('--exit-code', 'with -n: exit with 11 if something would change')
      .addOption(PLAN_OUT),
  );
}

export const driftOption = (): Option => drift('with a record that changed meanwhile', 'skip');

/** Without the flag a resumed job keeps the choice of its first run. */
export const resumeDriftOption = (): Option => drift('with a record that changed meanwhile; else as its command said');

const drift = (doc: string, initial?: OnDrift): Option =>
  choice('--on-drift <what>', doc, ['skip', 'stop', 'overwrite'], initial);

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration such as 90s, 10m or 2h. Throws `usage`. */
export function milliseconds(flag: string, text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (UNITS[unit] ?? 0);
  throw new ServiceError('usage', `${flag} is "${text}"; it is a time, as in 90s, 10m or 2h`);
}

const DAY = 86_400_000;

/** The moment so many days before `now`, in ISO 8601. Throws `usage`. */
export function daysBefore(now: Date, flag: string, text: string | undefined): string {
  const [, days] = /^(\d{1,5})d?$/.exec(text ?? '') ?? [];
  if (days !== undefined) return new Date(now.getTime() - Number(days) * DAY).toISOString();
  const what = text === undefined ? 'is missing' : `is "${text}"`;
  throw new ServiceError('usage', `${flag} ${what}; it is a number of days, as in 90d`);
}

export const withJournal = (command: Command): Command =>
  command.option('--journal <folder>', 'keep the journal of a remote job in this folder');

const MAKINGS: readonly Making[] = ['departments', 'paths', 'names'];

const FORMS = ['csv', 'tsv', 'json', 'ndjson', 'yaml', 'xlsx'] as const;

/** Flags for the form of a file, where pm does not detect it, and for what its cells say. */
export function withFileFlags(command: Command): Command {
  return command
    .addOption(choice('--form <form>', 'the form of the file, if its name does not say it', FORMS))
    .option('--encoding <name>', 'its encoding: utf-8, utf-16le, windows-1252')
    .option('--delimiter <sign>', 'the character between its cells')
    .option('--sheet <name>', 'the sheet of an Excel file')
    .option('--header-row <n>', 'the line or row that names the columns; those above are left out')
    .option('--last-row <n>', 'the last line or row that is read; those below are left out')
    .option('--rows <filter>', "only rows that fit, by their columns: Status = 'Active'", collectValues)
    .option('--short-rows', 'rows may lack blank cells at their end')
    .option('--excel', 'it was exported with --excel')
    .option('--date-format <form>', "how dates are written: dd/mm/yyyy, 'Column=mm/dd/yy'", collectValues)
    .option('--null <words>', 'words that mean a blank cell, by commas; usual: N/A, -, none …');
}

/** Flags for the meaning of the rows of a file. */
export function withImportFlags(command: Command): Command {
  return withFileFlags(
    command
      .option('--key <fields>', 'the fields by which rows are matched with records')
      .addOption(
        choice(
          '--mode <mode>',
          'what to do with the rows',
          ['upsert', 'create', 'update', 'skip', 'delete', 'undelete'],
          'upsert',
        ),
      )
      .option(
        '--map <Column=Field>',
        'which field a column fills, or which two: Name=LastName, FirstName; Column= leaves it out',
        collectValues,
      )
      .option(
        '--ref <Column=Key>',
        'a column names records by a key, as in MANAGER_ID=EMPLOYEE_ID: another column, or a field of theirs',
        collectValues,
      )
      .option(
        '--set <Field=value>',
        'a value for each row, such as UserName={First}.{Last} of its cells',
        collectValues,
      )
      .option('--split <sign>', 'the sign between several records in one cell, such as ;')
      .option('--ignore-unknown', 'leave out columns that are not fields, and name them')
      .addOption(choice('--make <what>', 'make departments that cells name; a slash: asked, paths or names', MAKINGS))
      .option('--below <ref>', 'put the departments of --make below this; else below the only organization')
      .addOption(choice('--on-deleted <what>', 'with rows of deleted records', ['error', 'undelete', 'new'], 'error'))
      .addOption(choice('--blank <what>', 'what a blank cell does to the field', ['leave', 'clear'], 'leave'))
      .option('--top <words>', 'words that mean no manager above, by commas; blank; usual: XX, self, blank …')
      .addOption(choice('--missing <what>', 'with the records that no row names', ['list', 'delete']))
      .option('--within <filter>', "where --missing looks: Department = 'Sales'; all: everywhere", collectValues),
  );
}

/** The flags that decide what the rows of a file mean: a job keeps them, and so does a recipe. */
export const IMPORT_OPTIONS: readonly Option[] = withImportFlags(new Command()).options;

export const mapOf = ({ map }: ImportFlags): ReadonlyMap<string, string> => pairsIn('--map', map, 'Field');

export const refsOf = ({ ref }: ImportFlags): ReadonlyMap<string, string> => pairsIn('--ref', ref, 'Key');

/** The sides of `Column=Field`; the first is empty for what is for all columns. Names of columns may hold `=`, too. */
export const sidesOf = (pair: string, at = pair.lastIndexOf('=')): readonly [column: string, field: string] => [
  pair.slice(0, Math.max(at, 0)),
  pair.slice(at + 1),
];

/** The pairs of a flag. Throws `usage`, also for a column that is named twice. */
function pairsIn(flag: string, map: readonly string[] = [], what: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  const earlier = new Map<string, string>();
  for (const pair of map) {
    const [column, field] = sidesOf(pair);
    if (column === '' || (what === 'Key' && field === ''))
      throw new ServiceError('usage', `${flag} ${pair} names no ${what.toLowerCase()}`, {
        hint: `Write ${flag} 'Column=${what}'.`,
      });
    const before = earlier.get(plain(column));
    if (before !== undefined)
      throw new ServiceError('usage', `${flag} names the column ${column} twice: ${before}, and ${pair}`, {
        hint: `Leave one of them out, such as ${flag} '${before}'.`,
      });
    earlier.set(plain(column), pair);
    pairs.set(column, field);
  }
  return pairs;
}

/** The forms of --date-format. Throws `usage`, also for two of one column. */
export function dateFormsIn({ dateFormat = [] }: ImportFlags): DateForms {
  const forms = new Map<string, { readonly column: string; readonly form: DateForm }>();
  // The journals of older versions hold one text.
  for (const text of [dateFormat].flat()) {
    const [column, written] = sidesOf(text);
    const form = dateFormOf(written);
    if (!form) throw new ServiceError('usage', `--date-format is "${text}"`, { hint: DATE_FORMS });
    const before = forms.get(plain(column));
    if (before)
      throw new ServiceError('usage', `--date-format names two forms for ${column === '' ? 'all columns' : column}`, {
        hint: "Write one for each column: --date-format 'Column=dd/mm/yyyy'",
      });
    forms.set(plain(column), { column, form });
  }
  return forms;
}

const DATE_FORMS =
  'Write day, month and year in their order, with their marks: dd/mm/yyyy, mm-dd-yyyy, yyyy/mm/dd, dd.mm.yy, dd-mmm-yy, "mmm d, yyyy"; or excel for the numbers of its days.';

/** The words of a flag in lower case; `usual` stands for the usual ones. */
export const wordsOf = (words: string | undefined, usual: readonly string[]): ReadonlySet<string> | undefined =>
  words === undefined
    ? undefined
    : new Set(wordsIn(words.toLowerCase()).flatMap((word) => (word === 'usual' ? usual : [word])));
