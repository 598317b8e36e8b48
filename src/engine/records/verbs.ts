// The ordinary verbs that change a record, for any resource.
import type { Input } from '../../contract/call.ts';
import { type Fault, invalid } from '../../contract/errors.ts';
import { isSoft, type Resource, type Row, singular, type Value } from '../../contract/resource.ts';
import { inheritanceOf } from '../../contract/rights.ts';
import { type Body, type Checked, validate } from '../../contract/validate.ts';
import { after, allOf } from '../../text/all-of.ts';
import { oncePer } from '../../text/once-per.ts';
import { lookupsIn, type Writing } from '../context.ts';
import { checkNew, checkRight } from '../rights/check.ts';
import { isAdministrator } from '../rights/labels.ts';
import { rulesFor } from '../rules/index.ts';
import type { RecordToStore } from '../rules/rule.ts';
import type { Stored } from '../store/port.ts';
import type { Target } from '../target.ts';
import { answer } from './answer.ts';
import { bodyAt, changedMembers, checkMatch, existingRecord, fixedMembers } from './bodies.ts';
import { insert, log, replace, setDeleted } from './history.ts';
import { readable, recordOf } from './read-record.ts';
import { nameOf } from './record-names.ts';
import { checkReferences, namesKnown } from './references.ts';

/** D12: with the ID of an existing record with the same values, answers that record. */
export function create(writing: Writing, target: Target, input: Input): Row | Promise<Row> {
  const { resource, named } = target;
  const reading = named.length > 0 ? allOf(named.map((owner) => readable(writing, owner, 0))) : undefined;
  return after<unknown, Row>(reading, () => {
    const body = bodyAt(target, input.body ?? {}, whatIsNew(resource));
    return after<Stored, Row>(createRecord(writing, resource, body, input.cause?.id), (row) =>
      answer(writing, resource, row),
    );
  });
}

/** Checks the body of a new record and stores it, with what its rules add. `id`: for a record whose body names none. */
export function createRecord(writing: Writing, resource: Resource, body: Body, id?: string): Stored | Promise<Stored> {
  const { fields, open } = resource;
  const checked = validate({ fields, open, what: whatIsNew(resource) }, body, 'create', writing.zone);
  if (checked.values.ID === NIL) delete checked.values.ID;
  rulesFor(resource).fill?.({ writing, resource, values: checked.values, before: undefined });
  const given = givenID(resource, checked);
  if (typeof given !== 'string' || writing.store.isFree?.(writing.site, given)) {
    const store = (): Stored | Promise<Stored> => storeNew(writing, resource, checked, id);
    return isAdministrator(writing) ? store() : checkNew(writing, resource, checked.values).then(store);
  }
  // Its owners are read together with the record that may have this ID already.
  return allOf([
    checkNew(writing, resource, checked.values),
    existingRecord(writing, resource, given, body, checked),
  ]).then(([, existing]) => existing ?? storeNew(writing, resource, checked, id));
}

/** The ID that is sent with the record, which only some take (D12). */
const givenID = ({ id }: Resource, { values }: Checked): Value | undefined => (id === 'guid' ? values.ID : undefined);

/** D11: .NET sends it where no ID is set. */
const NIL = '00000000-0000-0000-0000-000000000000';

function storeNew(
  writing: Writing,
  resource: Resource,
  checked: Checked,
  id: string | undefined,
): Stored | Promise<Stored> {
  const { values } = checked;
  const given = givenID(resource, checked);
  const toStore = { writing, resource, values, before: undefined };
  const rules = rulesFor(resource);
  const followed = async (row: Stored): Promise<Stored> => {
    await rules.follow?.({ ...toStore, values: { ...values, ...row } });
    return (await writing.store.get(resource.name, writing.site, String(row.ID))) ?? row;
  };
  const inserted = (): Stored | Promise<Stored> =>
    after<Stored, Stored>(insert(writing, resource, checked), (row) => (rules.follow ? followed(row) : row));
  const allowed = (): Stored | Promise<Stored> => {
    const isOpen = rules.check || !namesKnown(writing, resource, values);
    return after<void, Stored>(isOpen ? refuseFaults(toStore, whatIsNew(resource)) : undefined, inserted);
  };
  return after<string | number, Stored>(
    typeof given === 'string' ? given : newIDFor(writing, resource, values, id),
    (ID) => {
      values.ID = ID;
      return after<void, Stored>(rules.prepare?.(toStore), allowed);
    },
  );
}

function newIDFor(
  { store, site, newID }: Writing,
  { name, fields, identity, id: kind }: Resource,
  values: Row,
  id: string | undefined,
): string | number | Promise<number> {
  if (kind !== 'integer') return 'ID' in fields ? (id ?? newID()) : identity.map((one) => values[one]).join('/');
  if (id === undefined) return store.nextID(name, site);
  return store.reserveID(name, site, Number(id)).then(() => Number(id));
}

/** The record of an address, which the caller may change, as it was read; deleted ones too for `delete`. */
export async function recordToChange(
  writing: Writing,
  target: Target,
  { match }: Input,
  action: 'update' | 'delete',
): Promise<Stored> {
  const row = await recordOf(writing, target, action === 'delete' ? 2 : 0);
  await checkRight(writing, action, target.resource, row);
  await checkMatch(writing, target.resource, row, match);
  return row;
}

/** D10: replaces the writable members. A body that changes nothing changes nothing. */
export async function update(writing: Writing, target: Target, input: Input): Promise<Row> {
  const { resource } = target;
  const before = await recordToChange(writing, target, input, 'update');
  const what = `the ${singular(resource)} ${nameOf(before)}`;
  const body = bodyAt(target, input.body ?? {}, what);
  const checked = validate(
    { fields: resource.fields, what, open: resource.open, before },
    body,
    'update',
    writing.zone,
  );
  refuse(fixedMembers(resource, checked.values, before), what);
  const toStore = { writing, resource, values: checked.values, before };
  const rules = rulesFor(resource);
  rules.fill?.(toStore);
  if (isMove(resource, checked.values, before)) await checkNew(writing, resource, { ...before, ...checked.values });
  await rules.prepare?.(toStore);
  await refuseFaults(toStore, what);
  const changes = { ...changedMembers(resource, checked, before), ...rules.unseen?.(toStore) };
  if (Object.keys(changes).length > 0) {
    await replace(writing, resource, before, changes);
    await rules.follow?.({ ...toStore, values: changes });
  }
  return answerFresh(writing, resource, before);
}

/** Whether the record gets another owner. */
const isMove = (resource: Resource, values: Row, before: Stored): boolean =>
  inheritanceOf(resource).some(({ field }) => values[field] !== undefined && values[field] !== before[field]);

/** D7, D8, D9. */
export async function remove(writing: Writing, target: Target, input: Input): Promise<Row> {
  const { resource } = target;
  const row = await recordToChange(writing, target, input, 'delete');
  if (row.Deleted === true) return answer(writing, resource, row);
  const rules = rulesFor(resource);
  await rules.deleting?.(writing, row);
  if (isSoft(resource)) return marked(writing, resource, row, true);
  const last = await answer(writing, resource, row);
  await writing.store.remove(resource.name, writing.site, [String(row.ID)]);
  await log(writing, resource, row, 'delete', row);
  return last;
}

/** D7; a record below a deleted one comes back hidden (D6). */
export async function undelete(writing: Writing, target: Target, input: Input): Promise<Row> {
  const row = await recordToChange(writing, target, input, 'delete');
  if (row.Deleted !== true) return answer(writing, target.resource, row);
  await rulesFor(target.resource).undeleting?.(writing, row);
  return marked(writing, target.resource, row, false);
}

async function marked(writing: Writing, resource: Resource, row: Stored, deleted: boolean): Promise<Row> {
  await setDeleted(writing, resource, row, deleted);
  await rulesFor(resource).deleted?.(writing, row);
  return answerFresh(writing, resource, row);
}

/** The record after a change, without the cached lookups of before. */
export async function answerFresh(writing: Writing, resource: Resource, row: Stored): Promise<Row> {
  const now = await writing.store.get(resource.name, writing.site, String(row.ID));
  return answer({ ...writing, ...lookupsIn(writing.store, writing.site) }, resource, now ?? row);
}

async function refuseFaults(toStore: RecordToStore, what: string): Promise<void> {
  const { writing, resource, values, before } = toStore;
  const references = await checkReferences(writing, resource, values, before);
  const { check } = rulesFor(resource);
  const own = check && (await check(toStore));
  refuse(own ? [...references, ...own] : references, what);
}

function refuse(faults: readonly Fault[], what: string): void {
  if (faults.length > 0) throw invalid(what, faults);
}

const whatIsNew = oncePer((resource: Resource): string => `the new ${singular(resource)}`);
