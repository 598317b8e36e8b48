// The records that depend on one: the embedded engine shows all of them, a remote service those that are in its lists.
import type { Session } from '../../contract/call.ts';
import { orNone } from '../../contract/errors.ts';
import { isWritable } from '../../contract/field.ts';
import { contract, storedResources } from '../../contract/index.ts';
import { guidsIn, idKey, sameID } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { isGone, type Row } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { once } from '../../text/once-per.ts';

/** IDs by resource. */
export type IDs = ReadonlyMap<string, readonly string[]>;

/** Below more records than these no lists are read. */
const MOST_OWNERS = 20;

/**
 * The live records that belong to one, directly or through others: of these resources, or of all. To `unread` are added the
 * resources of which no list shows all that belong to it, or none to this caller.
 */
export async function ownedBelow(
  session: Session,
  [resource, id]: readonly [resource: string, id: string],
  unread: Set<string>,
  wanted = ALL,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  /** By resource and the key of the ID. */
  const owned = new Map<string, Map<string, Row>>();
  let wave: IDs = new Map([[resource, [id]]]);
  while (wave.size > 0) {
    const next = new Map<string, string[]>();
    for (const below of storedResources.filter(({ name }) => wanted.includes(name)))
      for (const { field, targets } of ownersOf(below)) {
        const owners = targets.flatMap((target) => wave.get(target) ?? []);
        const isTooMuch = !session.local && owners.length > MOST_OWNERS;
        if (isTooMuch) unread.add(below.name);
        const rows = isTooMuch ? [] : await liveNaming(session, { resource: below.name, field, ids: owners }, unread);
        const sameKind = owned.get(below.name) ?? new Map<string, Row>();
        const added = rows.filter(({ ID }) => !sameKind.has(idKey(ID)));
        for (const row of added) sameKind.set(idKey(row.ID), row);
        if (added.length === 0) continue;
        owned.set(below.name, sameKind);
        next.set(below.name, [...(next.get(below.name) ?? []), ...added.map(({ ID }) => String(ID))]);
      }
    wave = next;
  }
  return new Map([...owned].map(([name, rows]) => [name, [...rows.values()]]));
}

const ALL: readonly string[] = storedResources.map(({ name }) => name);

/** Records of a resource that name others in a member. */
export interface Naming {
  readonly resource: string;
  readonly field: string;
  readonly ids: readonly string[];
}

/** The live records that name one of these without belonging to it, and are none of them. Adds to `unread` as `ownedBelow`. */
export async function namingOf(session: Session, gone: IDs, unread: Set<string>): Promise<readonly Naming[]> {
  const naming: Naming[] = [];
  for (const { resource, field, target } of namingFields()) {
    const rows = await liveNaming(session, { resource, field, ids: gone.get(target) ?? [] }, unread);
    const goneIDs = new Set((gone.get(resource) ?? []).map(idKey));
    const ids = rows
      .filter((row) => !goneIDs.has(idKey(row.ID)) && !showsElsewhere(field, row))
      .map(({ ID }) => String(ID));
    if (ids.length > 0) naming.push({ resource, field, ids });
  }
  return naming;
}

/** The members that name records of a kind without belonging to them. The site is named by all that is in it. */
const namingFields = once(() =>
  storedResources.flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, { to = [], ...one }]) =>
      one.owner || !isWritable({ to, ...one }) || to.includes('site')
        ? []
        : to.map((target) => ({ resource: name, field, target })),
    ),
  ),
);

/** The manager of a primary membership is that of the individual's record (D14). */
const showsElsewhere = (field: string, { Primary }: Row): boolean => field === 'ReportsToID' && Primary === true;

/** The records that name one of these by a field, and are neither deleted nor hidden. */
export async function liveNaming(session: Session, { resource, field, ids }: Naming, unread: Set<string>) {
  if (ids.length === 0) return [];
  if (session.local) return session.local.naming(resource, field, ids);
  const naming: Row[] = [];
  for (const id of ids) {
    const reading = field === 'Responsible' ? tasksOf(session, id) : session.find.byMembers(resource, { [field]: id });
    const rows = await orNone(reading);
    if (!rows) unread.add(resource);
    naming.push(...(rows ?? []).filter((row) => !isGone(row)));
  }
  return naming;
}

/** The tasks that an individual is to do. */
async function tasksOf(session: Session, id: string): Promise<readonly Row[]> {
  const { all } = contract.task.operations;
  const tasks = await collect(session.list(all, { by: 'individual', params: { id } }));
  return tasks.filter(({ Responsible }) => guidsIn(Responsible).some((one) => sameID(one, id)));
}
