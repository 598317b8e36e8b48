// A row of a file on its way to changes, and the records that rows look up.
import type { Finder, GatheredFinder } from '../../contract/call.ts';
import { mayBelongToSite } from '../../contract/field.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { defined } from '../../text/defined.ts';
import { trimBlanks } from '../../text/names.ts';
import { oncePer } from '../../text/once-per.ts';
import { cellValue } from '../files/bad-file.ts';
import type { FileFault, FileRow } from '../files/input.ts';
import type { Change } from '../plan/change.ts';
import { type CellRules, readCell } from './cells.ts';
import { headingFor } from './column-synonyms.ts';
import { type Binding, BOTH_NAMES, LAST_BEFORE, mapping, type Part } from './columns.ts';

/** What becomes of the rows of a file: upsert makes what is not there, and changes what is. */
export type Mode = 'upsert' | 'create' | 'update' | 'skip' | 'delete' | 'undelete';

export const CREATING: readonly Mode[] = ['upsert', 'create', 'skip'];

export interface Gathered extends Pick<GatheredFinder, 'together'> {
  /** Forgets what was looked up. */
  forget(): void;
}

export interface Records {
  /** The caller, and the current site. */
  readonly me: { readonly id: string; readonly site: string };
  /** `all` only where a list begins at once, and no file before this one has planned records. */
  readonly find: Pick<Finder, 'record' | 'byMembers'> & { readonly all?: Finder['all'] };
  /** As in `Session`. */
  readonly readsAtOnce?: number | undefined;
  /** On the embedded engine: gathers lookups, see `GatheredFinder`. */
  readonly gathered?: Gathered | undefined;
  /** The ID of the record that a text names. Throws `not_found`, with names that are near unless `isQuiet`, `ambiguous`, `deleted` or `invalid`. */
  resolve(targets: readonly string[], text: string, isQuiet?: boolean): Promise<string>;
  /** The same at once, where a row before has named that record; else undefined. */
  resolved?(targets: readonly string[], text: string): string | undefined;
  /** The IDs that the service gave in place of those that files call records by, in lower case. */
  readonly given?: ReadonlyMap<string, string>;
  /** Set where the rows of several files are planned together. */
  readonly projection?: Projection;
  /** What to do about a name that no record has, where the site is made for the files alone. */
  readonly unknown?: string | undefined;
  /** Takes the record of each row, as `wordOf` names it. */
  readonly named?: Set<string> | undefined;
  /** Takes each record that a cell names. */
  readonly onNamed?: (line: number, binding: Binding, id: string) => void;
}

/** The records as they will be after the rows that are planned already. */
export interface Projection {
  /** Adds a planned row: rows of later files find its record as it will be. */
  note(resource: Resource, row: RowDraft, changes: readonly Change[]): void;
  /** Adds the name or path that the record of a row had: rows that name it so mean this record. */
  noteOlder(resource: Resource, row: RowDraft): void;
  /** The planned ID of the record that has this text in a column of its file; undefined if none has. Throws `ambiguous`. */
  keyed(targets: readonly string[], column: string, text: string): string | undefined;
  /** Is this the planned ID of a record that an earlier row makes? */
  isNew(target: string, id: string): boolean;
  /** Whether a record is changed or made by planned rows; undefined if it is neither. */
  as(row: Row | undefined): ProjectedAs | undefined;
  /** Does the record of this row come back with what it belongs to, unless it is new? A service lists it only then. */
  awaits(resource: Resource, row: RowDraft): boolean;
}

/** `made`: it is created with another record, and its ID is not known yet. */
export type ProjectedAs = 'changed' | 'made';

/** A member whose texts name records that are not found yet. */
export interface Reference {
  readonly binding: Binding;
  readonly texts: readonly string[];
}

export interface RowDraft {
  readonly line: number;
  /** The members that its columns fill. */
  readonly bindings: readonly (Binding | undefined)[];
  /** The members that the row sets; null clears. */
  readonly values: Record<string, Value>;
  /** The texts of the cells around which blanks were trimmed. */
  written: ReadonlyMap<string, string>;
  /** Faults of values that the rules of today refuse; they are none where the record has the value (D10). */
  readonly doubts: ReadonlyMap<string, FileFault>;
  /** Of the values, the dates that are days without a time. */
  readonly days: ReadonlySet<string>;
  readonly references: readonly Reference[];
  /** By which other rows may name it: the column of the key, and the text. */
  readonly keys: readonly (readonly [column: string, text: string])[];
  /** Its first cell that is not blank, by which a row of sums is known. */
  readonly first: unknown;
  /** A password; the plan holds its line only. */
  readonly secret: string | undefined;
  /** Members that hold the planned ID of a record which the service will know by another ID. */
  readonly awaits: string[];
  /** It says the same as an earlier row of the file. */
  isRepeated: boolean;
  /** A row with faults is never planned. */
  readonly faults: FileFault[];
  /** The ID of the record: of the one that was found, or of the new one. */
  id: string | undefined;
  found: Row | undefined;
  /** Set where planned rows change or make the record that was found. */
  projectedAs: ProjectedAs | undefined;
}

/** The column of an older name of the record, in a folder of files. */
export const WAS = 'was';

/** The name that the record of a row had, or the path at which it was. */
export const olderName = ({ keys }: RowDraft): string | undefined =>
  keys.find(([column]) => column === WAS)?.[1] || undefined;

/** The places of the columns that hold keys to name rows by. */
export type KeyColumns = readonly (readonly [column: string, at: number])[];

export function draftOf(
  row: FileRow,
  { bindings, keys }: { readonly bindings: readonly (Binding | undefined)[]; readonly keys: KeyColumns },
  rules: CellRules,
  given: Records['given'],
): RowDraft {
  const values: Record<string, Value> = {};
  let written = NOTHING_WRITTEN;
  let doubts = NO_DOUBTS;
  let days = NO_DAYS;
  const references: Reference[] = [];
  const faults: FileFault[] = [...(row.faults ?? [])];
  let secret: string | undefined;
  for (let at = 0; at < bindings.length; at++) {
    const binding = bindings[at];
    const cell = binding?.part ? partOf(row, binding, binding.part, rules, faults) : row.cells[at];
    if (!binding || cell === undefined) continue;
    const read = readCell(binding, cell, rules, row.nested?.includes(binding.column));
    if (read.kind === 'fault' && read.text === undefined) faults.push(faultOf(row.line, binding, read, cell));
    else if (read.kind === 'fault') {
      values[binding.member] = read.text ?? null;
      doubts = new Map(doubts).set(binding.member, faultOf(row.line, binding, read, cell));
    } else if (read.kind === 'names')
      addReference(references, { binding, texts: idsGiven(read.texts, given) }, row.line, faults);
    else if (read.kind === 'value' && binding.field.writeOnly) secret = String(read.value);
    else if (read.kind === 'value') values[binding.member] = read.value;
    if (read.kind === 'value' && read.isDay) days = new Set(days).add(binding.member);
    if ('written' in read && read.written !== undefined) written = new Map(written).set(binding.member, read.written);
  }
  if (given && typeof values.ID === 'string') values.ID = given.get(values.ID.toLowerCase()) ?? values.ID;
  return {
    line: row.line,
    bindings,
    values,
    written,
    doubts,
    days,
    references,
    keys: keys.length === 0 ? NO_KEYS : keys.map(([column, at]) => [column, trimBlanks(String(row.cells[at] ?? ''))]),
    first: row.cells.find((cell) => cell !== '' && cell !== null),
    secret,
    awaits: [],
    isRepeated: false,
    faults,
    id: undefined,
    found: undefined,
    projectedAs: undefined,
  };
}

/** A part of a cell that holds two, or of a blank one; undefined if it holds others than two, a fault of the first part. */
function partOf(row: FileRow, binding: Binding, { at, number, cut }: Part, rules: CellRules, faults: FileFault[]) {
  const { column, member } = binding;
  const cell = row.cells[at] ?? null;
  const text = trimBlanks(String(cell ?? ''));
  if (text === '' || rules.isNone?.(text, number === 0)) return cell === null ? null : '';
  const hasComma = text.includes(',');
  const isAtComma = cut === ',' || (cut === 'either' && hasComma);
  const words = text.split(isAtComma ? ',' : /\s+/).map(trimBlanks);
  const end = cut === 'first' ? 1 : words.length - 1;
  const parts = isAtComma ? words : [words.slice(0, end).join(' '), words.slice(end).join(' ')];
  // Last names stand before a comma, and else behind.
  const isOther = hasComma && !isAtComma;
  if (parts.length === 2 && parts.every(Boolean) && !isOther) {
    if (number === 0 && words.length > 2) rules.onSplit?.(parts.join(' + '));
    return parts[isAtComma && cut === 'either' ? 1 - number : number];
  }
  const between = `is not two texts with ${isAtComma ? 'a comma' : 'a blank'} between them`;
  const message = isOther ? 'has a comma, and --map splits it at a blank' : between;
  const isTurned = hasComma !== isAtComma && BOTH_NAMES.includes(member);
  const [form, way] = isOther ? [NO_COMMA, LAST_BEFORE] : [A_COMMA, BOTH_NAMES];
  const hint = isTurned ? `${form} ${mapping(column, way)}` : TWO_PARTS;
  if (number === 0) faults.push({ line: row.line, column, value: cellValue(text), message, hint, cause: message });
  return undefined;
}

const A_COMMA = 'Write it with a comma, as the others: Roe, Jane. Where none has a comma:';
const NO_COMMA = 'Write it without the comma, in the order of the others: Jane Roe. Where most have a comma:';
const TWO_PARTS = 'Write it as the others, or each in a column of its own, such as FirstName and LastName.';

const idsGiven = (texts: readonly string[], given: Records['given']): readonly string[] =>
  given ? texts.map((text) => given.get(text.toLowerCase()) ?? text) : texts;

/** Most rows have nothing to note of these, and share an empty one. */
const NOTHING_WRITTEN: ReadonlyMap<string, string> = new Map();
const NO_DOUBTS: ReadonlyMap<string, FileFault> = new Map();
const NO_DAYS: ReadonlySet<string> = new Set();
const NO_KEYS: RowDraft['keys'] = [];

/** All that a row says besides its key, as one text; until its references are resolved. */
export function contentOf({ values, references, secret }: RowDraft, key: readonly string[] = []): string {
  const said: unknown[] = [secret];
  for (const name in values) if (!key.includes(name)) said.push(name, values[name]);
  for (const { binding, texts } of references) if (!key.includes(binding.member)) said.push(binding.column, ...texts);
  return said.join('\u0000');
}

/** In one row, only one of the columns for an owner may name it. */
function addReference(references: Reference[], reference: Reference, line: number, faults: FileFault[]): void {
  const { column, member } = reference.binding;
  const before = references.find(({ binding }) => binding.member === member)?.binding.column;
  const message = `says whose it is, and so does the column ${before}`;
  if (before === undefined) references.push(reference);
  else faults.push({ line, column, message, hint: 'Leave one of the two cells blank.' });
}

function faultOf(
  line: number,
  { column, field }: Binding,
  { message, hint, cause }: Pick<FileFault, 'message' | 'hint'> & { readonly cause?: string | undefined },
  cell: unknown,
): FileFault {
  return defined({ line, column, message, value: field.writeOnly ? undefined : cellValue(cell), hint, cause });
}

export const columnOf = ({ bindings }: Pick<RowDraft, 'bindings'>, member: string): string | undefined =>
  bindings.find((binding) => binding?.member === member)?.column;

/** Members as the columns that fill them are called in this file. */
export const inHeadings = (row: Pick<RowDraft, 'bindings'>, members: readonly string[], and = ' and '): string =>
  members.map((member) => columnOf(row, member) ?? headingFor(member)).join(and);

/**
 * Has the row a fault that leaves open which record it means: one of these members, or of the row as a whole? Other faults of
 * it do not hide what else is wrong with it.
 */
export const isUnmatched = ({ faults, bindings }: RowDraft, key: readonly string[]): boolean =>
  faults.length > 0 &&
  faults.some(
    ({ column }) => column === undefined || bindings.some((one) => one?.column === column && key.includes(one.member)),
  );

export function memberFault(row: RowDraft, member: string, message: string, hint?: string): FileFault {
  const { line } = row;
  const column = columnOf(row, member);
  return defined({ line, column, message: column === undefined ? `needs more: ${member} ${message}` : message, hint });
}

/**
 * The owners that a new record of this row lacks, where the site could be meant, and is not said (D38): the cell is blank, or it is
 * a right, of which no column names the object.
 */
export const missingOwners = ({ bindings, values }: RowDraft, resource: Resource): readonly string[] =>
  siteOwned(resource).filter(
    (name) =>
      values[name] === undefined &&
      (resource.name === 'permission' || bindings.some((binding) => binding?.member === name)),
  );

/** Each row asks for them. */
const siteOwned = oncePer(({ fields }: Resource) =>
  Object.keys(fields).filter((name) => fields[name] && mayBelongToSite(fields[name])),
);
