// Deletions without an undelete (D8): an undo makes the record again from its last image.
import type { Session } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import { isSoft } from '../../contract/resource.ts';
import { type Change, findRecord } from './change.ts';

export function isFinalDeletion({ resource: name, operation }: Pick<Change, 'resource' | 'operation'>): boolean {
  const resource = resourceNamed(name);
  return resource.operations[operation]?.verb === 'delete' && !isSoft(resource);
}

/**
 * The changes, each final deletion with its current record. An engine keeps what it deletes: nothing is read there. `unread`:
 * the IDs of the records that no address shows; no undo makes them again.
 */
export async function readBeforeDeletion(session: Session, changes: readonly Change[]) {
  const unread = new Set<string>();
  if (session.local) return { changes, unread };
  const read: Change[] = [];
  for (const change of changes) {
    const found = isFinalDeletion(change) ? await findRecord(session, change) : undefined;
    if (found?.state === 'unseen') unread.add(change.id ?? '');
    read.push(found?.row ? { ...change, now: found.row } : change);
  }
  return { changes: read, unread };
}
