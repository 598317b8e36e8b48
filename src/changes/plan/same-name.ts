// Finds the department of the same name in the same place as a new, renamed or moved one. It is allowed, and mostly a mistake.
import type { Finder, Session } from '../../contract/call.ts';
import { sameID } from '../../contract/kinds.ts';
import { isGone, type Row } from '../../contract/resource.ts';
import { quoted } from '../../text/escape.ts';
import { looksSame } from '../../text/names.ts';
import type { Change } from './change.ts';

type Looked = Pick<Change, 'resource' | 'id' | 'body' | 'patch'>;

/** The sentences about these changes, each once. A remote service is not asked. */
export async function nameWarnings(session: Session, rows: readonly Looked[]): Promise<readonly string[]> {
  if (!session.local) return [];
  const found = new Set<string>();
  for (const row of rows) {
    const place = await nameAndParentAfter(session.find, row);
    if (place && (await isTaken(session.find, place, row.id))) found.add(sentence(String(place.Name)));
  }
  return [...found];
}

type NameAndParent = Readonly<Record<'Name' | 'ParentID', unknown>>;

/** The name and the parent that a department gets; undefined if it keeps both. */
async function nameAndParentAfter(
  { record }: Finder,
  { resource, id, body, patch }: Looked,
): Promise<NameAndParent | undefined> {
  if (resource !== 'organization') return undefined;
  const { Name, ParentID } = patch ?? body ?? {};
  if (Name === undefined && ParentID === undefined) return undefined;
  const now: Row = patch && id !== undefined ? ((await record(resource, { id })).row ?? {}) : {};
  return { Name: Name === undefined ? now.Name : Name, ParentID: ParentID === undefined ? now.ParentID : ParentID };
}

async function isTaken(
  { byMembers }: Finder,
  { Name, ParentID }: NameAndParent,
  id: string | undefined,
): Promise<boolean> {
  if (typeof Name !== 'string' || typeof ParentID !== 'string') return false;
  const beside = (await byMembers('organization', { ParentID })) ?? [];
  return beside.some((one) => !isGone(one) && !sameID(one.ID, id) && looksSame(String(one.Name), Name));
}

const sentence = (name: string): string =>
  `Warning: another department in the same place is called ${quoted(name)}: only their IDs tell them apart.`;
