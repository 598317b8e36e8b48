// Before an individual is deleted: its reports, tasks and places in project teams are given to another individual.
import type { Session } from '../../contract/call.ts';
import { contract, resourceNamed } from '../../contract/index.ts';
import { guidsIn, sameID } from '../../contract/kinds.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { type Change, changeBy } from '../plan/change.ts';
import { type Naming, namingOf, ownedBelow } from './dependents.ts';

/**
 * The changes that go before the deletion of these individuals. What the caller cannot read stays; `unread` are the resources of
 * which a service does not show all.
 */
export async function reassignment(session: Session, ids: readonly string[], to: string) {
  const updates = new Map<string, Change>();
  const teams = new Map<string, Change>();
  const unread = new Set<string>();
  for (const id of ids) {
    const naming = await namingOf(session, new Map([['individual', [id]]]), unread);
    await addUpdates(session, naming, { id, to, ids }, updates);
    const owned = await ownedBelow(session, ['individual', id], unread, ['teamMember']);
    for (const { ID } of owned.get('teamMember') ?? []) await addPlace(session, String(ID), to, teams);
  }
  return { changes: [...updates.values(), ...teams.values()], unread: [...unread] };
}

interface Succession {
  readonly id: string;
  readonly to: string;
  /** All that are to be deleted. */
  readonly ids: readonly string[];
}

/** A task may name several of them: the later change goes on from the one before. */
async function addUpdates(
  session: Session,
  naming: readonly Naming[],
  { id, to, ids }: Succession,
  updates: Map<string, Change>,
): Promise<void> {
  for (const { resource, field, ids: those } of naming)
    for (const one of those.filter((other) => !ids.some((deleted) => sameID(deleted, other)))) {
      const before = updates.get(one);
      const now = before?.now ?? (await session.find.record(resource, { id: one }, 'listed')).row;
      const operation = resourceNamed(resource).operations.update;
      if (!now || !operation) continue;
      // A manager of one's own is none.
      const own = sameID(now.IndividualID, to);
      const value = before?.patch?.[field];
      const next = own ? null : replaced(value === undefined ? now[field] : value, id, to);
      const patch = { ...before?.patch, [field]: next };
      updates.set(one, { ...changeBy(operation, {}, { id: one, patch }), now });
    }
}

/** The one ID, or the one among several; a name that is there already stands once. */
function replaced(value: unknown, id: string, to: string): Value {
  const given = guidsIn(value).map((one) => (sameID(one, id) ? to : String(one)));
  return given.filter((one, at) => given.findIndex((other) => sameID(one, other)) === at).join(' ');
}

/** The place in a team belongs to who leaves, so that another is made; the hours that were worked stay with the old one. */
async function addPlace({ find }: Session, id: string, to: string, teams: Map<string, Change>): Promise<void> {
  const { row } = await find.record('teamMember', { id });
  if (!row) return;
  const { TaskID = null, RoleID, HoursProjected, RoleDescription, TeamSurvey } = row;
  const team = (await find.byMembers('teamMember', { TaskID })) ?? [];
  if (teams.has(String(TaskID)) || team.some((one: Row) => sameID(one.IndividualID, to))) return;
  const body = { TaskID, IndividualID: to, RoleID, HoursProjected, HoursActual: 0, RoleDescription, TeamSurvey };
  teams.set(String(TaskID), changeBy(contract.teamMember.operations.create, { by: 'plain', body }));
}
