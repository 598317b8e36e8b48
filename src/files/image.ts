// The image of a record: all that an exported site holds of it, also members that no request can set, such as authors and times.
import { invalid } from '../contract/errors.ts';
import { boolean, type Field, type Fields, guids, isWritable, mayBelongToSite, text } from '../contract/field.ts';
import type { Resource, Row, Value } from '../contract/resource.ts';
import { type Checked, validate } from '../contract/validate.ts';

/** Members that only the service sets, and that a restored record keeps. */
const KEPT = ['ID', 'UserID', 'Created', 'CreatedBy', 'Updated', 'UpdatedBy', 'Deleted'];

/** The site and its settings are one record for each site; their images have no ID. */
export const isOfSite = ({ name }: Resource): boolean => name === 'site' || name === 'siteSetting';

/** The members of a resource that only the service sets, and an image keeps. */
export const keptMembers = (resource: Resource): readonly string[] =>
  KEPT.filter((name) => name in resource.fields && !(isOfSite(resource) && ['ID', 'Deleted'].includes(name)));

const isSent = (resource: Resource, name: string, field: Field): boolean =>
  isWritable(field) && !field.writeOnly && !['SiteID', 'UserEmail', ...keptMembers(resource)].includes(name);

/** The members that a request can set, without the ID, secrets and members that pm fills in. */
export const sentMembers = (resource: Resource): readonly string[] =>
  Object.entries(resource.fields).flatMap(([name, field]) =>
    isSent(resource, name, field) && name !== 'ID' ? [name] : [],
  );

/** The fields of an image, under which its members can be read. `Others`: unknown members of an open resource (D11). */
export function imageFields(resource: Resource): Fields {
  const kept = keptMembers(resource).map((name) => [name, { ...(resource.fields[name] as Field), rule: 'optional' }]);
  const sent = sentMembers(resource).map((name) => [name, resource.fields[name]]);
  return {
    ...(Object.fromEntries([...kept, ...sent]) as Fields),
    // Worked out from the owners of the record.
    DeletedByRef: boolean('read-only'),
    ...(resource.open ? { Others: text('optional') } : {}),
    ...(resource.name === 'securityGroup' ? { Members: guids('optional', { to: ['individual'] }) } : {}),
  };
}

/** The image in a member of a body; undefined where there is none. */
export const imageIn = (text: unknown): Row | undefined =>
  typeof text === 'string' ? (JSON.parse(text) as Row) : undefined;

/** The image of an answered record; `Members` of a group are not part of the answer. */
export function imageOf(resource: Resource, row: Row, members: Row = {}): Row {
  const names = [...keptMembers(resource), ...sentMembers(resource)];
  const image: Record<string, Value> = Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
  const others = Object.entries(row).filter(([name]) => !(name in resource.fields));
  if (others.length > 0) image.Others = JSON.stringify(Object.fromEntries(others));
  return { ...image, ...members };
}

/** The image with the site where it is blank: the site owns records without another owner. */
export function imageAt(site: string, { fields }: Resource, image: Row): Row {
  const owners = Object.entries(fields).filter(([, field]) => mayBelongToSite(field));
  return { ...image, ...Object.fromEntries(owners.map(([name]) => [name, image[name] ?? site])) };
}

/** Checks an image as a new record of the site would be checked. Throws `invalid`. */
export function checkImage(resource: Resource, image: Row, site: string, what: string): Checked {
  const { fields, open } = resource;
  const body: Record<string, Value> = {};
  for (const name of sentMembers(resource)) body[name] = image[name] ?? null;
  if (fields.ID && isWritable(fields.ID) && !isOfSite(resource)) body.ID = image.ID ?? null;
  if (fields.SiteID && isWritable(fields.SiteID)) body.SiteID = site;
  if (fields.UserEmail) body.UserEmail = image.Email ?? null;
  const { values } = validate({ fields, open, what }, body, 'create');
  // An empty member stays so; only a new record gets an initial value.
  for (const name in fields) if (fields[name]?.initial !== undefined) values[name] = image[name] ?? null;
  return { values, others: othersIn(image, what) };
}

/** Throws `invalid` for a text that is no JSON object. */
function othersIn({ Others = null }: Row, what: string): Checked['others'] {
  if (typeof Others !== 'string') return {};
  try {
    return { ...(JSON.parse(Others) as Checked['others']) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid(what, [{ field: 'Others', code: 'malformed', message: 'is no JSON object' }]);
  }
}
