// A state: the records of one site at one moment, as a session reads them; and a record of it as one short text.
import type { Session } from '../../contract/call.ts';
import { isWritable } from '../../contract/field.ts';
import { type Resource, type Row, type Value, valuesOf } from '../../contract/resource.ts';
import { seenBy } from '../../text/batches.ts';
import { oncePer } from '../../text/once-per.ts';
import { recordsAt } from '../site-records.ts';
import { sentMembers } from './layout.ts';

export interface State {
  /** As it was written: `prod`, `trial.db`. */
  readonly name: string;
  readonly session: Session;
  /** The address of the database or service. Two sites in one place have no ID in common. */
  readonly place: string;
  /** Is called with every record that is read. */
  readonly seen?: (resource: Resource, row: Row) => void;
}

/** The site: records of one site keep their IDs, wherever it is copied to and however old it is. */
export const siteOf = ({ session }: State): string => session.me.site;

/** As `recordsAt`. Throws where the caller may not read them. */
export const recordsIn = ({ session, seen }: State, resource: Resource, deleted: 0 | 2): AsyncGenerator<Row> =>
  seenBy(recordsAt(session, resource, deleted), (row) => seen?.(resource, row));

/** Do answered records say whether they are deleted or hidden? */
export const saysDeletion = ({ fields }: Resource): boolean => HIDDEN in fields;
const HIDDEN = 'DeletedByRef';

/** Does the caller see all records of the site? Only then a record that is not seen is not there. */
export async function seesAll({ session }: State): Promise<boolean> {
  const { row } = await session.find.record('individual', { id: session.me.id }, 'listed');
  // Who acts in a site without being of it is an administrator of all.
  return !row || row.IsAdmin === true || row.IsGlobalAdmin === true;
}

/** The members that are compared: what a request can set. The primary membership counts under memberships alone (D14). */
export const comparedMembers = (resource: Resource, left: readonly string[] = []): readonly string[] =>
  sentMembers(resource).filter((name) => !left.includes(name));

/** What is kept of a record: what can be written, the ID, the names and the marks of deletion. */
const keptNames = oncePer(({ fields, names }: Resource): readonly string[] => [
  ...Object.entries(fields).flatMap(([name, field]) =>
    (isWritable(field) && !field.writeOnly) || names.includes(name) || KEPT.has(name) ? [name] : [],
  ),
  HIDDEN,
]);
const KEPT = new Set(['ID', 'UserID', 'Deleted']);

/** Members that only the service knows (D11). */
export const unknownIn = ({ fields }: Resource, row: Row): readonly string[] =>
  Object.keys(row).filter((name) => !Object.hasOwn(fields, name) && name !== HIDDEN);

/** A record as a text, which takes a fraction of its room; members that the contract does not know stand behind (D11). */
export function packed(resource: Resource, row: Row): string {
  const values: unknown[] = keptNames(resource).map((name) => row[name] ?? null);
  const others = unknownIn(resource, row);
  if (others.length > 0) values.push(valuesOf(row, others));
  return JSON.stringify(values);
}

export function unpacked(resource: Resource, text: string): Row {
  const values = JSON.parse(text) as Value[];
  const names = keptNames(resource);
  const row = Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
  // Others than marks of the service would count as members that only it knows.
  if (row[HIDDEN] === null && !saysDeletion(resource)) delete row[HIDDEN];
  return Object.assign(row, values[names.length]);
}
