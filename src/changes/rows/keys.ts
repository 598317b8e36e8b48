// The key members that match the rows of a file with records, and the lines on which each key occurs.
import { crc32 } from 'node:zlib';
import type { Finder } from '../../contract/call.ts';
import type { Fields } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import { idKey, sameID } from '../../contract/kinds.ts';
import { listMembers, ownersOf } from '../../contract/record-address.ts';
import { type Resource, type Row, type Value, valuesOf } from '../../contract/resource.ts';
import { foundKey } from '../../contract/same-values.ts';
import { grouped } from '../../text/batches.ts';
import { quoted } from '../../text/escape.ts';
import { once, valueAt } from '../../text/once-per.ts';
import { series } from '../../text/thousands.ts';
import type { FileFault } from '../files/input.ts';
import { membersToSay } from '../plan/required-fields.ts';
import type { Made } from '../run/remote/id-map.ts';
import { headingFor, typed } from './column-synonyms.ts';
import { CREATING, type Mode, type Records, type RowDraft } from './row-draft.ts';

/** The file whose rows are matched. */
interface KeyedFile {
  /** The members that it fills. */
  readonly there: ReadonlySet<string>;
  columnOf(member: string): string | undefined;
  /** No other file is read with it: only then is there a flag --key. */
  readonly isAlone: boolean;
}

/** The key members: those asked for, else the ID where the file has one, else the key of the resource; undefined if it lacks one. */
export function keyOf(
  { key }: Resource,
  asked: readonly string[],
  { there }: KeyedFile,
): readonly string[] | undefined {
  const own = there.has('ID') ? ['ID'] : key;
  const wanted = asked.length > 0 ? asked : own;
  return wanted.length > 0 && wanted.every((name) => there.has(name)) ? wanted : undefined;
}

const headings = (members: readonly string[]): string => series(members.map(headingFor));

/**
 * What to do where a file lacks columns for new records. Where it `isAlone`, a flag may give all rows the same value of one that
 * is not unique, and user names of the cells of others.
 */
export function columnsToAdd(
  { fields }: Pick<Resource, 'fields'>,
  members: readonly string[],
  { isAlone, columnOf }: Pick<KeyedFile, 'isAlone' | 'columnOf'>,
): string {
  const [one] = isAlone ? members.filter((name) => !fields[name]?.unique).slice(-1) : [];
  const set = one ? ` One value for all rows: --set '${headingFor(one)}=<value>'.` : '';
  const login = isAlone && members.includes('UserName') ? loginOf(columnOf) : '';
  return `Add ${members.length === 1 ? 'a column' : 'columns'} ${headings(members)}.${set}${login}`;
}

/** The key where all rows are to be new: the same where the file fills it, else a unique member, or none. */
export function newKeyOf({ key, fields }: Resource, there: ReadonlySet<string>): readonly string[] {
  if (there.has('ID')) return ['ID'];
  const isFilled = (name: string): boolean => there.has(name) || fields[name]?.to?.includes('site') === true;
  if (key.every(isFilled)) return key;
  return [...there].filter((name) => fields[name]?.unique).slice(0, 1);
}

/**
 * The key where the ID of a row is of another site: records that the service creates, such as primary memberships, have
 * different IDs on each site, and so has all that it numbers, which would be made again by each import.
 */
export function spareKeyOf(
  { id, name, fields, identity, key }: Resource,
  mode: Mode,
  there: ReadonlySet<string>,
): readonly string[] {
  const isNumbered = id === 'integer';
  // A number says which record is changed or deleted.
  if (isNumbered && mode !== 'upsert' && mode !== 'skip' && mode !== 'create') return [];
  // New sites have security groups of the same names.
  const known = isNumbered || name === 'securityGroup' ? key : identity;
  if (known.length > 0) return known.every((one) => there.has(one)) ? known : [];
  return [...there].filter((one) => fields[one]?.unique).slice(0, 1);
}

/** What a file says that has no column of the key: all columns that it lacks at once. */
export function keyless(
  resource: Resource,
  asked: readonly string[],
  file: KeyedFile,
  mode: Mode,
): Pick<FileFault, 'message' | 'hint'> {
  const { command, fields, key } = resource;
  const { there, isAlone } = file;
  const isCreating = CREATING.includes(mode);
  const wanted = asked.length > 0 ? asked : key.length > 0 ? key : ['ID'];
  const missing = wanted.filter((name) => !there.has(name));
  const strange = asked.find((name) => !fields[name]);
  if (strange !== undefined) {
    const hint = `Name a field, such as --key ${key[0] ?? 'ID'}, or say by --map which field the column fills.`;
    return { message: `is matched by ${strange}, which is not a field of ${command} and fills no single one`, hint };
  }
  const needed = isCreating ? membersToSay(resource, there).filter((name) => !missing.includes(name)) : [];
  const message = `has no column for ${headings(missing)}, which finds existing ${command}`;
  const others = needed.length === 0 ? '' : `, and none for ${headings(needed)}, which new ones need`;
  const isOfNames = !isCreating && there.has('FirstName') && there.has('LastName');
  const single = ['Email', ...resource.names].find((name) => there.has(name) && fields[name]);
  const other = single ?? (isOfNames ? 'FirstName,LastName' : undefined);
  const instead = asked.length > 0 && key.every((name) => there.has(name)) ? key.join() : other;
  const columnOf = isCreating ? file.columnOf : () => undefined;
  const isNew = isAlone && isCreating && key.length === 0 && asked.length === 0;
  const add = columnsToAdd(resource, [...missing, ...needed], { isAlone, columnOf });
  const toAdd = isNew ? 'If all rows are new: --mode create. To change what is there, add a column ID.' : add;
  const byOther = `by another column: --key ${instead}.`;
  // A user name that is made does not find people who have another one: their e-mails do.
  const byEmail = `Match rows ${byOther}${isCreating ? ` For new rows: ${toAdd}` : ''}`;
  const hint = instead === 'Email' ? byEmail : `${toAdd} Or match rows ${byOther}`;
  return { message: `${message}${others}`, hint: isAlone && instead ? hint : toAdd };
}

/** A user name that is made of columns which the file has; both names may stand in one. */
function loginOf(columnOf: KeyedFile['columnOf']): string {
  const [email, ...names] = ['Email', 'FirstName', 'LastName'].map(columnOf);
  const made = names.every(Boolean) ? [...new Set(names)] : [email].filter(Boolean);
  if (made.length === 0) return '';
  return ` User names of their cells: --set 'UserName=${made.map((one) => `{${typed(one ?? '')}}`).join('.')}'.`;
}

export const keyText = (fields: Fields, key: readonly string[], values: Readonly<Record<string, Value>>): string =>
  key.map((name) => foundKey(fields[name], values[name] ?? null)).join('\u0000');

/** The key of a row in a sentence, as the file has it: `UserName "ann"`; without owners, unless there is nothing else. */
export function keyInWords(
  { fields }: Resource,
  key: readonly string[],
  { values, written }: Pick<RowDraft, 'values' | 'written'>,
): string {
  const own = key.filter((name) => !fields[name]?.to);
  const textOf = (name: string): string => written.get(name) ?? String(values[name] ?? '');
  return (own.length > 0 ? own : key).map((name) => `${name} ${quoted(textOf(name))}`).join(' and ');
}

/** Finds the records with a key; undefined if the service has no list that shows them. */
export type FindByKey = (values: Readonly<Record<string, Value>>) => Promise<readonly Row[] | undefined>;

/** Has the site no record of this resource? It is asked once; false where a list does not begin at once. */
export function noneOf({ find }: Records, { name }: Resource): () => boolean | Promise<boolean> {
  let isNone: boolean | undefined;
  const ask = once(async () => {
    for await (const _ of find.all?.(name, 2) ?? [undefined]) return false;
    return true;
  });
  return () => isNone ?? ask().then((is) => (isNone = is));
}

/**
 * Where two consecutive rows have one owner, all its records are read: the next rows mostly have it, too. `there`: the
 * members that the file fills.
 */
export function finderFor(
  resource: Resource,
  key: readonly string[],
  { find }: Records,
  there: ReadonlySet<string>,
): FindByKey {
  const owners = ownersOf(resource).map(({ field }) => field);
  if (key.length === 1 && key[0] === 'ID') return byID(resource, find, there);
  const owner = owners.find((name) => key.includes(name));
  if (owner === undefined || key.length === 1) return (values) => find.byMembers(resource.name, valuesOf(values, key));
  // A list shows commitments of one period, and permissions of one child type.
  const narrowing = listMembers(resource).filter((name) => !owners.includes(name));
  const together = [owner, ...key.filter((name) => narrowing.includes(name))];
  let last: { readonly whose: string; groups?: Promise<ReadonlyMap<string, readonly Row[]> | undefined> } | undefined;
  return async (values) => {
    const whose = keyText(resource.fields, together, values);
    if (last?.whose !== whose) {
      last = { whose };
      return find.byMembers(resource.name, valuesOf(values, key));
    }
    const ofOwner = (): Promise<readonly Row[] | undefined> =>
      find.byMembers(resource.name, valuesOf(values, together));
    last.groups ??= ofOwner().then((rows) => rows && byKey(resource, key, rows));
    const groups = await last.groups;
    return groups && (groups.get(keyText(resource.fields, key, values)) ?? []);
  };
}

/** Finds a record by its ID, in the list of the owner that the row names. */
function byID(resource: Resource, find: Records['find'], there: ReadonlySet<string>): FindByKey {
  const listed = listMembers(resource);
  const nullable = new Set(listed.filter((name) => there.has(name) && resource.fields[name]?.nullable));
  return async (values) => {
    const said = listed.filter((name) => values[name] != null || nullable.has(name));
    const place = valuesOf(values, said);
    const { state, row } = await find.record(resource.name, { id: String(values.ID), place }, 'many');
    return state === 'unseen' ? undefined : row ? [row] : [];
  };
}

/** Records grouped by key. */
export const byKey = ({ fields }: Resource, key: readonly string[], rows: readonly Row[]) =>
  grouped(rows, (row) => keyText(fields, key, row));

/** The finder, with records that were made a moment ago: some services show them late, and they would be made again. */
export function withMade(find: Finder, made: Made): Finder {
  const groups = new Map<string, ReadonlyMap<string, readonly Row[]>>();
  const added = (name: string, shown: readonly Row[] | undefined, members: Row): readonly Row[] | undefined => {
    const resource = resourceNamed(name);
    const names = Object.keys(members);
    const by = [name, ...names].join(' ');
    const group = valueAt(groups, by, () => byKey(resource, names, [...(made.get(name)?.values() ?? [])]));
    const alike = group.get(keyText(resource.fields, names, members)) ?? [];
    return shown && [...shown, ...alike.filter(({ ID }) => !shown.some((one) => sameID(one.ID, ID)))];
  };
  return {
    ...find,
    async *all(name, deleted) {
      const late = new Map(made.get(name));
      for await (const row of find.all(name, deleted)) {
        late.delete(idKey(row.ID));
        yield row;
      }
      yield* late.values();
    },
    byMembers: async (name, members) => added(name, await find.byMembers(name, members), members),
    byName: async (name, field, text, search) =>
      added(name, await find.byName(name, field, text, search), { ...search?.within, [field]: text }),
  };
}

/** The hint where two rows are one person. */
export const LEAVE_OUT =
  'Leave one of the two rows out. A second department is a row of department-members: Individual, Department, Title.';

export type KeyLines = ReturnType<typeof newKeyLines>;

const FIRST_SLOTS = 1 << 10;
const WORDS = 4;

/**
 * A hash table of 64-bit hashes, 16 bytes for each slot. Two of a million keys collide with a probability of 1 in 30 million;
 * of a key that is there twice, different contents count as the same with one of 1 in 4 thousand million.
 */
export function newKeyLines() {
  let slots = FIRST_SLOTS;
  let table = new Uint32Array(slots * WORDS);
  let count = 0;
  /** The slot of the key, or a free one. A line is never 0, which marks a free slot. */
  const slotOf = (high: number, low: number): number => {
    let slot = low & (slots - 1);
    while (table[slot * WORDS + 2] !== 0 && (table[slot * WORDS] !== high || table[slot * WORDS + 1] !== low))
      slot = (slot + 1) & (slots - 1);
    return slot * WORDS;
  };
  const grow = (): void => {
    const old = table;
    slots *= 2;
    table = new Uint32Array(slots * WORDS);
    for (let at = 0; at < old.length; at += WORDS) {
      const slot = old[at + 2] === 0 ? -1 : slotOf(old[at] ?? 0, old[at + 1] ?? 0);
      if (slot >= 0) for (let word = 0; word < WORDS; word++) table[slot + word] = old[at + word] ?? 0;
    }
  };
  return {
    has: (key: string): boolean => table[slotOf(...hashOf(key)) + 2] !== 0,
    /** The earlier line with this key, and whether its content was the same; undefined if it is new: then this line is kept. */
    add(key: string, line: number, content = ''): { readonly line: number; readonly isSame: boolean } | undefined {
      const [high, low] = hashOf(key);
      const said = crc32(content);
      const slot = slotOf(high, low);
      const before = table[slot + 2] ?? 0;
      if (before !== 0) return { line: before, isSame: table[slot + 3] === said };
      [table[slot], table[slot + 1], table[slot + 2], table[slot + 3]] = [high, low, line, said];
      if (++count * 3 > slots * 2) grow();
      return undefined;
    },
  };
}

/** Two 32-bit hashes, mixed with each other at the end. */
function hashOf(text: string): readonly [number, number] {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 2_654_435_761);
    other = Math.imul(other ^ unit, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return [one >>> 0, other >>> 0];
}
