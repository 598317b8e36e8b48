// Puts records into the store: with the marks of who and when, and with a line of history for each (nothing is written without one).
import { ServiceError } from '../../contract/errors.ts';
import { type Resource, type Row, singular, type Value } from '../../contract/resource.ts';
import type { Checked } from '../../contract/validate.ts';
import type { Change } from '../context.ts';
import { type Stored, Taken, type What } from '../store/port.ts';

/** Stores a new record whose values are checked. Answers it as stored. Throws `conflict` where it is there already. */
export async function insert(change: Change, resource: Resource, checked: Checked): Promise<Stored> {
  const row = marked(change, resource, checked);
  const stored = await unlessTaken(resource, row, () => change.store.insert(resource.name, row));
  await log(change, resource, row, 'create', undefined);
  return stored;
}

/** Writes changed members, the mark of who changed them, and their values before. */
export async function replace(change: Change, resource: Resource, before: Stored, changes: Row): Promise<void> {
  const id = String(before.ID);
  const marked =
    'Updated' in resource.fields ? { ...changes, Updated: change.now, UpdatedBy: change.caller.id } : changes;
  await unlessTaken(resource, marked, () => change.store.update(resource.name, change.site, id, marked));
  const past = Object.fromEntries(Object.keys(changes).map((name) => [name, before[name] ?? null]));
  await log(change, resource, before, 'update', past);
}

/** One line of history. */
export function log(change: Change, resource: Resource, row: Row, what: What, before: Row | undefined): Promise<void> {
  const line = {
    at: change.now,
    caller: change.caller.id,
    resource: resource.name,
    id: String(row.ID),
    what,
    before,
  };
  return change.store.record(change.site, line);
}

/** Unknown members of an open resource, as the store keeps them. */
export const othersOf = (checked: Checked): Value =>
  Object.keys(checked.others).length === 0 ? null : JSON.stringify(checked.others);

function marked(change: Change, resource: Resource, checked: Checked): Row {
  const { fields } = resource;
  const values: Record<string, Value> = { ...checked.values };
  values.SiteID = change.site;
  if ('Deleted' in fields) values.Deleted = false;
  if ('Created' in fields) values.Created = change.now;
  if ('CreatedBy' in fields) values.CreatedBy = change.caller.id;
  if ('Updated' in fields) values.Updated = change.now;
  if ('UpdatedBy' in fields) values.UpdatedBy = change.caller.id;
  if (resource.open) values.Others = othersOf(checked);
  return values;
}

async function unlessTaken<T>(resource: Resource, row: Row, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Taken)) throw error;
    const values = error.fields.map((field) => `${field} ${String(row[field] ?? 'null')}`).join(', ');
    throw new ServiceError('conflict', `there is ${article(singular(resource))} with ${values} already`, {
      faults: error.fields.map((field) => ({
        field,
        code: 'taken',
        message: 'is taken',
      })),
      hint: 'Choose another one, or change the record that is there.',
      cause: error,
    });
  }
}

const article = (words: string): string => `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
