// Names of records in messages, and records by an ID of unknown kind, with the service's number of the kind.
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { type AnyRecord, type Context, findIn, recordAmong } from '../context.ts';
import type { Stored } from '../store/port.ts';

/** `"Ann Lee" (0f8f…)`: a name, where the record has one, and its ID; only the name where it `isShort`. */
export function nameOf(row: Row, isShort = false): string {
  const name = row.FullName ?? row.Name ?? row.Group ?? row.DateSpan ?? row.UserName;
  if (typeof name !== 'string') return String(row.ID);
  return isShort ? `"${name}"` : `"${name}" (${String(row.ID)})`;
}

/** `a task`, `an individual`. */
export const article = (words: string): string => `${/^(?!us)[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;

/** Numbers that the document does not give: 9 is one of its child types of dialogs; that of tasks is our own. */
const INFERRED: Readonly<Partial<Record<ResourceName, number>>> = { dialog: 9, task: 21 };
const FINDABLE: readonly ResourceName[] = ['organization', 'individual', 'project', 'dialog', 'metric', 'task', 'site'];

export interface FoundRecord extends AnyRecord {
  readonly rowType: number;
  readonly name: Value;
}

export const individualByUserID = async (context: Context, userID: Value): Promise<Stored | undefined> =>
  (await findIn(context, 'individual', { equals: { UserID: userID }, deleted: 2 }))[0];

/** The record of an ID in this site, of a kind that other records can belong to. */
export async function findByID(context: Context, id: Value): Promise<FoundRecord | undefined> {
  const found = await recordAmong(context, FINDABLE, id);
  if (!found) return undefined;
  const { resource, row } = found;
  return { resource, row, rowType: numberOf(resource, row), name: row.FullName ?? row.Name ?? null };
}

function numberOf(resource: ResourceName, row: Stored): number {
  if (typeof row.RowType === 'number') return row.RowType;
  return INFERRED[resource] ?? resourceNamed(resource).rowType ?? 0;
}
