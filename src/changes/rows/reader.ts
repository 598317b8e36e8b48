// Reads the rows of a file into drafts, by the members that its columns fill.
import { isDate } from '../../contract/field.ts';
import { isRefusal, RULES } from '../../contract/kinds.ts';
import type { Resource } from '../../contract/resource.ts';
import { batchesOf } from '../../text/batches.ts';
import { defined } from '../../text/defined.ts';
import { quoted } from '../../text/escape.ts';
import { trimBlanks } from '../../text/names.ts';
import { valueAt } from '../../text/once-per.ts';
import { textKey } from '../../text/text-key.ts';
import { BadFile, type FaultList } from '../files/bad-file.ts';
import { type FileFault, type FileRow, type InputFile, lineOf } from '../files/input.ts';
import type { Change } from '../plan/change.ts';
import type { ranksOfNew } from '../plan/required-fields.ts';
import { type CellRules, YES_OR_NO } from './cells.ts';
import { plain, typed } from './column-synonyms.ts';
import { bindColumns, type Columns, memberFinder, SET, splitting, unused } from './columns.ts';
import {
  type FindByKey,
  finderFor,
  type KeyLines,
  keyless,
  keyOf,
  LEAVE_OUT,
  newKeyLines,
  newKeyOf,
  noneOf,
  spareKeyOf,
} from './keys.ts';
import { CREATING, columnOf, draftOf, type KeyColumns, type Mode, type Records, type RowDraft } from './row-draft.ts';
import type { SharedEmails } from './shared-emails.ts';

/** How a slash in the name of a new department is read; `departments` asks where that is open. */
export type Making = 'departments' | 'paths' | 'names';

interface CellOptions extends Pick<CellRules, 'key' | 'blank' | 'dates' | 'zone' | 'split'> {
  /** The words that stand for none, in lower case. */
  readonly none?: ReadonlySet<string> | undefined;
  /** Those that stand in place of the manager of a person at the top, in lower case; `blank` is none. */
  readonly top?: ReadonlySet<string> | undefined;
}

export interface IntakeOptions extends CellOptions {
  readonly resource: Resource;
  /** The name of the file in sentences. */
  readonly file: string;
  readonly mode: Mode;
  /** Members by column; an empty text leaves the column out. */
  readonly map: ReadonlyMap<string, string>;
  /** Columns of keys, by the columns whose cells name records by them. */
  readonly refs?: ReadonlyMap<string, string> | undefined;
  /** Departments that cells name are made where they are not there: at the path that the cell says, or else `below` this one. */
  readonly make?: Making | undefined;
  readonly below?: string | undefined;
  /** Columns that are no fields are left out. */
  readonly ignoreUnknown?: boolean | undefined;
  readonly onDeleted: 'error' | 'undelete' | 'new';
  /** The columns of user names and e-mails that are made of others. */
  readonly made?: readonly string[] | undefined;
  /** Makes the IDs of new records. */
  readonly newID: () => string;
}

export type IntakeCounts = ReturnType<typeof newCounts>;

/** Counts of one file; they grow while its changes are read. */
export const newCounts = () => ({
  rows: 0,
  creates: 0,
  updates: 0,
  deletes: 0,
  undeletes: 0,
  clears: 0,
  /** Rows whose record needs no change. */
  unchanged: 0,
  /** Rows that the mode skips, and those of records that are said to be deleted. */
  skipped: 0,
  /** Rows that may mean a record which comes back with what it belongs to. */
  awaited: 0,
  /** Cells of names and keys around which blanks were trimmed. */
  trimmed: 0,
  /** The columns that such cells stand in. */
  trimmedIn: new Set<string>(),
  /** Rows that are the same as an earlier one. */
  repeated: 0,
  /** Rows that are the header once more, and are passed over. */
  headers: 0,
  /** Days that stand for none in many files, or are mostly mistyped, each behind its column, and with the number of its cells. */
  endless: new Map<string, number>(),
  /** The words that were read as none, each with the number of its cells. */
  nones: new Map<string, number>(),
  /** Those that were read as `at the top`. */
  tops: new Map<string, number>(),
  /** Cells of several words that fill two members, as `all first names + last name`. */
  splits: new Map<string, number>(),
  readOnly: new Set<string>(),
  /** Columns that are bound by a synonym, each with the name that it stands for. */
  guessed: new Map<string, string>(),
  /** Columns that are no fields, and are left out. */
  unknown: new Set<string>(),
  /** Columns with several values in a row, of which one is read; each with the number of such rows. */
  several: new Map<string, number>(),
});

/** What all steps of one reading share. */
export interface Work {
  readonly input: InputFile;
  readonly options: IntakeOptions;
  readonly counts: IntakeCounts;
  readonly faults: FaultList;
  readonly records: Records;
  readonly emails: SharedEmails;
  readonly sha256: string;
  readonly ranks: ReturnType<typeof ranksOfNew>;
  readonly making: { changesFor(work: Work, rows: readonly RowDraft[]): Promise<readonly Change[]> } | undefined;
}

/** How the rows of one file are matched with records. */
export interface Matcher {
  readonly key: readonly string[];
  /** The file lacks a column of the wanted key, which is a fault of it. */
  readonly isKeyless: boolean;
  readonly find: FindByKey;
  readonly isNone: () => boolean | Promise<boolean>;
  /** For rows whose ID is not found. */
  readonly spare:
    | {
        readonly key: readonly string[];
        readonly find: FindByKey;
        /** By the ID of each record that was found, the line that it was found for. */
        readonly taken: KeyLines;
      }
    | undefined;
  readonly keyLines: KeyLines;
}

export type Reader = ReturnType<typeof rowReader>;

type BoundColumns = Pick<Columns, 'bindings' | 'gone'> & { readonly keys: KeyColumns };

/** How the cells of this file are read. */
export const cellRules = (
  { dialect }: InputFile,
  { key, blank, dates, none, top, zone, split }: CellOptions,
  { nones, tops, several, splits }: IntakeCounts = newCounts(),
): CellRules => ({
  key,
  blank,
  dates,
  zone,
  split,
  nulls: ['json', 'ndjson', 'yaml'].includes(dialect.form),
  isNone: none && noneCounter(none, nones),
  isTop: top && noneCounter(top, tops),
  onSeveral: (column) => countIn(several, column),
  onSplit: (parts) => countIn(splits, parts),
  decimalComma: dialect.delimiter === ';',
});

export function rowReader(work: Work) {
  const { input, options, records, faults } = work;
  const { resource, mode } = options;
  const memberOf = memberFinder(resource, options.map);
  const asked = options.key.map((name) => memberOf(name) ?? name);
  const cells = cellRules(input, { ...options, key: asked }, work.counts);
  const binder = binderFor(work);
  const leavesGone = mode !== 'delete' && mode !== 'undelete';
  const refuseAlike = alikeRefuser(work, asked);
  let matcher: Matcher | undefined;
  return {
    refuseAlike,
    /** The key, once rows are read; undefined if the file lacks a column of it. */
    matcher(): Matcher | undefined {
      if (matcher) return matcher;
      const columns = binder.columns();
      // The line of the header is another one, most probably.
      if (columns.size === 0) return undefined;
      const there = new Set(columns.keys());
      const file = { there, columnOf: (member: string) => columns.get(member), isAlone: !records.projection };
      const wanted = mode === 'create' && asked.length === 0 ? newKeyOf(resource, there) : keyOf(resource, asked, file);
      if (!wanted) binder.report({ line: input.headerLine ?? 1, ...keyless(resource, asked, file, mode) });
      // Without the wanted key, e-mails find what else is wrong with the rows of people.
      const key = wanted ?? (CREATING.includes(mode) && there.has('Email') ? ['Email'] : undefined);
      if (!key) return undefined;
      const spare = asked.length === 0 && key[0] === 'ID' ? spareKeyOf(resource, mode, there) : [];
      matcher = {
        key,
        isKeyless: !wanted,
        find: finderFor(resource, key, records, there),
        isNone: noneOf(records, resource),
        spare:
          spare.length > 0
            ? { key: spare, find: finderFor(resource, spare, records, there), taken: newKeyLines() }
            : undefined,
        keyLines: newKeyLines(),
      };
      return matcher;
    },
    /** The rows, so many together; faults of the file itself are added after the last one. */
    async *batches(size: number): AsyncGenerator<readonly RowDraft[]> {
      let batch: RowDraft[] = [];
      try {
        for await (const some of batchesOf(input.rows()))
          for (const row of some) {
            if (isHeaderAgain(row, input)) {
              work.counts.headers++;
              continue;
            }
            work.counts.rows++;
            const columns = binder.columnsFor(row);
            const said = leavesGone && saidGone(row, columns.gone);
            if (said === true) work.counts.skipped++;
            else {
              const read = said ? { ...row, faults: [...(row.faults ?? []), said] } : row;
              batch.push(refuseAlike(draftOf(read, columns, cells, records.given), row));
            }
            if (batch.length < size) continue;
            yield batch;
            batch = [];
          }
      } catch (error) {
        if (!(error instanceof BadFile)) throw error;
        faults.take(error);
      }
      for (const fault of [...dateFaults(work, binder.dated()), ...binder.unused()]) faults.add(fault);
      if (batch.length > 0) yield batch;
    },
  };
}

/**
 * No two rows may make one user name or e-mail. Those that have the same e-mail in the file are one person. Who is found by another
 * key keeps the user name: where there is one, user names are compared without a `row`, once people are found.
 */
function alikeRefuser({ input, options: { made = [] } }: Work, asked: readonly string[]) {
  const [lines, people] = [newKeyLines(), newKeyLines()];
  return (draft: RowDraft, row?: FileRow): RowDraft => {
    const { line, bindings, values } = draft;
    const key = asked.length === 0 && columnOf(draft, 'ID') ? ['ID'] : asked;
    const mail = columnOf(draft, 'Email') ?? '';
    for (const column of made) {
      const member = bindings.find((one) => one?.column === column)?.member ?? '';
      const isLate = member === 'UserName' && key.length > 0 && !key.includes(member);
      const value = values[member];
      if (typeof value !== 'string' || isLate === (row !== undefined)) continue;
      const text = quoted(value);
      const email = made.includes(mail) ? undefined : values.Email;
      const person = typeof email === 'string' ? people.add(`${text} ${textKey(email)}`, line) : undefined;
      const before = lines.add(`${column} ${text}`, line, JSON.stringify(row?.cells ?? line));
      if (!before || before.isSame) continue;
      const other = lineOf(input, (person ?? before).line);
      const one = `and ${other} are one person: both have one e-mail, and ${column} makes ${text} of both`;
      const way = email === undefined ? '' : `, such as --set 'UserName={${typed(mail)}}'`;
      const hint = `Add a column that tells the rows apart${way}.`;
      const two = { column, message: `makes ${text} of this row and of ${other}`, hint, cause: 'alike' };
      draft.faults.push({ line, ...(person ? { message: one, hint: LEAVE_OUT } : two) });
    }
    return draft;
  };
}

/** Does a row say in these columns that its record is deleted? The fault where one says neither. */
function saidGone({ names, cells, line }: FileRow, gone: Columns['gone']): boolean | FileFault {
  let isGone = false;
  for (const [at, whenGone] of gone) {
    const text = trimBlanks(String(cells[at] ?? ''));
    const said = text === '' ? !whenGone : RULES.boolean.read(YES_OR_NO.get(text.toLowerCase()) ?? text);
    if (isRefusal(said)) return { line, column: names[at] ?? '', message: said.refused, ...GONE_ADVICE };
    isGone ||= said === whenGone;
  }
  return isGone;
}

const GONE_ADVICE = {
  hint: 'Rows of deleted or inactive records are skipped. To read all rows, leave the column out, as with --map Deleted=',
  cause: 'is not true or false',
};

/** Tables that were put one below the other, and printed ones, have their header again. */
const isHeaderAgain = ({ names, cells }: FileRow, { columns }: InputFile): boolean =>
  columns !== undefined &&
  cells[0] === names[0] &&
  cells.every((cell, at) => cell === names[at] || names[at]?.startsWith(SET));

/** Rows of a table share their columns; records of JSON and YAML name their own members, mostly the same. */
function binderFor({ input, options, records, counts, faults }: Work) {
  const bound = new Map<readonly string[] | string, BoundColumns>();
  const columnsOf = new Map<string, string>();
  const dated = new Set<string>();
  const reported = new Set<string>();
  const seen = new Set<string>();
  const report = (fault: FileFault): void => {
    const words = `${fault.column} ${fault.message}`;
    if (!reported.has(words)) faults.add(fault);
    reported.add(words);
  };
  const bind = (columns: readonly string[], line: number): BoundColumns => {
    const { resource, map, ignoreUnknown, refs = new Map<string, string>() } = options;
    const rules = { line, ignoreUnknown, refs, isOneOfSeveral: !!records.projection, isOneRow: !input.columns };
    for (const column of columns) seen.add(column);
    const { bindings, gone, faults: found, ...others } = bindColumns(resource, columns, map, rules);
    for (const binding of bindings) {
      if (binding) columnsOf.set(binding.member, binding.column);
      if (binding && isDate(binding.field)) dated.add(plain(binding.column));
    }
    for (const column of others.readOnly) counts.readOnly.add(column);
    for (const column of others.unknown) counts.unknown.add(column);
    for (const [column, name] of others.guessed) counts.guessed.set(column, name);
    const whole = others.readOnly.find((column) => memberFinder(resource, map)(column) === 'FullName');
    const hint = whole && `${splitting(whole)}; --key FirstName,LastName finds who is there.`;
    const nothing: FileFault = defined({ line, message: 'has no column that fills a field', hint });
    (found.length === 0 && !bindings.some(Boolean) ? [nothing] : found).forEach(report);
    const keys = [...new Set([...refs.values()].map(plain))].flatMap((key): KeyColumns => {
      const at = columns.findIndex((column) => plain(column) === key);
      return at < 0 ? [] : [[key, at]];
    });
    return { bindings, gone, keys };
  };
  const known = (key: readonly string[] | string, columns: readonly string[], line: number): BoundColumns =>
    valueAt(bound, key, () => bind(columns, line));
  if (input.columns) known(input.columns, input.columns, input.headerLine ?? 1);
  return {
    /** The columns that fill members, by these. */
    columns: (): ReadonlyMap<string, string> => columnsOf,
    /** The columns of dates, by their letters and digits. */
    dated: (): ReadonlySet<string> => dated,
    /** What flags say of members that no row has. */
    unused: () => {
      const isSaid = input.columns || records.projection || seen.size === 0;
      return isSaid ? [] : unused(new Map([...options.map, ...(options.refs ?? [])]), seen);
    },
    /** A fault of the columns, which is said once. */
    report,
    columnsFor: ({ names, line }: FileRow): BoundColumns =>
      known(input.columns ? names : names.join('\u0000'), names, line),
  };
}

function noneCounter(words: ReadonlySet<string>, nones: Map<string, number>) {
  return (text: string, isCounted = true): boolean => {
    const word = trimBlanks(text);
    const isNone = words.has(word.toLowerCase());
    if (isNone && isCounted) countIn(nones, word);
    return isNone;
  };
}

export const countIn = (counts: Map<string, number>, word: string): unknown =>
  counts.set(word, (counts.get(word) ?? 0) + 1);

/** Forms of columns that hold no dates, which are misspelled; of several files one may have the column. */
function dateFaults(
  { input, options: { dates = new Map() }, records }: Work,
  dated: ReadonlySet<string>,
): readonly FileFault[] {
  const line = input.headerLine ?? 1;
  const forms = [...dates];
  const counts = input.dialect.is1904 ? forms.filter(([, { form }]) => form === 'excel') : [];
  const unused = records.projection ? [] : forms.filter(([key]) => key !== '' && !dated.has(key));
  return [
    ...counts.map(() => ({ line, message: 'is in a workbook that counts its days from 1904', hint: FROM_1904 })),
    ...unused.map(([, { column }]) => ({ line, column, message: 'has a date format, but is not a column of dates' })),
  ];
}

const FROM_1904 = 'Format the days as dates there, and leave --date-format excel out.';
