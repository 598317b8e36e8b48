// What the deletion or the move of one record does to others: what goes along, and who is left behind.
import type { Session } from '../../contract/call.ts';
import { resourceNamed, storedResources } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import type { Verb } from '../../contract/operation.ts';
import { ownedBy } from '../../contract/record-address.ts';
import { isGone, isSoft, type Resource, type Row } from '../../contract/resource.ts';
import { oncePer } from '../../text/once-per.ts';
import { isSame } from '../plan/drift.ts';
import { type IDs, liveNaming, namingOf, ownedBelow } from './dependents.ts';

/**
 * `hidden`: deleted by reference (D6). `back`: no longer so. `top`: individuals whose manager is deleted. `department`:
 * individuals whose primary department is deleted or hidden. `named`: records that go on naming what is deleted. `leads`:
 * departments that a deleted individual leads. `moves`: what moves along. `unread`: no list of a service shows all of them.
 */
export type Effect = 'hidden' | 'back' | 'top' | 'department' | 'named' | 'leads' | 'moves' | 'unread';

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

/** What of all that belongs to a moved record moves along. */
const ALONG: Readonly<Record<string, readonly string[]>> = {
  organization: ['organization', 'project', 'organizationMember'],
  project: ['project', 'task'],
  metric: ['metric'],
};

/** Does the row delete a record that others belong to, or move one? `now` is the record, where it is known. */
export const hasConsequences = (row: PlannedRow, now?: Row): boolean =>
  isDeletion(row) ? !(now && isGone(now)) && ownsOthers(resourceNamed(row.resource)) : isMove(row, now);

const ownsOthers = oncePer(({ name }: Resource) => ownedBy(storedResources, name).length > 0);

/** Is it a deletion that an undelete can take back? Nothing belongs to a record that is deleted for good (D8). */
const isDeletion = (row: PlannedRow): boolean =>
  row.id !== undefined && verbOf(row) === 'delete' && isSoft(resourceNamed(row.resource));

export const verbOf = ({ resource, operation }: PlannedRow): Verb | undefined =>
  resourceNamed(resource).operations[operation]?.verb;

/** The embedded engine alone knows what comes back; no question is asked for it. */
const isUndeletion = ({ local }: Session, row: PlannedRow, now: Row | undefined): boolean =>
  local !== undefined && now?.Deleted === true && verbOf(row) === 'undelete';

/** Does the row give the record another place? Without the record, every sent member counts. */
function isMove(row: PlannedRow, now?: Row): boolean {
  const { resource, id, body, patch } = row;
  if (id === undefined || verbOf(row) !== 'update') return false;
  const sent: Readonly<Record<string, unknown>> = patch ?? body ?? {};
  const isChanged = (member: string): boolean =>
    sent[member] !== undefined && !(now && isSame(resourceNamed(resource), member, sent[member], now[member]));
  return (MOVES[resource] ?? []).some(isChanged);
}

/**
 * Looks for the consequences of the first rows that have any; undefined for each row after those, and where it is too late. To
 * look takes longer than to make the change: on a service a dozen requests.
 */
export function firstConsequences({ local }: Session, isLate = () => false) {
  const most = local ? 10_000 : 10;
  let count = 0;
  return async (session: Session, row: PlannedRow, now?: Row): Promise<readonly Consequence[] | undefined> => {
    if (!hasConsequences(row, now) && !isUndeletion(session, row, now)) return [];
    return ++count > most || isLate() ? undefined : consequencesOf(session, row, now);
  };
}

/**
 * The changes of other records by the row. A remote service is asked before the row is made. The embedded engine is asked after
 * it, when it is known which records a deletion hid. `now` is the row's own record before it.
 */
async function consequencesOf(session: Session, row: PlannedRow, now?: Row): Promise<readonly Consequence[]> {
  const unread = new Set<string>();
  const find = isDeletion(row) ? ofDeletion : isUndeletion(session, row, now) ? ofUndeletion : ofMove;
  const consequences = await find(session, row.resource, String(now?.ID ?? row.id), unread);
  const shown = [...unread].filter((name) => !resourceNamed(name).hidden);
  return [
    ...consequences.filter(({ ids }) => ids.length > 0),
    ...shown.map((resource): Consequence => ({ effect: 'unread', resource, ids: [] })),
  ];
}

type Look = (session: Session, resource: string, id: string, unread: Set<string>) => Promise<readonly Consequence[]>;

const ofDeletion: Look = async (session, resource, id, unread) => {
  // No list shows the rights that an individual is given.
  if (!session.local && resource === 'individual') unread.add('permission');
  const hidden = session.local
    ? await session.local.marked(resource, id)
    : idsOf(await ownedBelow(session, [resource, id], unread));
  const gone = new Map([...hidden, [resource, [...(hidden.get(resource) ?? []), id]]]);
  const naming = await namingOf(session, gone, unread);
  return [
    ...naming.map(({ field, ...one }): Consequence => {
      const effect = LEFT_BEHIND[field];
      return effect ? { effect, ...one } : { effect: 'named', field, ...one };
    }),
    ...[...hidden].map(([resource, ids]): Consequence => ({ effect: 'hidden', resource, ids })),
    ...(resource === 'individual' ? [await departmentsLed(session, id, hidden)] : []),
  ];
};

const idsOf = (rows: ReadonlyMap<string, readonly Row[]>): IDs =>
  new Map([...rows].map(([name, some]) => [name, some.map(({ ID }) => String(ID))]));

const LEFT_BEHIND: Readonly<Record<string, Effect>> = { PrimaryReportsTo: 'top', PrimaryOrganizationID: 'department' };

const ofUndeletion: Look = async ({ local }, resource, id) =>
  [...((await local?.marked(resource, id)) ?? [])].map(([name, ids]) => ({ effect: 'back', resource: name, ids }));

const ofMove: Look = async (session, resource, id, unread) => {
  if (resource === 'individual') {
    const field = 'PrimaryReportsTo';
    const reports = await liveNaming(session, { resource, field, ids: [id] }, unread);
    const others = reports.map((report) => String(report.ID)).filter((report) => !sameID(report, id));
    return [{ effect: 'moves', resource, field, ids: others }];
  }
  const wanted = ALONG[resource] ?? [];
  const owned = await ownedBelow(session, [resource, id], unread, wanted);
  return wanted.map((name): Consequence => {
    const rows = owned.get(name) ?? [];
    if (name !== 'organizationMember')
      return { effect: 'moves', resource: name, ids: rows.map(({ ID }) => String(ID)) };
    const members = new Set(rows.map(({ IndividualID }) => String(IndividualID)));
    return { effect: 'moves', resource: 'individual', ids: [...members] };
  });
};

/** The departments that the individual leads, as far as the caller may read the memberships. */
async function departmentsLed({ find }: Session, id: string, hidden: IDs): Promise<Consequence> {
  const memberships = (await find.byMembers('organizationMember', { IndividualID: id })) ?? [];
  const live = hidden.get('organizationMember') ?? [];
  const led = memberships.filter(({ ID, Leader }) => Leader === true && live.includes(String(ID)));
  return { effect: 'leads', resource: 'organization', ids: led.map(({ OrganizationID }) => String(OrganizationID)) };
}
