// What the deletion or the move of one record does to others: what goes along, and who is left behind.
import type { Session } from '../../contract/call.ts';
import { resourceNamed, storedResources } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { ownedBy } from '../../contract/record-address.ts';
import { isSoft, type Row } from '../../contract/resource.ts';
import { isSame } from '../plan/drift.ts';
import { type KnownDependents, knownDependents } from './dependents.ts';

/**
 * `hidden`: deleted by reference (D6). `top`: individuals whose manager is deleted. `department`: individuals whose primary
 * department is deleted or hidden. `named`: records that go on naming what is deleted. `leads`: departments that a deleted
 * individual leads. `moves`: what moves along. `unread`: no list of a service shows all of them.
 */
export type Effect = 'hidden' | 'top' | 'department' | 'named' | 'leads' | 'moves' | 'unread';

/** One effect on the records of one resource. */
export interface Consequence {
  readonly effect: Effect;
  readonly resource: string;
  /** The member by which the records name it. */
  readonly field?: string;
  readonly ids: readonly string[];
}

/** The members whose change moves a record, by resource. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  organization: ['ParentID'],
  project: ['ParentID'],
  metric: ['ParentID'],
  individual: ['PrimaryReportsTo'],
};

/** What of all that belongs to a moved record is counted. */
const ALONG: Readonly<Record<string, readonly string[]>> = {
  organization: ['organization', 'project'],
  project: ['project', 'task'],
  metric: ['metric'],
};

/** Does the row delete a record that others belong to, or move one? `now` is the record, where it is known. */
export const hasConsequences = (row: PlannedRow, now?: Row): boolean =>
  isDeletion(row) ? ownedBy(storedResources, row.resource).length > 0 : isMove(row, now);

/** Is it a deletion that an undelete can take back? Nothing belongs to a record that is deleted for good (D8). */
export const isDeletion = ({ resource: name, operation, id }: PlannedRow): boolean => {
  const resource = resourceNamed(name);
  return id !== undefined && resource.operations[operation]?.verb === 'delete' && isSoft(resource);
};

/** Does the row give the record another place? Without the record, every sent member counts. */
function isMove({ resource, operation, id, body, patch }: PlannedRow, now?: Row): boolean {
  if (id === undefined || resourceNamed(resource).operations[operation]?.verb !== 'update') return false;
  const sent: Readonly<Record<string, unknown>> = patch ?? body ?? {};
  const isChanged = (member: string): boolean =>
    sent[member] !== undefined && !(now && isSame(resourceNamed(resource), member, sent[member], now[member]));
  return (MOVES[resource] ?? []).some(isChanged);
}

/** What the row does to other records, as they are now: to be asked before it is made. `now` is its own record. */
export async function consequencesOf(session: Session, row: PlannedRow, now?: Row): Promise<readonly Consequence[]> {
  if (!hasConsequences(row, now) || isOver(row, now)) return [];
  const id = String(now?.ID ?? row.id);
  const known = await knownDependents(session, row.resource, id);
  const found = isDeletion(row)
    ? [...ofDeletion(known), ...(await departmentsLed(session, row.resource, id, known))]
    : ofMove(row.resource, known);
  return [...found.filter(({ ids }) => ids.length > 0), ...unread(known)];
}

/** Is the record deleted already? */
const isOver = (row: PlannedRow, now: Row | undefined): boolean => isDeletion(row) && now?.Deleted === true;

const ofDeletion = ({ owned, naming }: KnownDependents): readonly Consequence[] => [
  ...naming.map(({ resource, field, ids }): Consequence => {
    const effect = LEFT_BEHIND[field];
    return effect ? { effect, resource, ids } : { effect: 'named', resource, field, ids };
  }),
  ...[...owned].map(([resource, ids]): Consequence => ({ effect: 'hidden', resource, ids })),
];

const LEFT_BEHIND: Readonly<Record<string, Effect>> = { PrimaryReportsTo: 'top', PrimaryOrganizationID: 'department' };

function ofMove(name: string, { owned, naming, members }: KnownDependents): readonly Consequence[] {
  const moves = (resource: string, ids: readonly string[]): Consequence => ({ effect: 'moves', resource, ids });
  const reports = naming.filter(({ field }) => field === 'PrimaryReportsTo');
  if (name === 'individual') return reports.map(({ resource, field, ids }) => ({ ...moves(resource, ids), field }));
  const along = (ALONG[name] ?? []).map((resource) => moves(resource, owned.get(resource) ?? []));
  return name === 'organization' ? [...along, moves('individual', members)] : along;
}

/** The departments that the individual leads, as far as the caller may read the memberships. */
async function departmentsLed(
  { find }: Session,
  resource: string,
  id: string,
  { owned }: KnownDependents,
): Promise<readonly Consequence[]> {
  const live = owned.get('organizationMember') ?? [];
  if (resource !== 'individual' || live.length === 0) return [];
  const memberships = (await find.byMembers('organizationMember', { IndividualID: id })) ?? [];
  // A membership does not show that it is hidden.
  const led = memberships.filter(({ ID, Leader }) => Leader === true && live.includes(String(ID)));
  return [{ effect: 'leads', resource: 'organization', ids: led.map(({ OrganizationID }) => String(OrganizationID)) }];
}

const unread = ({ unread }: KnownDependents): readonly Consequence[] =>
  unread.map((resource) => ({ effect: 'unread', resource, ids: [] }));
