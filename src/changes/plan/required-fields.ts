// What pm knows of a new record by itself, so that nobody has to say it.
import type { Field } from '../../contract/field.ts';
import type { Resource } from '../../contract/resource.ts';

/** The site is the one acted in, `UserEmail` the same as `Email` (D14), what can stand below the site does so unless said, and marks begin unset. */
export function knownOfNew(
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

/** Can a new record not be without this member? */
export const isDemanded = (field: Field): boolean =>
  (field.rule === 'required' || field.rule === 'required on create') && !field.nullOnly;
