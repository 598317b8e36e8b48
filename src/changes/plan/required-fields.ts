// Default values of a new record, and which members it requires.
import type { Field } from '../../contract/field.ts';
import type { Resource } from '../../contract/resource.ts';

/** The current site, `UserEmail` as `Email` (D14), the site as owner where it can be one, and false for required booleans. */
export function defaultsFor(
  resource: Resource,
  site: string,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  if (resource.fields.SiteID && resource.fields.SiteID.rule !== 'read-only') values.SiteID = site;
  if (resource.fields.UserEmail && body.Email !== undefined) values.UserEmail = body.Email;
  if (resource.name === 'permission') values.ChildType = null;
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.owner && field.to?.includes('site')) values[name] = site;
    if (field.kind === 'boolean' && isDemanded(field)) values[name] = false;
  }
  return values;
}

/** Must a new record have this member? */
export const isDemanded = (field: Field): boolean =>
  (field.rule === 'required' || field.rule === 'required on create') && !field.nullOnly;
