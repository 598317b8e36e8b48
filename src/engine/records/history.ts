// Writes records, each with a line of history, and reads those lines.
import { ServiceError } from '../../contract/errors.ts';
import { everyResource } from '../../contract/index.ts';
import { GROUP_MEMBER, type History, type Line, type LineWhat, memberID } from '../../contract/lines.ts';
import { type Resource, type Row, singular, type Value, valuesOf } from '../../contract/resource.ts';
import type { Checked } from '../../contract/validate.ts';
import { after } from '../../text/all-of.ts';
import { keepingLatest } from '../../text/once-per.ts';
import type { Caller } from '../caller.ts';
import { type Writing, writeDate } from '../context.ts';
import type { DataAccess } from '../data-access.ts';
import { adminOnly, isAdministrator } from '../rights/labels.ts';
import { type Stored, type StoredLine, UniqueViolation } from '../store/port.ts';
import { article } from './record-names.ts';

/** Stores a checked new record. Answers it as stored. Throws `conflict` where it exists already. */
export function insert(
  writing: Writing,
  resource: Resource,
  { values, others = {} }: Pick<Checked, 'values'> & Partial<Checked>,
): Stored | Promise<Stored> {
  const row = withStamps(writing, resource, { values, others });
  const conflict = (error: unknown): never => {
    throw orConflict(resource, row, error);
  };
  const inserting = writing.store.insert(resource.name, row);
  const stored = inserting instanceof Promise ? inserting.catch(conflict) : inserting;
  return after<Stored, Stored>(stored, (stored) =>
    after<void, Stored>(log(writing, resource, row, 'create', undefined), () => stored),
  );
}

/** Writes changed members with who changed them and when, and their values before to the history. */
export async function replace(writing: Writing, resource: Resource, before: Stored, changes: Row): Promise<void> {
  const id = String(before.ID);
  const marked =
    'Updated' in resource.fields ? { ...changes, Updated: writing.now, UpdatedBy: writing.caller.id } : changes;
  try {
    await writing.store.update(resource.name, writing.site, id, marked);
  } catch (error) {
    throw orConflict(resource, marked, error);
  }
  await log(writing, resource, before, 'update', valuesOf(before, Object.keys(marked)));
}

/** Marks a record as deleted or as live again, with everything below it (D6, D7). */
export async function setDeleted(
  writing: Writing,
  resource: Resource,
  before: Stored,
  deleted: boolean,
): Promise<void> {
  const id = String(before.ID);
  const changes = { Deleted: deleted, Updated: writing.now, UpdatedBy: writing.caller.id };
  const isHidden = before.DeletedByRef === true;
  await writing.store.setDeleted(resource.name, writing.site, [{ id, changes, isHidden }], deleted);
  await log(writing, resource, before, deleted ? 'delete' : 'undelete', valuesOf(before, Object.keys(changes)));
}

/** Puts an individual into a security group, where it is not yet, or takes it out again. */
export async function setMember(writing: Writing, group: string, individual: string, isMember: boolean): Promise<void> {
  await writing.store[isMember ? 'addMember' : 'deleteMember'](writing.site, group, individual);
  const what = isMember ? 'create' : 'remove';
  await log(writing, { name: GROUP_MEMBER }, { ID: memberID(group, individual) }, what, undefined);
}

/** Writes the line of a change of a record. */
export function log(
  { store, site, now, caller, cause }: Writing,
  { name: resource }: Pick<Resource, 'name'>,
  { ID }: Row,
  what: LineWhat,
  before: Row | undefined,
): void | Promise<void> {
  // A literal: spreads of objects take a twentieth of the time of an import.
  const line = {
    at: millisecondsOf(now),
    caller: caller.id,
    job: cause?.job,
    row: cause?.row,
    resource,
    id: String(ID),
    what,
    before,
  };
  return store.addLines(site, [line]);
}

/** Many changes are made in one millisecond. */
const millisecondsOf = keepingLatest((moment: string) => Date.parse(moment));

/** Unknown members of an open resource, as they are stored. */
export const othersOf = (checked: Checked): Value =>
  Object.keys(checked.others).length === 0 ? null : JSON.stringify(checked.others);

function withStamps(writing: Writing, { fields, open }: Resource, checked: Checked): Row {
  const stamps: Record<string, Value> = { SiteID: writing.site };
  if ('Deleted' in fields) stamps.Deleted = false;
  if ('Created' in fields) stamps.Created = writing.now;
  if ('CreatedBy' in fields) stamps.CreatedBy = writing.caller.id;
  if ('Updated' in fields) stamps.Updated = writing.now;
  if ('UpdatedBy' in fields) stamps.UpdatedBy = writing.caller.id;
  if (open) stamps.Others = othersOf(checked);
  // Ten times as fast as members added one by one to a copy of the values.
  return Object.assign({}, checked.values, stamps);
}

/** The error to throw for that of a write: `conflict` where a unique value is taken. */
function orConflict(resource: Resource, row: Row, error: unknown): unknown {
  if (!(error instanceof UniqueViolation)) return error;
  const values = error.fields.map((field) => `${field} ${String(row[field] ?? 'null')}`).join(', ');
  return new ServiceError('conflict', `there is ${article(singular(resource))} with ${values} already`, {
    faults: error.fields.map((field) => ({ field, code: 'taken', message: 'is taken' })),
    hint: `Choose another one, or change the existing record${resource.operations.undelete ? '; if that is deleted, undelete it first' : ''}.`,
    cause: error,
  });
}

/** Sequence numbers in a piece: other processes wait for each. */
const PIECE = 5_000;

/** The history of one site; that of another site's own record is kept there. */
export const historyOn = ({ rows, write }: DataAccess, caller: Caller, site: string): History => ({
  async of(resource, id) {
    const keeper = resource === 'site' && caller.isGlobalAdmin ? id : site;
    return (await rows.lines(keeper, resource, id)).map(lineShown);
  },
  since: async (at, limit) =>
    (await rows.siteLines(site, at === undefined ? undefined : instantOf(at), limit)).map(lineShown),
  laterJobs: rows.laterJobs,
  async globals() {
    const equals = { IsGlobalAdmin: true };
    const found = await rows.find({ resource: 'individual', site: undefined, equals, deleted: 2 });
    return found.map(({ ID, UserName }) => ({ id: String(ID), userName: String(UserName) }));
  },
  async countOld(before) {
    const { count = 0, jobs = 0 } = (await rows.oldLines(site, instantOf(before))) ?? {};
    return { lines: count, jobs };
  },
  async *prune(before) {
    if (!isAdministrator({ caller, site })) throw adminOnly('forgetting history');
    const old = await rows.oldLines(site, instantOf(before));
    if (!old) return;
    for (let from = old.from; from <= old.to; from += PIECE) {
      const to = Math.min(from + PIECE - 1, old.to);
      yield await write((writer) => writer.deleteLines(site, from, to));
    }
  },
});

const lineShown = ({ at, before, ...line }: StoredLine): Line => ({
  ...line,
  at: writeDate(new Date(at)),
  before: before && membersOf(line.resource, before),
});

/** Members of the contract, and unknown ones where the resource is open (D11). */
export function membersOf(name: string, stored: Row): Row {
  const resource = everyResource.find((one) => one.name === name);
  if (!resource) return stored;
  const { fields, open } = resource;
  const members: Record<string, Value> = {};
  for (const member in stored) if (member in fields) members[member] = stored[member] ?? null;
  if (open && typeof stored.Others === 'string') Object.assign(members, JSON.parse(stored.Others));
  return members;
}

/** A moment in milliseconds. Throws `invalid`. */
function instantOf(at: string): number {
  const instant = Date.parse(at);
  if (!Number.isNaN(instant)) return instant;
  throw new ServiceError('invalid', `"${at}" is not a date and time`, { hint: 'Write it like 2026-05-14T09:30:00Z.' });
}
