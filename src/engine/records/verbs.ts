// The six ordinary verbs, for any resource.
import type { Input, ListOptions } from '../../contract/call.ts';
import { type Fault, invalid } from '../../contract/errors.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import { isSoft, type Resource, type Row, singular, type Value } from '../../contract/resource.ts';
import { inheritanceOf } from '../../contract/rights.ts';
import { type Body, type Checked, validate } from '../../contract/validate.ts';
import { allOf } from '../../text/all-of.ts';
import { oncePer } from '../../text/once-per.ts';
import { type Change, type Context, lookupsIn } from '../context.ts';
import { checkNew, checkRight, visibleRows } from '../rights/check.ts';
import { isAdministrator } from '../rights/labels.ts';
import { rulesFor } from '../rules/index.ts';
import type { Writing } from '../rules/rule.ts';
import type { Query, Stored } from '../store/port.ts';
import type { Target } from '../target.ts';
import { answer, answeredInPages } from './answer.ts';
import { bodyAt, changedMembers, checkMatch, existingRecord, fixedMembers } from './bodies.ts';
import { insert, log, replace, setDeleted } from './history.ts';
import { readable, recordOf } from './read-record.ts';
import { nameOf } from './record-names.ts';
import { checkReferences } from './references.ts';

/** D4, D16. A list below a deleted owner needs `deleted` 1 or 2 (D5). */
export async function* list(context: Context, target: Target, want: ListOptions = {}): AsyncGenerator<Row> {
  const deleted = (target.query.deleted ?? 0) as Query['deleted'];
  for (const owner of [...target.named, ...target.queryOwners]) await readable(context, owner, deleted);
  await checkDelegate(context, target);
  // Loaded on demand: only lists have further conditions.
  const { selectionOf } = await import('../specials/selections.ts');
  const { ignoresOwners, ...narrowed } = await selectionOf(context, target);
  const query = {
    resource: target.resource.name,
    deleted,
    ordered: true,
    ...narrowed,
    equals: { ...(ignoresOwners ? {} : target.owners), ...narrowed.equals },
    ...(want.limit === undefined ? {} : { limit: want.limit }),
  };
  const rows = visibleRows(context, query);
  if (context.store.isFar) return yield* answeredInPages(context, target.resource, rows);
  for await (const row of rows) yield await answer(context, target.resource, row, 'list');
}

/** Listing the permission rows of an object needs the right to delegate on it. */
async function checkDelegate(context: Context, { resource, named, site }: Target): Promise<void> {
  if (resource.rights.unset !== 'delegated') return;
  const { resource: kind, id } = named[0] ?? { resource: 'site', id: site };
  const row = await context.lookup(kind as ResourceName, id);
  if (row) await checkRight(context, 'delegate', resourceNamed(kind), row);
}

/** D5: a deleted record throws `deleted`. */
export async function get(context: Context, target: Target): Promise<Row> {
  return await answer(context, target.resource, await recordOf(context, target));
}

/** D12: with the ID of an existing record with the same values, answers that record. */
export async function create(change: Change, target: Target, input: Input): Promise<Row> {
  const { resource } = target;
  for (const owner of target.named) await readable(change, owner, 0);
  const body = bodyAt(target, input.body ?? {}, whatIsNew(resource));
  return await answer(change, resource, await createRecord(change, resource, body));
}

/** Checks the body of a new record and stores it, with what its rules add. */
export async function createRecord(change: Change, resource: Resource, body: Body): Promise<Stored> {
  const { fields, open } = resource;
  const checked = validate({ fields, open, what: whatIsNew(resource) }, body, 'create', change.zone);
  if (checked.values.ID === NIL) delete checked.values.ID;
  rulesFor(resource).fill?.({ change, resource, values: checked.values, before: undefined });
  const given = givenID(resource, checked);
  if (typeof given !== 'string' || change.store.isFree?.(change.site, given)) {
    if (!isAdministrator(change)) await checkNew(change, resource, checked.values);
    return await storeNew(change, resource, checked);
  }
  // What belongs to the record is read together with what may be there already.
  const [, existing] = await allOf([
    checkNew(change, resource, checked.values),
    existingRecord(change, resource, given, body, checked),
  ]);
  return existing ?? (await storeNew(change, resource, checked));
}

/** The ID that is sent with the record, which only some take (D12). */
const givenID = ({ id }: Resource, { values }: Checked): Value | undefined => (id === 'guid' ? values.ID : undefined);

/** D11: what .NET sends where no ID is set. */
const NIL = '00000000-0000-0000-0000-000000000000';

async function storeNew(change: Change, resource: Resource, checked: Checked): Promise<Stored> {
  const { values } = checked;
  const given = givenID(resource, checked);
  values.ID = typeof given === 'string' ? given : await newIDFor(change, resource, checked);
  const writing = { change, resource, values, before: undefined };
  const rules = rulesFor(resource);
  if (rules.prepare) await rules.prepare(writing);
  await refuseFaults(writing, whatIsNew(resource));
  const row = await insert(change, resource, checked);
  if (!rules.follow) return row;
  await rules.follow({ ...writing, values: { ...values, ...row } });
  return (await change.store.get(resource.name, change.site, String(row.ID))) ?? row;
}

async function newIDFor(change: Change, resource: Resource, { values }: Checked): Promise<string | number> {
  if (resource.id === 'integer') return change.store.nextID(resource.name, change.site);
  return 'ID' in resource.fields ? change.newID() : resource.identity.map((name) => values[name]).join('/');
}

/** The record of an address, which the caller may change, as it was read; deleted ones too for `delete`. */
export async function recordToChange(
  change: Change,
  target: Target,
  { match }: Input,
  action: 'update' | 'delete',
): Promise<Stored> {
  const row = await recordOf(change, target, action === 'delete' ? 2 : 0);
  await checkRight(change, action, target.resource, row);
  await checkMatch(change, target.resource, row, match);
  return row;
}

/** D10: replaces the writable members. A body that changes nothing changes nothing. */
export async function update(change: Change, target: Target, input: Input): Promise<Row> {
  const { resource } = target;
  const before = await recordToChange(change, target, input, 'update');
  const what = `the ${singular(resource)} ${nameOf(before)}`;
  const body = bodyAt(target, input.body ?? {}, what);
  const checked = validate({ fields: resource.fields, what, open: resource.open, before }, body, 'update', change.zone);
  refuse(fixedMembers(resource, checked.values, before), what);
  const writing = { change, resource, values: checked.values, before };
  const rules = rulesFor(resource);
  rules.fill?.(writing);
  if (isMove(resource, checked.values, before)) await checkNew(change, resource, { ...before, ...checked.values });
  await rules.prepare?.(writing);
  await refuseFaults(writing, what);
  const changes = changedMembers(resource, checked, before);
  if (Object.keys(changes).length > 0 || rules.always?.(writing)) {
    await replace(change, resource, before, changes);
    await rules.follow?.({ ...writing, values: changes });
  }
  return answerFresh(change, resource, before);
}

/** Whether the record gets another owner. */
const isMove = (resource: Resource, values: Row, before: Stored): boolean =>
  inheritanceOf(resource).some(({ field }) => values[field] !== undefined && values[field] !== before[field]);

/** D7, D8, D9. */
export async function remove(change: Change, target: Target, input: Input): Promise<Row> {
  const { resource } = target;
  const row = await recordToChange(change, target, input, 'delete');
  if (row.Deleted === true) return answer(change, resource, row);
  const rules = rulesFor(resource);
  await rules.deleting?.(change, row);
  if (isSoft(resource)) return marked(change, resource, row, true);
  const last = await answer(change, resource, row);
  await change.store.remove(resource.name, change.site, [String(row.ID)]);
  await log(change, resource, row, 'delete', row);
  return last;
}

/** D7; a record below a deleted one comes back hidden (D6). */
export async function undelete(change: Change, target: Target, input: Input): Promise<Row> {
  const row = await recordToChange(change, target, input, 'delete');
  if (row.Deleted !== true) return answer(change, target.resource, row);
  await rulesFor(target.resource).undeleting?.(change, row);
  return marked(change, target.resource, row, false);
}

async function marked(change: Change, resource: Resource, row: Stored, deleted: boolean): Promise<Row> {
  await setDeleted(change, resource, row, deleted);
  await rulesFor(resource).deleted?.(change, row);
  return answerFresh(change, resource, row);
}

/** The record after a change, without the cached lookups of before. */
async function answerFresh(change: Change, resource: Resource, row: Stored): Promise<Row> {
  const now = await change.store.get(resource.name, change.site, String(row.ID));
  return answer({ ...change, ...lookupsIn(change.store, change.site) }, resource, now ?? row);
}

async function refuseFaults(writing: Writing, what: string): Promise<void> {
  const { change, resource, values, before } = writing;
  const references = await checkReferences(change, resource, values, before);
  const { check } = rulesFor(resource);
  const own = check && (await check(writing));
  refuse(own ? [...references, ...own] : references, what);
}

function refuse(faults: readonly Fault[], what: string): void {
  if (faults.length > 0) throw invalid(what, faults);
}

const whatIsNew = oncePer((resource: Resource): string => `the new ${singular(resource)}`);
