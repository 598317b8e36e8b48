// What depends on a record: the embedded engine knows it; of a remote service, what its lists show.
import type { Session } from '../../contract/call.ts';
import { isUnanswered } from '../../contract/errors.ts';
import { contract, resourceNamed, storedResources } from '../../contract/index.ts';
import { guidsIn, idKey, sameID } from '../../contract/kinds.ts';
import { type Dependents, ownedBy } from '../../contract/record-address.ts';
import { isGone, type Row } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';

export interface KnownDependents extends Dependents {
  /** The resources of which no list shows all that belong to it, or none to this caller. */
  readonly unread: readonly string[];
}

export const knownDependents = async (session: Session, resource: string, id: string): Promise<KnownDependents> =>
  session.local
    ? { ...(await session.local.dependents(resource, id)), unread: [] }
    : dependentsInLists(session, resource, id);

/** Below more records than these no lists are read. */
const MOST_OWNERS = 20;

async function dependentsInLists(session: Session, resource: string, id: string): Promise<KnownDependents> {
  /** By resource and the key of the ID. */
  const owned = new Map<string, Map<string, Row>>();
  const ownedOf = (name: string): readonly Row[] => [...(owned.get(name)?.values() ?? [])];
  // No list shows the rights that an individual is given.
  const unread = new Set<string>(resource === 'individual' ? ['permission'] : []);
  let wave: readonly (readonly [resource: string, id: string])[] = [[resource, id]];
  while (wave.length > 0) {
    const next: (readonly [string, string])[] = [];
    for (const [kind, owner] of wave)
      for (const { resource: below, field } of ownedBy(storedResources, kind)) {
        const rows = wave.length > MOST_OWNERS ? undefined : await liveRows(session, below.name, { [field]: owner });
        if (!rows) unread.add(below.name);
        const known = owned.get(below.name) ?? new Map<string, Row>();
        const fresh = (rows ?? []).filter(({ ID }) => !known.has(idKey(ID)));
        if (fresh.length === 0) continue;
        for (const row of fresh) known.set(idKey(row.ID), row);
        owned.set(below.name, known);
        if (ownedBy(storedResources, below.name).length > 0)
          for (const { ID } of fresh) next.push([below.name, String(ID)]);
      }
    wave = next;
  }
  const tasks = resource === 'individual' ? await tasksOf(session, id) : [];
  if (!tasks) unread.add('task');
  return {
    owned: new Map([...owned.keys()].map((name) => [name, ownedOf(name).map(({ ID }) => String(ID))])),
    naming: [
      ...(await namingInLists(session, resource, [id, ...ownedOf(resource).map(({ ID }) => String(ID))])),
      ...(tasks && tasks.length > 0 ? [{ resource: 'task', field: 'Responsible', ids: tasks }] : []),
    ],
    members: [...new Set(ownedOf('organizationMember').map(({ IndividualID }) => String(IndividualID)))],
    unread: [...unread].filter((name) => !resourceNamed(name).hidden),
  };
}

/** Those that the list of all individuals shows. */
const NAMING: Readonly<Record<string, string>> = {
  individual: 'PrimaryReportsTo',
  organization: 'PrimaryOrganizationID',
};

async function namingInLists(session: Session, kind: string, ids: readonly string[]): Promise<Dependents['naming']> {
  const field = NAMING[kind];
  if (field === undefined) return [];
  const found: string[] = [];
  for (const id of ids)
    for (const { ID } of (await liveRows(session, 'individual', { [field]: id })) ?? [])
      if (!sameID(ID, id)) found.push(String(ID));
  return found.length === 0 ? [] : [{ resource: 'individual', field, ids: found }];
}

/** The tasks that an individual is to do; undefined where the service does not list them. */
async function tasksOf(session: Session, id: string): Promise<readonly string[] | undefined> {
  const { all } = contract.task.operations;
  try {
    const tasks = await collect(session.list(all, { by: 'individual', params: { id } }));
    const isResponsible = ({ Responsible }: Row): boolean => guidsIn(Responsible).some((one) => sameID(one, id));
    return tasks.filter((task) => !isGone(task) && isResponsible(task)).map(({ ID }) => String(ID));
  } catch (error) {
    if (isUnanswered(error)) return undefined;
    throw error;
  }
}

/** The records of a list that are neither deleted nor hidden; undefined where none is shown. */
async function liveRows({ find }: Session, resource: string, members: Row): Promise<readonly Row[] | undefined> {
  try {
    const rows = await find.byMembers(resource, members);
    return rows?.filter((row) => !isGone(row));
  } catch (error) {
    if (isUnanswered(error)) return undefined;
    throw error;
  }
}
