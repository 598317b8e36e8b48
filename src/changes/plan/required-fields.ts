// Default values of a new record, and which members it requires.
import { type Field, mayBelongToSite } from '../../contract/field.ts';
import type { Resource } from '../../contract/resource.ts';
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

/** The members of a new record that neither these columns nor a default gives. */
export function membersToSay(resource: Resource, there: ReadonlySet<string>): readonly string[] {
  const filled = Object.fromEntries([...there].map((name) => [name, '']));
  const values = { ...filled, ...defaultsFor(resource, '', filled) };
  const isMissing = ([name, field]: [string, Field]): boolean =>
    name !== 'ID' && isDemanded(field) && !field.deprecated && values[name] === undefined;
  return Object.entries(resource.fields)
    .filter(isMissing)
    .map(([name]) => name);
}
