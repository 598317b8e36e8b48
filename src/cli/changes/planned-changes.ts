// Planned changes as printed rows: one for each member that changes.

import { alsoOf } from '../../changes/plan/current-record.ts';
import { isUnaltered } from '../../changes/plan/drift.ts';
import type { Rehearsed } from '../../changes/rehearsal/rehearsed.ts';
import { operationOfRow } from '../../changes/run/apply-row.ts';
import { ownID } from '../../changes/run/remote/id-map.ts';
import type { Finder } from '../../contract/call.ts';
import { orNone } from '../../contract/errors.ts';
import { guid, isWritable } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { isSoft, nameOf, type Resource, type Row, type Value, valuesOf } from '../../contract/resource.ts';
import { batchedRows, chunks, collect, grouped } from '../../text/batches.ts';
import { defined } from '../../text/defined.ts';
import { consequenceMember } from '../consequences/words.ts';
import { type Context, formatOf, tableClock } from '../context.ts';
import { fieldFlags, kebab, resourceCalled } from '../names.ts';
import { valueInWords } from '../output/formats/cells.ts';
import {
  type Clock,
  integers,
  isForPeople,
  type NameOf,
  type Rows,
  type Shape,
  shapeFrom,
  texts,
} from '../output/result.ts';
import { namesOfOwners, type ReferenceNames, referenceNames } from '../selectors/reference-names.ts';
import { fileOf, hasFiles, type JobSettings } from './journal.ts';

const FIELDS = {
  ...texts('File'),
  ...integers('Line'),
  ...texts('Operation', 'Name', 'Field', 'Before', 'After', 'Resource'),
  ID: guid('read-only'),
};

/** The shape of planned changes, `without` columns that are empty here. */
export function plannedShape(without: readonly string[] = []): Shape {
  const fields = Object.fromEntries(Object.entries(FIELDS).filter(([name]) => !without.includes(name)));
  // A narrow table drops the others: a change is found by its name, and in one file by its line.
  const place = without.includes('File') ? ['Line'] : [];
  return { ...shapeFrom('PlannedChange', fields), whole: [...place, 'Operation', 'Name', 'Field', 'Before', 'After'] };
}

/** The note of every dry run on a remote service. */
export const ONLY_SENT = 'This shows only what pm would send, not what the service computes from it.';

/** The name by which commands take the record, such as the user name; null where it has none. */
export const nameIn = ({ names }: Resource, record: Readonly<Record<string, unknown>> = {}): string | null =>
  names.map((name) => record[name]).find((value): value is string => typeof value === 'string' && value !== '') ?? null;

/** Prints the lines of a dry run, without columns that are empty. */
export async function printPlanned(context: Context, lines: readonly Row[], names: ReferenceNames): Promise<void> {
  const session = await context.session();
  const isNamed = lines.some(({ Name }) => Name !== null);
  await printChanges(context, lines, names, isNamed ? ['File', 'Line'] : ['File', 'Line', 'Name']);
  if (lines.length > 0 && !session.local) context.note(ONLY_SENT);
}

/** Prints in place of whole records what updates have changed in them. */
export async function printUpdated(context: Context, updated: readonly Rehearsed[]): Promise<void> {
  const session = await context.session();
  const names = referenceNames(session);
  const lines = (await collect(plannedRows(updated, { find: session.find, names }))).flat();
  const which = updated.length === 1 ? ['Name', 'ID'] : [lines.some(({ Name }) => Name !== null) ? 'ID' : 'Name'];
  await printChanges(context, lines, names, ['File', 'Line', 'Operation', 'Resource', ...which]);
}

/** Prints planned changes as rows, `without` columns that are empty. Answers the exit code, 0. */
async function printChanges(
  context: Context,
  rows: Rows,
  names: ReferenceNames,
  without: readonly string[],
): Promise<number> {
  return context.print({ shape: plannedShape(without), rows, nameOf: plannedNames(names, await tableClock(context)) });
}

/** So many records are printed at once where people read them: a file may have millions. */
const AT_ONCE = 10_000;

/** As `printChanges`, of the rows of files. Where people read them, a new record is one row, and what others change stands below. */
export async function printRehearsed(
  context: Context,
  records: AsyncGenerator<readonly Row[]>,
  names: ReferenceNames,
  without: readonly string[],
): Promise<void> {
  const { fields, jmespath, sort, limit, where } = context.settings;
  const isChosen = where.length > 0 || [fields, jmespath, sort, limit].some((one) => one !== undefined);
  const lines = batchedRows(() => records);
  if (isChosen || !isForPeople(formatOf(context))) return void (await printChanges(context, lines, names, without));
  for await (const some of chunks(records, AT_ONCE)) {
    const changes = some.filter((lines) => !isNew(lines)).flat();
    const made = grouped(some.filter(isNew), ([line]) => line?.Resource);
    for (const records of made.values()) await printNew(context, records, names, without);
    if (changes.length === 0) continue;
    if (made.size > 0) context.note('Changes:');
    await printChanges(context, changes, names, without);
  }
}

type Lines = readonly Row[];

const isNew = ([line]: Lines): boolean => line?.Operation === 'create';

async function printNew(context: Context, made: readonly Lines[], names: ReferenceNames, without: readonly string[]) {
  const resource = resourceCalled(String(made[0]?.[0]?.Resource));
  const rows = made.map((record): Row => {
    const body = Object.fromEntries(record.map(({ Field, After = null }) => [String(Field), After]));
    const values = Object.entries(body).map(([member, value]) => [titleOf(member), value]);
    return { ...record[0], ...Object.fromEntries(values), Name: nameOf(resource, body) ?? body.Name ?? null };
  });
  const members = new Map(fieldFlags(resource).map(({ name }) => [titleOf(name), name]));
  // The columns of lists come first, then references to other records.
  const listed = resource.columns.map(stemOf);
  const placeOf = (member: string): number =>
    listed.indexOf(stemOf(member)) + 1 || listed.length + (resource.fields[member]?.to ? 1 : 2);
  const isWorthwhile = (title: string): boolean =>
    rows.some(({ Name, [title]: value = null }) => !UNTOLD.includes(value) && !isPart(title, value, Name));
  const titles = [...members].filter(([title]) => isWorthwhile(title)).sort(([, a], [, b]) => placeOf(a) - placeOf(b));
  const all = { ...texts('File'), ...integers('Line'), ...texts('Name', ...titles.map(([title]) => title)) };
  const fields = Object.fromEntries(Object.entries(all).filter(([name]) => name === 'Name' || !without.includes(name)));
  const shape = { ...shapeFrom(`New ${resource.command}`, fields), whole: ['Name'], more: '-o csv shows all' };
  const named = plannedNames(names, await tableClock(context));
  await context.print({
    shape,
    rows,
    nameOf: (row, title) => named({ ...row, Field: members.get(title) ?? null, After: row[title] ?? null }, 'After'),
  });
}

/** The first name of a person stands in the name of the row. */
const isPart = (title: string, value: Value, name: Value = ''): boolean =>
  title.endsWith('Name') && String(name).includes(String(value));

/** Most records have these values in most members. */
const UNTOLD: readonly Value[] = [null, 'false'];

/** A column is called as its field, without what many have: Title of PrimaryTitle. */
const titleOf = (member: string): string => member.replace(/^Primary(?=[A-Z])|ID$/g, '');
const stemOf = (member: string): string => titleOf(member).replace(/Name$/, '');

interface Known {
  /** Looks up the members of groups and the like. */
  readonly find?: Finder | undefined;
  readonly job?: JobSettings;
  /** Learns the names of new records. */
  readonly names?: ReferenceNames;
  /** Further rows, known after the last change. */
  readonly missing?: (() => readonly Row[]) | undefined;
}

/** One row for each member that changes, those of a record together. */
export async function* plannedRows(
  rehearsed: AsyncIterable<Rehearsed> | Iterable<Rehearsed>,
  { find, job, names, missing }: Known = {},
): AsyncGenerator<readonly Row[]> {
  for await (const one of rehearsed) {
    const { applied } = one;
    if (names) addNew(names, one);
    const others = applied ? applied.others.map((after) => ({ ...one, made: { ...applied, after } })) : [];
    const further = (applied?.further ?? alsoOf(one.row)).map((row) => ({ row }));
    for (const each of [one, ...others, ...further])
      yield (await rowsFor(each, find, names)).map((line, at) => ({
        ...{ ...positionOf(each.row, job), ...line, ...(each === one && at === 0 ? consequencesIn(one) : {}) },
      }));
  }
  yield missing?.() ?? [];
}

/** A list, which the formats for programs print whole and no table has a column for. */
const consequencesIn = ({ consequences = [] }: Rehearsed): Row =>
  consequences.length === 0 ? {} : { Consequences: consequenceMember(consequences) as unknown as Value };

/** Other rows may refer to the records that a row makes. */
function addNew(names: ReferenceNames, { row, newID, applied }: Rehearsed): void {
  const { resource, operation } = operationOfRow(row);
  if (operation.verb !== 'create') return;
  const made = applied ? [applied.after, ...applied.others] : [];
  for (const record of made) names.add(resource.name, record.ID, record);
  if (row.body) names.add(resource.name, newID ?? row.id, row.body);
}

/** The names of what planned changes refer to, with the ID where both values have one name; and times by a clock. */
const plannedNames =
  (names: ReferenceNames, clock: Clock | undefined): NameOf =>
  async ({ Resource, ID, Field, Before = null, After = null }, column) => {
    const { name: target, fields } = resourceCalled(String(Resource));
    if (column === 'Name') return names.of({ ...guid('read-only'), to: [target] }, ID);
    if (column !== 'Before' && column !== 'After') return undefined;
    const field = fields[String(Field)];
    const [before, after] = [await names.of(field, Before), await names.of(field, After)];
    const [name, id] = column === 'Before' ? [before, Before] : [after, After];
    if (name === undefined) return valueInWords(field, id, clock);
    return before === after ? `${name} (${String(id)})` : name;
  };

/** The file and line of a row; the file only if `job` has several. */
const positionOf = (row: PlannedRow, job: JobSettings | undefined): Row => ({
  ...(job && hasFiles(job) ? { File: fileOf(job, row) ?? null } : {}),
  Line: row.line ?? null,
});

async function rowsFor(
  rehearsed: Rehearsed,
  find: Finder | undefined,
  names: ReferenceNames | undefined,
): Promise<readonly Row[]> {
  const { row, applied, current } = rehearsed;
  const { resource, operation } = operationOfRow(row);
  const record = current ?? applied?.now ?? applied?.after ?? row.body ?? (await readBefore(row, find));
  const owners = ownersOf(resource).map(({ field }) => field);
  const ofOwners = async () => names && namesOfOwners(names, resource.fields, valuesOf((record ?? {}) as Row, owners));
  const head = { Operation: kebab(operation.name), Name: nameIn(resource, record) ?? (await ofOwners()) ?? null };
  const tail = { Resource: resource.command, ID: operation.many ? null : (ownID(row) ?? null) };
  const changed = operation.verb === 'local' ? await localMembers(row, find) : membersOf(rehearsed);
  const members = [...changed, ...secretMembers(row)];
  return members.map(([Field, Before, After]) => ({ ...head, Field, Before, After, ...tail }));
}

/** The record from a list that was read to plan the row: no service is asked for it. */
async function readBefore({ resource, id, place }: PlannedRow, find: Finder | undefined): Promise<Row | undefined> {
  if (id === undefined) return undefined;
  const found = find?.record(resource, defined({ id, place }), 'cached');
  return (await orNone(found, ['unreachable']))?.row;
}

type Member = readonly [field: string, before: Value, after: Value];

function membersOf({ row, applied, current }: Rehearsed): readonly Member[] {
  const { resource, operation } = operationOfRow(row);
  const { verb, many } = operation;
  if (verb === 'delete' || verb === 'undelete')
    return deletionMembers(resource, row.id, applied?.before ?? current, verb === 'delete');
  if (!applied && operation.takes !== undefined) return [['(as the service says)', null, null]];
  if (!applied) return sentMembers(resource, row, current);
  const { before = {}, after } = applied;
  if (verb === 'create' || many || !applied.now) return writtenMembers(resource, applied.now, after);
  return Object.keys(before).map((name) => member(name, before[name], after[name]));
}

const member = (name: string, before: unknown, after: unknown): Member => [name, textOf(before), textOf(after)];

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

/** Secret members: neither the old nor the new value is shown. */
const secretMembers = ({ secret }: PlannedRow): readonly Member[] =>
  (secret?.members ?? []).map((name) => [name, null, '(not shown)']);

/** The `Deleted` mark if it changes; the ID of a record that is deleted for good. */
function deletionMembers(resource: Resource, id: string | undefined, before: Row | undefined, deleted: boolean) {
  if (!isSoft(resource)) return [member('ID', id, null)];
  const stood = before ? before.Deleted : !deleted;
  return stood === undefined || stood === deleted ? [] : [member('Deleted', stood ?? false, deleted)];
}

const writtenMembers = ({ fields }: Resource, before: Row | undefined, after: Row): readonly Member[] =>
  Object.entries(fields)
    .filter(([name, field]) => name !== 'ID' && isWritable(field) && !field.writeOnly)
    .filter(([name]) => (before?.[name] ?? null) !== (after[name] ?? null))
    .map(([name]) => member(name, before?.[name], after[name]));

/** The members of the request that get another value. */
function sentMembers(resource: Resource, row: PlannedRow, now: Row | undefined): readonly Member[] {
  const { patch, body, was } = row;
  const before = now ?? was ?? {};
  const isNew = operationOfRow(row).operation.verb === 'create';
  return Object.entries(patch ?? body ?? {})
    .filter(([name, value]) => (now ? !isUnaltered(resource, name, value, now[name]) : !isNew || value !== null))
    .map(([name, value]) => member(name, before[name], value));
}

/** What an operation of the engine adds or removes, by its own words. */
async function localMembers(row: PlannedRow, find: Finder | undefined): Promise<readonly Member[]> {
  const { operation } = operationOfRow(row);
  const { adds = {}, removes = {}, takes = {} } = operation;
  const named = async (name: string): Promise<Value> => {
    const value = textOf(row.body?.[name]);
    const target = takes[name]?.to?.[0];
    if (value === null || target === undefined || !find) return value;
    return nameIn(resourceNamed(target), (await find.record(target, { id: value })).row) ?? value;
  };
  const members: Member[] = [];
  for (const [word, name] of Object.entries(removes)) members.push([word, await named(name), null]);
  for (const [word, name] of Object.entries(adds)) members.push([word, null, await named(name)]);
  return members.filter(([, before, after]) => before !== null || after !== null);
}
