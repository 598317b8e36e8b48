// Finds the record that a row of a plan is about, with nothing but the row to go by.
import type { Found, Session } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { listedIn, placeAt, placeIn } from '../../contract/record-address.ts';
import type { Resource, Row } from '../../contract/resource.ts';

/** The record as it stands. One that was moved is looked for with its new owner, too. */
export async function locate(session: Session, row: PlannedRow): Promise<Found> {
  const resource = resourceNamed(row.resource);
  const id = row.id === undefined ? {} : { id: row.id };
  const place = placeOf(resource, row);
  const found = await session.find.record(resource.name, { ...id, place });
  if (found.row || found.state === 'deleted') return found;
  const moved = placeIn(resource, row.patch);
  if (Object.keys(moved).length === 0) return found;
  return session.find.record(resource.name, { ...id, place: { ...place, ...moved } });
}

/** By what its list shows it. A job of an earlier pm keeps its owners among the values before. */
function placeOf(resource: Resource, { operation, by, params, was, body, place }: PlannedRow): Row {
  const known = resource.operations[operation];
  const said = known && params ? placeAt(resource, known, by, params) : undefined;
  return { ...placeIn(resource, was, body, place), ...said };
}

/**
 * The records beside which the new one of a row stands, or would stand; undefined where no list of the service can show
 * them.
 */
export function locateBeside(
  session: Session,
  { resource: name, body = {} }: PlannedRow,
): Promise<readonly Row[] | undefined> {
  const members = Object.entries(listedIn(resourceNamed(name), body)).filter(([, value]) => value !== null);
  return session.find.beside(name, Object.fromEntries(members));
}
