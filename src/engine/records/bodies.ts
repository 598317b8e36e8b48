// Compares bodies and ETags with the address they were sent to and with the stored record (D10, D12).
import { type Fault, invalid, ServiceError } from '../../contract/errors.ts';
import { storedResources } from '../../contract/index.ts';
import { isImmutable } from '../../contract/record-address.ts';
import { isGone, type Resource, type Row, singular, type Value } from '../../contract/resource.ts';
import { etagOf, isShownAlike } from '../../contract/same-values.ts';
import { agree, type Body, type Checked, fieldNamed } from '../../contract/validate.ts';
import { allOf } from '../../text/all-of.ts';
import { lookupsIn, type Writing } from '../context.ts';
import { mayRead } from '../rights/check.ts';
import type { Stored } from '../store/port.ts';
import type { Target } from '../target.ts';
import { answer } from './answer.ts';
import { othersOf } from './history.ts';
import { nameOf } from './record-names.ts';

/** The body with the ID and the owners of the address. Throws `invalid` for one that contradicts the address. */
export function bodyAt(target: Target, body: Body, what: string): Body {
  const { fields } = target.resource;
  const said: Record<string, Value> = { ...target.owners };
  if (target.id !== undefined && fields.ID) said.ID = fields.ID.kind === 'integer' ? Number(target.id) : target.id;
  if (Object.keys(said).length === 0) return body;
  const fixed = { ...said };
  for (const given in body) {
    const name = fieldNamed(fields, given);
    if (name === undefined || fixed[name] === undefined) continue;
    const value = body[given] ?? null;
    if (value === null) continue;
    const same = typeof value === 'string' ? value.toLowerCase() === fixed[name] : value === fixed[name];
    if (!same) throw invalid(what, [contradiction(name, value, fixed[name])]);
    if (name !== given) delete said[name];
  }
  return { ...body, ...said };
}

const contradiction = (field: string, value: unknown, fixed: Value): Fault => ({
  field,
  code: 'immutable',
  message: `is ${String(value)}, but the address says ${String(fixed)}`,
});

/** Faults of an ID and of owners that differ from the record. */
export function fixedMembers(resource: Resource, values: Row, before: Stored): Fault[] {
  return Object.entries(resource.fields)
    .filter(([name, field]) => name === 'ID' || isImmutable(field))
    .filter(([name]) => values[name] !== undefined && values[name] !== before[name])
    .map(([field]) => ({
      field,
      code: 'immutable',
      message: `is ${String(before[field])} and cannot change`,
      hint: 'Make a new record there, and delete this one.',
    }));
}

export function changedMembers(resource: Resource, checked: Checked, before: Stored): Record<string, Value> {
  const changes: Record<string, Value> = {};
  for (const name in checked.values) {
    if (name === 'ID') continue;
    const value = checked.values[name] ?? null;
    const was = before[name] ?? null;
    const field = resource.fields[name];
    if (!(field ? isShownAlike(field, value, was) : value === was)) changes[name] = value;
  }
  const others = resource.open ? othersOf(checked) : null;
  if (resource.open && others !== (before.Others ?? null)) changes.Others = others;
  return changes;
}

/**
 * The record that an earlier create with this ID and the same values made (D12); undefined if the ID is free. Throws
 * `conflict`, in the same words whatever has the ID, and whether or not the caller may read it.
 */
export async function existingRecord(
  writing: Writing,
  resource: Resource,
  id: string,
  body: Body,
  checked: Checked,
): Promise<Stored | undefined> {
  const [row, isKnown] = await allOf([writing.store.get(resource.name, writing.site, id), isTaken(writing, id)]);
  if (row === undefined && !isKnown) return undefined;
  const isReadable = row !== undefined && (await mayRead(writing, resource, row));
  if (row && (isReadable || row.CreatedBy === writing.caller.id) && isRepeat(resource, row, body, checked)) return row;
  const way = isReadable && isGone(row) ? 'undelete' : 'get';
  const next =
    isReadable && resource.operations[way] ? { next: { do: way, resource: resource.name, id } as const } : {};
  throw new ServiceError('conflict', `the ID ${id} is taken`, { ...WITHOUT_ID, ...next });
}

const WITHOUT_ID = { hint: 'Leave the ID out, and one is made.' };

/** Does the record hold all values of the body? */
function isRepeat(resource: Resource, row: Stored, body: Body, checked: Checked): boolean {
  if (isGone(row)) return false;
  const named = Object.keys(body).map((given) => fieldNamed(resource.fields, given) ?? given);
  const stored = named.filter((name) => name in row && name in checked.values);
  return agree(resource.fields, stored, checked.values, row) && haveSameOthers(checked, row);
}

/** Records name each other by their IDs alone, so no two of a site share one, and none has the UserID of an individual. */
const isTaken = ({ store, site }: Writing, id: string): Promise<boolean> => store.isTaken(WITH_GUID, site, id);

export const WITH_GUID = storedResources.filter(({ id }) => id === 'guid').map(({ name }) => name);

function haveSameOthers({ others }: Checked, row: Stored): boolean {
  const stored = JSON.parse(String(row.Others ?? '{}')) as Record<string, unknown>;
  return Object.keys(others).every((name) => JSON.stringify(others[name]) === JSON.stringify(stored[name]));
}

/** Throws `drifted` where the record's ETag is not in `match`, or there is no record. */
export async function checkMatch(
  writing: Writing,
  resource: Resource,
  row: Stored | undefined,
  match: readonly string[] | undefined,
): Promise<void> {
  if (match === undefined || (row && match.includes(await etagNow(writing, resource, row)))) return;
  const what = `the ${singular(resource)}${row ? ` ${nameOf(row)}` : ''}`;
  throw new ServiceError('drifted', `${what} has changed since it was read; nothing was changed`, {
    hint: 'Read it again, then repeat the change.',
    ...(row && resource.operations.get ? { next: { do: 'get', resource: resource.name, id: String(row.ID) } } : {}),
  });
}

/** Uses lookups of its own: the writing may outdate cached records. */
async function etagNow(writing: Writing, resource: Resource, row: Stored): Promise<string> {
  return etagOf(resource, await answer({ ...writing, ...lookupsIn(writing.store, writing.site) }, resource, row));
}
