// Default values of a new record, and which members it requires.
import type { Finder } from '../../contract/call.ts';
import { type Field, mayBelongToSite } from '../../contract/field.ts';
import { ownersOf } from '../../contract/record-address.ts';
import type { Resource, Value } from '../../contract/resource.ts';
import { oncePer } from '../../text/once-per.ts';

/**
 * The current site, `Email` and `UserEmail` as one address (D14), the site as owner where it can be one, and false for required
 * booleans.
 */
export function defaultsFor(
  resource: Resource,
  site: string,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  if (resource.fields.SiteID && resource.fields.SiteID.rule !== 'read-only') values.SiteID = site;
  const { Email, UserEmail } = body;
  if (resource.fields.UserEmail && Email !== undefined) values.UserEmail = Email;
  else if (resource.fields.UserEmail && UserEmail !== undefined) values.Email = UserEmail;
  if (resource.name === 'permission') values.ChildType = null;
  const { owned, flags } = filledIn(resource);
  for (const name of owned) values[name] = site;
  for (const name of flags) values[name] = false;
  return values;
}

/** The fields that the site owns where nothing is said, and the required booleans. A right on the whole site is said (D38). */
const filledIn = oncePer(({ name: resource, fields }: Resource) => {
  const namesOf = (is: (field: Field) => boolean): readonly string[] =>
    Object.entries(fields).flatMap(([name, field]) => (is(field) ? [name] : []));
  return {
    owned: resource === 'permission' ? [] : namesOf(mayBelongToSite),
    flags: namesOf((field) => field.kind === 'boolean' && isDemanded(field)),
  };
});

/** Must a new record have this member? */
export const isDemanded = (field: Field): boolean =>
  (field.rule === 'required' || field.rule === 'required on create') && !field.nullOnly;

/** Is it a place in a list, which may be the end? The rank of a color is a level. */
export const isPlace = ({ name: resource, fields: { Rank } }: Resource, name: string): boolean =>
  name === 'Rank' && resource !== 'color' && Rank !== undefined && isDemanded(Rank);

/**
 * The ranks of new records, one after the other: the said one, or the end of the list behind all that are there and that were asked
 * for before. Undefined if a service shows no such list.
 */
export function ranksOfNew({ byMembers }: Pick<Finder, 'byMembers'>, site: string) {
  const last = new Map<string, number>();
  const read = new Set<string>();
  const atTheEnd = async (resource: Resource, owners: readonly Value[], key: string): Promise<number | undefined> => {
    const members: Record<string, Value> = {};
    for (const [at, { field }] of ownersOf(resource).entries()) members[field] = owners[at] ?? null;
    const there = read.has(key) ? [] : await byMembers(resource.name, members);
    read.add(key);
    if (!there) return undefined;
    const rank = there.reduce((most, { Rank }) => Math.max(most, Number(Rank ?? 0)), last.get(key) ?? 0) + 1;
    last.set(key, rank);
    return rank;
  };
  const defaultsOf = oncePer((resource: Resource) => defaultsFor(resource, site, {}));
  return (resource: Resource, body: Readonly<Record<string, unknown>>): number | Promise<number | undefined> => {
    const owners = ownersOf(resource).map(({ field }) => (body[field] ?? defaultsOf(resource)[field] ?? null) as Value);
    const key = `${resource.name} ${owners.join(' ')}`;
    if (typeof body.Rank !== 'number') return atTheEnd(resource, owners, key);
    last.set(key, Math.max(last.get(key) ?? 0, body.Rank));
    return body.Rank;
  };
}

/** The members of a new record that neither these columns nor a default gives. */
export function membersToSay(resource: Resource, there: ReadonlySet<string>): readonly string[] {
  const filled = Object.fromEntries([...there].map((name) => [name, '']));
  const values = { ...filled, ...defaultsFor(resource, '', filled) };
  const isMissing = ([name, field]: [string, Field]): boolean =>
    name !== 'ID' && isDemanded(field) && !isPlace(resource, name) && !field.deprecated && values[name] === undefined;
  return Object.entries(resource.fields)
    .filter(isMissing)
    .map(([name]) => name);
}
