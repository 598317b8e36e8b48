// The writes of a batch, which wait to be sent together.
import { resourceNamed } from '../../contract/index.ts';
import { ownersOf } from '../../contract/record-address.ts';
import type { Value } from '../../contract/resource.ts';
import type { DeletionChange, Stored, Writer } from '../store/port.ts';
import { type Batch, isApart, readsOf } from './batch-reads.ts';
import { reachOf } from './deletion-reach.ts';

type Written = 'insert' | 'insertMany' | 'update' | 'updateMany' | 'addHistory' | 'remove' | 'setDeleted';

export function writesOf(batch: Batch): Pick<Writer, Written | 'addMember' | 'deleteMember'> {
  const { writer, known, pending, flush } = batch;
  const { get } = readsOf(batch);
  /** Would deletions that wait see it? They must not yet. */
  const isSeen = (resource: string, isMark: boolean): boolean =>
    pending.hides(resource) || (isMark && pending.asks(resource));
  const insert: Writer['insert'] = async (resource, row) => {
    if (isSeen(resource, true)) await flush();
    const stored = writer.asStored(resource, row);
    known.add(resource, String(row.SiteID), stored);
    known.setOwner(String(row.SiteID), ownersIn(resource, row));
    pending.insert(resource, row);
    if (GIVES_GRANTS.includes(resource)) known.grants.clear();
    return stored;
  };
  const update: Writer['update'] = async (resource, site, id, changes) => {
    const isMark = MARKS.some((name) => name in changes);
    if (isSeen(resource, isMark)) await flush();
    const before = await get(resource, site, id);
    if (before) known.set(resource, site, id, writer.asStored(resource, { ...before, ...changes }));
    known.setOwner(site, ownersIn(resource, changes));
    pending.update(resource, site, id, changes);
    if (GIVES_GRANTS.includes(resource) || isMark) known.grants.clear();
  };
  const remove = async (resource: string, site: string, id: string): Promise<void> => {
    if (isSeen(resource, true) || pending.isBehind(resource)) await flush();
    await get(resource, site, id);
    known.remove(resource, site, id);
    known.grants.clear();
    pending.remove(resource, site, [id]);
  };
  const setDeleted = async (resource: string, site: string, change: DeletionChange, gone: boolean): Promise<void> => {
    const { id, changes, isHidden } = change;
    const { hides } = reachOf(resource);
    const isAlone = known.ownsNothing(resource, site, id) && !pending.hides(resource);
    if (isHidden || hides.size === 0 || isAlone) return update(resource, site, id, changes);
    if (pending.precedes(resource, gone, isApart(batch, resource, site, id))) await flush();
    const before = await get(resource, site, id);
    if (before) known.set(resource, site, id, writer.asStored(resource, { ...before, ...changes }));
    pending.setDeleted(resource, site, [change], gone);
    known.grants.clear();
  };
  /** Members get what their group has been granted. */
  const ofMembers =
    (method: Writer['addMember']): Writer['addMember'] =>
    async (...args) => {
      await flush();
      known.grants.clear();
      return method(...args);
    };
  return {
    insert,
    update,
    async insertMany(resource, rows) {
      for (const row of rows) await insert(resource, row);
    },
    async updateMany(resource, site, updates) {
      for (const { id, changes } of updates) await update(resource, site, id, changes);
    },
    addHistory: async (site, entries) => pending.addHistory(site, entries),
    async remove(resource, site, ids) {
      for (const id of ids) await remove(resource, site, id);
    },
    async setDeleted(resource, site, changes, gone) {
      for (const change of changes) await setDeleted(resource, site, change, gone);
    },
    addMember: ofMembers(writer.addMember),
    deleteMember: ofMembers(writer.deleteMember),
  };
}

/** The IDs of the records that a record with these values belongs to. */
const ownersIn = (resource: string, values: Stored): readonly (Value | undefined)[] =>
  ownersOf(resourceNamed(resource)).map(({ field }) => values[field]);

const GIVES_GRANTS: readonly string[] = ['permission', 'securityGroup'];
/** Permission rows are those of live individuals and groups, by their UserID. */
const MARKS = ['Deleted', 'DeletedByRef', 'UserID'];
