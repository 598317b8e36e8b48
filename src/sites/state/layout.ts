// Where the records of a site stand in a folder: a file for each person, department and project, a list for what is the site's.

import { isWritable } from '../../contract/field.ts';
import { resources, storedResources } from '../../contract/index.ts';
import { ownersOf } from '../../contract/record-address.ts';
import type { Resource } from '../../contract/resource.ts';
import { PRIMARY } from '../../contract/resources/primary.ts';
import { oncePer } from '../../text/once-per.ts';

/** What two sites are compared by: the record of the site itself is another one in each. */
export const comparable: readonly Resource[] = resources.filter(
  ({ name, operations }) =>
    name !== 'site' &&
    operations.update !== undefined &&
    (operations.list !== undefined || name === 'siteSetting') &&
    storedResources.some((stored) => stored.name === name),
);

/** Diaries have authors and times, which no request can set. They stay in the database, and in its backups. */
export const DIARIES: readonly string[] = ['dialog', 'basicRoleDialog', 'comment'];

/** The resources whose records a folder may hold. */
export const declarable: readonly Resource[] = comparable.filter(({ name }) => !DIARIES.includes(name));

/** The members that a request can set, without the ID, secrets and members that pm fills in. */
export const sentMembers = oncePer(({ fields }: Resource): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    isWritable(field) && !field.writeOnly && !FILLED.includes(name) ? [name] : [],
  ),
);
const FILLED = ['ID', 'SiteID', 'UserEmail'];

/** Each of their records has a file of its own, in the folder of that name. */
export const hasFolder = ({ name }: Resource): boolean => FOLDERS.includes(name);
const FOLDERS = ['individual', 'organization', 'project'];

/** The member by which a record belongs to the one in whose file it stands; undefined if its place says no owner. */
export const holderMember = oncePer((resource: Resource): string | undefined =>
  hasFolder(resource)
    ? undefined
    : ownersOf(resource).find(
        ({ targets }) => !targets.includes(resource.name) && targets.some((one) => one !== 'site'),
      )?.field,
);

/** The member by which a record is below another one of its kind: below its file, or in its list. */
export const aboveMember = oncePer(
  (resource: Resource): string | undefined =>
    ownersOf(resource).find(({ targets }) => targets.includes(resource.name))?.field,
);

/** The list of a resource in the file of its owner: `BasicRoles`. */
export const listName = ({ command }: Resource): string =>
  command.replaceAll(/(?:^|-)[a-z]/g, (letters) => letters.slice(-1).toUpperCase());

/** The list of the individuals of a security group, which are no records of their own. */
export const MEMBERS = 'Members';

/** The lists that may stand in a record, by their names. */
export const listsIn = oncePer(
  (holder: Resource): ReadonlyMap<string, Resource> =>
    new Map(
      declarable.flatMap((resource) => {
        const member = holderMember(resource);
        const isBelow = member !== undefined && resource.fields[member]?.to?.includes(holder.name);
        const isLike = resource === holder && !hasFolder(resource) && aboveMember(resource) !== undefined;
        return isBelow || isLike ? [[listName(resource), resource] as const] : [];
      }),
    ),
);

/** The members of a record that its place does not say. What a primary membership has, too, stands with that alone. */
export const ownMembers = oncePer((resource: Resource): readonly string[] =>
  sentMembers(resource).filter((name) => name !== holderMember(resource) && !Object.hasOwn(PRIMARY, name)),
);
