// Binds the columns of a file to the members of a record.
import { boolean, type Field, guids, isWritable, text } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import { plural, type Resource } from '../../contract/resource.ts';
import { defined } from '../../text/defined.ts';
import { oncePer } from '../../text/once-per.ts';
import { nearest } from '../../text/spelling.ts';
import { firstOf } from '../../text/thousands.ts';
import { shownValue } from '../files/bad-file.ts';
import type { FileFault } from '../files/input.ts';
import { FURTHER_DOWN } from '../files/table.ts';
import { headingsOf, isWholeName, meantBy, plain, typed } from './column-synonyms.ts';

/** A column that fills a member. */
export interface Binding {
  readonly column: string;
  readonly member: string;
  readonly field: Field;
  /** The resources whose records its texts name; empty for plain values. */
  readonly targets: readonly string[];
  /** The key that its texts are of, where they are no names. */
  readonly by?: RefKey;
  /** Set where the column fills two members: the column's place, and which part of its text this is. */
  readonly part?: Part;
}

/** A key of the records that a column names, by `refs`: a column of their file, a field of theirs, or both. */
export interface RefKey {
  readonly column: string;
  /** The column as it is asked for. */
  readonly name: string;
  /** By the resources that the column names; empty where the key is no field. */
  readonly members: Readonly<Record<string, string>>;
}

/** Part 0 or 1 of a cell such as `Roe, Jane`, or `Jane Roe`: it is cut at a comma, behind its first or before its last word. */
export interface Part {
  readonly at: number;
  readonly number: 0 | 1;
  readonly cut: ',' | 'first' | 'last' | 'either';
}

export interface Columns {
  /** One for each column, in the file's order; undefined for those that are left out. Parts of columns stand behind them. */
  readonly bindings: readonly (Binding | undefined)[];
  /** The columns that say whether the record of a row is deleted, or hidden with what it belongs to. */
  readonly gone: readonly (readonly [at: number, whenGone: boolean])[];
  readonly readOnly: readonly string[];
  /** Columns that are bound by a synonym, each with the name that it stands for. */
  readonly guessed: ReadonlyMap<string, string>;
  /** Columns that are no fields, and are left out. */
  readonly unknown: readonly string[];
  readonly faults: readonly FileFault[];
}

/** Columns that a file of failed rows has in addition to those of its input. */
export const REPORT_COLUMNS = ['_line', '_error', '_hint'];

/** Columns of an exported site that say whether the record of a row is deleted, and one of directories that says the reverse. */
const SAID_GONE = ['Deleted', 'DeletedByRef', 'Active'];

/** Columns of an exported site and of directories that are no fields; some of one resource only. */
const EXPORTED: readonly [member: string, Field, only?: string][] = [
  ['DeletedByRef', boolean('read-only')],
  ['Others', text('read-only')],
  ['Members', guids('read-only'), 'securityGroup'],
  ['Active', boolean('read-only'), 'individual'],
];

/** How the columns of --set begin: `--set Department`. */
export const SET = '--set ';

interface ColumnRules {
  /** The line of the header, or of the record that names its own members. */
  readonly line?: number;
  /** Columns that are no fields are left out, and are no faults. */
  readonly ignoreUnknown?: boolean | undefined;
  /** Columns of keys, by the columns whose cells name records by them. */
  readonly refs?: ReadonlyMap<string, string>;
  /** Other files may hold the columns of `refs`. */
  readonly isOneOfSeveral?: boolean;
  /** Each row names its own members: other rows may have those of `map` and `refs`. */
  readonly isOneRow?: boolean;
}

/** Binds columns by `map` first, then by the names of members, references and owners, and last by synonyms of these. */
export function bindColumns(
  resource: Resource,
  columns: readonly string[],
  map: ReadonlyMap<string, string>,
  { line = 1, ignoreUnknown = false, refs = new Map(), isOneOfSeveral = false, isOneRow = false }: ColumnRules = {},
): Columns {
  const names = namesOf(resource);
  const parts = partsOf(resource, columns, map);
  const isSplit = new Set(parts.map(({ column }) => column));
  const named = columns.map((column) => (isSplit.has(column) ? undefined : namedBy(resource, column, map, names)));
  const isOpen = (column: string, at: number): boolean =>
    (named[at] === 'unknown' || isFixed(named[at])) && !mappedTo(map, column);
  // A column that fills a field of --set, too, is a fault.
  const ofFile = named.filter((_, at) => !columns[at]?.startsWith(SET));
  const guesses = guessesFor(resource, columns.filter(isOpen), ofFile, { names, refs });
  const found = columns.map((column, at) => guesses.get(column) ?? named[at]);
  const readOnly = columns.filter((_, at) => isFixed(found[at]));
  const gone = found.flatMap((one, at) => (isOfGone(one) ? [[at, one.member !== 'Active'] as const] : []));
  const keys = new Set([...refs.values()].map(plain));
  const isKey = (column: string): boolean => keys.has(plain(column)) && mappedTo(map, column) === undefined;
  const unknown = columns.filter((column, at) => found[at] === 'unknown' && !isKey(column));
  const isRefused = (column: string): boolean => !ignoreUnknown || mappedTo(map, column) !== undefined;
  const ofColumns = columns.map((column, at) => {
    const one = found[at];
    return typeof one === 'object' && isSettable(one) ? bindingOf(one, column) : undefined;
  });
  const ofNames = [...ofColumns, ...parts].some((one) => one && BOTH_NAMES.includes(one.member));
  // A column of whole names is a fault of the header alone: rows are read as its hint says.
  const whole = ofNames ? [] : unknown.filter((column) => isRefused(column) && isWholeName(column)).slice(0, 1);
  const bindings = [
    ...ofColumns.map((one) => one && withKey(resource, one, mappedTo(refs, one.column), ofColumns)),
    ...parts,
    ...partsOf(resource, columns, new Map(whole.map((column) => [column, BOTH_NAMES])), true),
  ];
  const doubled = twice(bindings, new Set(guesses.keys()), line);
  const faults = unknownColumns(resource, unknown.filter(isRefused), map, { names, bindings, line, isOneRow });
  return {
    bindings: bindings.map((one) => (doubled.some(({ column }) => column === one?.column) ? undefined : one)),
    gone,
    readOnly,
    guessed: new Map([...guesses].map(([column, { name }]) => [column, name])),
    unknown: unknown.filter((column) => !isRefused(column)),
    faults: [
      ...faults,
      ...doubled,
      ...(isOneRow ? [] : unused(map, columns, line)),
      ...(isOneOfSeveral || isOneRow ? [] : unfollowed(refs, columns, bindings, line)),
    ],
  };
}

/** The member that a column is said to fill, or that it is called after; undefined for one that fills none. */
export function memberFinder(resource: Resource, map: ReadonlyMap<string, string>) {
  const names = namesOf(resource);
  return (column: string): string | undefined => {
    const named = namedBy(resource, column, map, names);
    const [one] =
      named === 'unknown' ? headingsOf(column).flatMap((word) => fieldCalled(resource, word, names) ?? []) : [named];
    return one?.member;
  };
}

/** What a column names; undefined for one that is left out. */
type Named = ColumnName | 'unknown' | undefined;

function namedBy(resource: Resource, column: string, map: ReadonlyMap<string, string>, names: Names): Named {
  const mapped = mappedTo(map, column);
  if (REPORT_COLUMNS.includes(column) || mapped === '') return undefined;
  if (mapped === undefined) return names.get(plain(column)) ?? 'unknown';
  return fieldCalled(resource, mapped, names) ?? 'unknown';
}

/** The field of this name, or of a word that people have for it. */
const fieldCalled = ({ name }: Resource, word: string, names: Names): ColumnName | undefined =>
  names.get(plain(word)) ?? names.get(plain(meantBy(name, plain(word)) ?? ''));

/** The member that a command may fill by this name, or by a word that people have for it. */
export function settableCalled(resource: Resource, word: string): string | undefined {
  const one = fieldCalled(resource, word, namesOf(resource));
  return one && isSettable(one) && !one.field.writeOnly ? one.member : undefined;
}

/** How --map fills the names of people from a column of whole names. */
export const BOTH_NAMES = 'FirstName LastName';
export const LAST_BEFORE = 'LastName, FirstName';

const TWO_FIELDS = /^([\p{L}\p{N} ]+),([\p{L}\p{N} ]+)$|^([\p{L}\p{N}]+) ([\p{L}\p{N}]+)$/u;

/** The two texts that --map binds a column to: `LastName, FirstName`. A field of two words is one, such as `Job title`. */
function partsOf(resource: Resource, columns: readonly string[], map: ReadonlyMap<string, string>, isGuess = false) {
  const names = namesOf(resource);
  return columns.flatMap((column, at): readonly Binding[] => {
    const mapped = mappedTo(map, column)?.trim() ?? '';
    if (fieldCalled(resource, mapped, names)) return [];
    const words = TWO_FIELDS.exec(mapped)?.slice(1).filter(Boolean) ?? [];
    const fields = words.flatMap((word) => fieldCalled(resource, word, names) ?? []);
    const isText = fields.every((one) => isSettable(one) && one.field.kind === 'text' && !one.field.writeOnly);
    if (fields.length !== 2 || !isText) return [];
    const inWords = fields.map(({ member }) => member).join(' ') === BOTH_NAMES ? 'last' : 'first';
    const cut = isGuess ? 'either' : mapped.includes(',') ? ',' : inWords;
    return fields.map((one, number) => ({
      ...bindingOf(one, column),
      part: { at, number: number === 0 ? 0 : 1, cut },
    }));
  });
}

const isOfGone = (found: Named): found is ColumnName => typeof found === 'object' && SAID_GONE.includes(found.member);

const isFixed = (found: Named): boolean => typeof found === 'object' && !isSettable(found) && !isOfGone(found);

/** The members that the synonyms among these columns stand for. One that has a column of its own name is left to it. */
function guessesFor(
  resource: Resource,
  columns: readonly string[],
  named: readonly Named[],
  { names, refs }: { readonly names: Names; readonly refs: ReadonlyMap<string, string> },
): ReadonlyMap<string, ColumnName> {
  const taken = new Set(named.flatMap((one) => (typeof one === 'object' ? [filledBy(one)] : [])));
  const guesses = new Map<string, ColumnName>();
  const isRef = (column: string): boolean => mappedTo(refs, column) !== undefined;
  for (const column of [...columns.filter(isRef), ...columns.filter((one) => !isRef(one))]) {
    const coded = isRef(column) ? [column.replace(CODE, '')] : [];
    const called = [...headingsOf(column), ...coded].flatMap((heading) => fieldCalled(resource, heading, names) ?? []);
    // A list shows the name of a reference beside its ID: Phase and PhaseID, AncestorName and AncestorID.
    const beside = names.get(`${plain(column).replace(/name$/, '')}id`);
    const meanings = called.filter(({ targets }) => !isRef(column) || targets.length > 0);
    if (beside?.targets.length) meanings.push(beside);
    // A column of passwords says so by its very name: forms hold masks and examples in theirs.
    const open = meanings.find((one) => isSettable(one) && !one.field.writeOnly && !taken.has(filledBy(one)));
    if (open) guesses.set(column, open);
    if (open && isRef(column)) taken.add(filledBy(open));
  }
  return guesses;
}

/** What a heading says of its cells besides the record that they name. */
const CODE = /(?:id|code|key|no|nr|number)\.?$/i;

/** Several columns may name one owner, each for another kind; every other member has one column. */
const filledBy = ({ field, member, targets }: Omit<Binding, 'column'>): string =>
  field.owner ? `${member} ${targets.join()}` : member;

interface ColumnName extends Omit<Binding, 'column'> {
  /** For messages. */
  readonly name: string;
}

const bindingOf = ({ member, field, targets }: ColumnName, column: string): Binding => ({
  column,
  member,
  field,
  targets,
});

/** The binding by the key of --ref, which may be a column of the file and a field of the records that it names. */
function withKey(
  resource: Resource,
  binding: Binding,
  key: string | undefined,
  all: readonly (Binding | undefined)[],
): Binding {
  if (key === undefined || binding.targets.length === 0) return binding;
  const column = plain(key);
  const here = all.find((one) => one && plain(one.column) === column)?.member;
  const members = binding.targets.flatMap((name): readonly (readonly [string, string])[] => {
    const target = name === resource.name ? resource : resourceNamed(name === 'principal' ? 'individual' : name);
    const member = (target === resource ? here : undefined) ?? fieldCalled(target, key, namesOf(target))?.member;
    return member === undefined ? [] : [[name, member]];
  });
  return { ...binding, by: { column, name: key, members: Object.fromEntries(members) } };
}

/** One fault for each --ref that cannot be followed. */
const unfollowed = (
  refs: ReadonlyMap<string, string>,
  columns: readonly string[],
  bindings: readonly (Binding | undefined)[],
  line: number,
): readonly FileFault[] =>
  [...refs].flatMap(([column, key]): readonly FileFault[] => {
    const by = bindings.find((one) => one && plain(one.column) === plain(column))?.by;
    if (by && (columns.some((one) => plain(one) === by.column) || Object.keys(by.members).length > 0)) return [];
    const message = `should name records by ${shownValue(key)}, ${by ? NO_KEY : 'but this column names no records'}`;
    const hint = by ? undefined : `--map '${typed(column)}=<Field>' names the field that it fills.`;
    return [defined({ line, column, message, hint })];
  });

const NO_KEY = 'which is neither a column of the file nor a field of these records';

const isSettable = ({ member, field }: ColumnName): boolean => member === 'ID' || isWritable(field);

type Names = ReadonlyMap<string, ColumnName>;

/** All names of columns, by their letters and digits in lower case. */
const namesOf = oncePer((resource: Resource): Names => {
  const names = new Map<string, ColumnName>();
  const put = (name: string, named: Omit<ColumnName, 'name'>): void => {
    if (!names.has(plain(name))) names.set(plain(name), { ...named, name });
  };
  const fields = Object.entries(resource.fields);
  const targetsOf = (field: Field): readonly string[] => (field.to ?? []).filter((target) => target !== 'site');
  for (const [member, field] of fields) put(member, { member, field, targets: targetsOf(field) });
  for (const [member, field] of fields) {
    if (targetsOf(field).length > 0) put(member.replace(/ID$/, ''), { member, field, targets: targetsOf(field) });
    if (!field.owner || member === 'ParentID') continue;
    for (const target of targetsOf(field))
      for (const word of OWNER_NAMES[target] ?? [target]) put(word, { member, field, targets: [target] });
  }
  for (const [member, field, only = resource.name] of EXPORTED)
    if (only === resource.name) put(member, { member, field, targets: [] });
  return names;
});

/** Column names for a kind of owner, where they are not the name of the resource. */
const OWNER_NAMES: Readonly<Record<string, readonly string[]>> = { organization: ['Department', 'Organization'] };

const mappedTo = (map: ReadonlyMap<string, string>, column: string): string | undefined =>
  map.get(column) ?? [...map].find(([name]) => plain(name) === plain(column))?.[1];

/** What is known of a header once its columns are bound. */
interface Bound {
  readonly names: Names;
  readonly bindings: readonly (Binding | undefined)[];
  readonly line: number;
  readonly isOneRow: boolean;
}

/** One fault for all columns that are no fields, and one for each that --map binds to none. */
function unknownColumns(
  resource: Resource,
  unknown: readonly string[],
  map: ReadonlyMap<string, string>,
  bound: Bound,
): readonly FileFault[] {
  const { line } = bound;
  const below = bound.isOneRow || bound.bindings.some(Boolean) ? '' : FURTHER_DOWN;
  const faultOf = (column: string): FileFault => {
    const name = mappedTo(map, column);
    const { said, field } = meaningOf(resource, name ?? column, bound);
    const hint = wayOut(column, { said: [said, name === undefined && below].filter(Boolean).join(' '), field });
    const nor = name === undefined ? '' : `, nor is ${shownValue(name)}`;
    return { line, column, message: `is not a field of ${plural(resource)}${nor}`, hint };
  };
  const unmapped = unknown.filter((column) => mappedTo(map, column) === undefined);
  const mapped = unknown.filter((column) => !unmapped.includes(column));
  const [first = '', second] = unmapped;
  if (second === undefined) return [...unmapped, ...mapped].map(faultOf);
  // A file of hundreds of columns is not read out.
  const message = `has ${unmapped.length} columns that are not fields of ${plural(resource)}: ${firstOf(unmapped.map(shownValue), 20)}`;
  const meanings = unmapped.map((column) => ({ column, ...meaningOf(resource, column, bound) }));
  const words = meanings.flatMap(({ column, said }) => (said ? `${shownValue(column)}: ${said}` : []));
  const { column, field } = meanings.find((one) => one.field !== undefined) ?? { column: first, field: undefined };
  const way = field === BOTH_NAMES ? splitting(column) : `${mapping(column, field)} maps one of them to a field`;
  const hint = [...words, below, `--ignore-unknown leaves them out; ${way}.`].filter(Boolean).join(' ');
  return [{ line, message, hint }, ...mapped.map(faultOf)];
}

export const mapping = (column: string, field = '<Field>'): string => `--map '${typed(column)}=${field}'`;

/** How a column of whole names fills two fields. */
export const splitting = (column: string): string =>
  `${mapping(column, BOTH_NAMES)} splits it before its last word, ${mapping(column, LAST_BEFORE)} at a comma`;

const wayOut = (column: string, { said = '', field }: Meaning = {}): string =>
  `${said} ${field === BOTH_NAMES ? splitting(column) : `${mapping(column, field)} maps it to a field`}; ${mapping(column, '')} leaves it out; --ignore-unknown leaves all such columns out.`.trim();

/** What a column may be meant as, in words, and the field that --map can name; neither if none is near. */
interface Meaning {
  readonly said?: string | undefined;
  readonly field?: string | undefined;
}

function meaningOf(resource: Resource, name: string, { names, bindings }: Bound): Meaning {
  const isPerson = names.has('firstname') && meantBy('individual', plain(name)) === 'Individual';
  if (isPerson || bindings.some((one) => one?.part && one.column === name)) return { field: BOTH_NAMES };
  const meant = headingsOf(name).flatMap((heading) => fieldCalled(resource, heading, names) ?? [])[0];
  const before = meant && bindings.find((one) => one && filledBy(one) === filledBy(meant))?.column;
  if (before) return { said: `The column ${before} fills ${meant.name}.` };
  // A title is called as in sheets, without what the document says of it: Title of PrimaryTitle.
  const known = [...names.values()].flatMap((one) => [one.name, one.name.replace(/^Primary(?=[A-Z])/, '')]);
  const field = nearest(name, known);
  return { field, said: field && `Did you mean ${field}?` };
}

/** The fault of each column that fills the same member as an earlier column. Two guessed columns may both be meant. */
function twice(
  bindings: readonly (Binding | undefined)[],
  guessed: ReadonlySet<string>,
  line: number,
): readonly FileFault[] {
  const earlier = new Map<string, string>();
  return bindings.flatMap((binding): readonly FileFault[] => {
    if (!binding) return [];
    const { column, member } = binding;
    const before = earlier.get(filledBy(binding));
    earlier.set(filledBy(binding), column);
    if (before === undefined) return [];
    const message = `fills ${member}, as the column ${before} does`;
    if (column.startsWith(SET)) return [{ line, column, message, hint: `Leave ${column} out.` }];
    if (!guessed.has(column)) return [{ line, column, message }];
    const hint = `Say which it is: --map '${typed(column)}=${member}' --map '${typed(before)}='`;
    return [{ line, column, message: `may mean ${member}, and so may the column ${before}`, hint }];
  });
}

/** The faults of columns that are mapped, and that the file has not. */
export function unused(map: ReadonlyMap<string, string>, columns: Iterable<string>, line = 1): readonly FileFault[] {
  const there = new Set([...columns].map(plain));
  return [...map.keys()]
    .filter((name) => !there.has(plain(name)))
    .map((name) => ({ line, column: name, message: 'is mapped, but the file has no such column' }));
}
