// The other records that a row changes: memberships, or the individual, that show the same primary membership (D14).
import type { Session } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow, SideEffect } from '../../contract/jobs.ts';
import { sameID } from '../../contract/kinds.ts';
import { placeIn } from '../../contract/record-address.ts';
import { type Row, valuesOf } from '../../contract/resource.ts';
import { PRIMARY_MEMBERS, PRIMARY_PLACE, primaryOwner } from '../../contract/resources/primary.ts';
import { defined, nonEmpty } from '../../text/defined.ts';
import { isSame } from '../plan/drift.ts';

type Effects = readonly SideEffect[];

/** Does the work of a row, and adds to its answer what it changed besides. `now` is the row's own record. */
export async function withSideEffects<T extends { readonly effects?: Effects }>(
  session: Session,
  row: PlannedRow,
  now: Row | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const owner = ownerOf(row, now);
  if (owner === undefined) return work();
  const before = await recordsBeside(session, owner, row.id);
  const done = await work();
  const effects = before.length > 0 ? effectsBetween(before, await recordsBeside(session, owner, row.id)) : [];
  return effects.length > 0 ? { ...done, effects } : done;
}

/** The records that a row may change besides, before the request: all members, by which the change is seen later. */
export async function expectedEffects(session: Session, row: PlannedRow, now: Row | undefined): Promise<Effects> {
  const owner = ownerOf(row, now);
  const beside = owner === undefined ? [] : await recordsBeside(session, owner, row.id);
  return beside.map(({ resource, record }) => sideEffect(resource, record, {}, PRIMARY_MEMBERS[resource] ?? []));
}

/** What a row of unknown outcome has changed besides, if it was done. */
export async function effectsSince(session: Session, expected: Effects): Promise<Effects> {
  const effects: SideEffect[] = [];
  for (const { resource, id, place, before } of expected) {
    const now = (await session.find.record(resource, defined({ id, place }))).row;
    if (now) effects.push(...effectOn(resource, { ...before, ID: id }, now));
  }
  return effects;
}

/**
 * The individual whose primary membership becomes another one by the row: its own members go back with it. An undo
 * that has further updates may always move it.
 */
function ownerOf({ resource, body, patch, also }: PlannedRow, now: Row | undefined): string | undefined {
  if (!(resource in PRIMARY_MEMBERS)) return undefined;
  const sent = { ...body, ...patch };
  if (now && !also && !isMove(resource, sent, now)) return undefined;
  const record = now ?? (resource === 'individual' ? {} : { Primary: false, ...body });
  return primaryOwner(resource, { ...(also ? record : {}), ...sent }, record);
}

const isMove = (name: string, sent: Readonly<Record<string, unknown>>, now: Row): boolean =>
  (PRIMARY_PLACE[name] ?? []).some(
    (member) => sent[member] !== undefined && !isSame(resourceNamed(name), member, sent[member], now[member]),
  );

interface Beside {
  readonly resource: string;
  readonly record: Row;
}

/** An individual and its memberships, without the record of the row. */
async function recordsBeside(session: Session, id: string, own: string | undefined): Promise<readonly Beside[]> {
  const { find } = session;
  const individual = sameID(id, own) ? undefined : (await find.record('individual', { id })).row;
  const memberships = (await find.byMembers('organizationMember', { IndividualID: id })) ?? [];
  return [
    ...(individual ? [{ resource: 'individual', record: individual }] : []),
    ...memberships.filter(({ ID }) => !sameID(ID, own)).map((record) => ({ resource: 'organizationMember', record })),
  ];
}

const effectsBetween = (before: readonly Beside[], after: readonly Beside[]): Effects =>
  before.flatMap(({ resource, record }) => {
    const now = after.find((one) => one.resource === resource && sameID(one.record.ID, record.ID));
    return now ? effectOn(resource, record, now.record) : [];
  });

function effectOn(name: string, was: Row, now: Row): Effects {
  const resource = resourceNamed(name);
  const changed = (PRIMARY_MEMBERS[name] ?? []).filter((member) => !isSame(resource, member, was[member], now[member]));
  return changed.length === 0 ? [] : [sideEffect(name, was, now, changed)];
}

function sideEffect(name: string, was: Row, now: Row, members: readonly string[]): SideEffect {
  const place = nonEmpty(placeIn(resourceNamed(name), was, now));
  const [before, after] = [valuesOf(was, members), valuesOf(now, members)];
  return defined({ resource: name, id: String(was.ID), place, before, after });
}
