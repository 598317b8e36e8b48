// Restores records of an exported site in a new one, with their IDs, authors and times, and takes them out again (D37).
import type { Input } from '../../contract/call.ts';
import { invalid, ServiceError } from '../../contract/errors.ts';
import { type Field, isWritable } from '../../contract/field.ts';
import { type ResourceName, storedResources } from '../../contract/index.ts';
import { guidsIn } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { isGone, type Resource, type Row, singular } from '../../contract/resource.ts';
import { checkImage, imageIn, imageOf, isOfSite, keptMembers, sentMembers } from '../../files/image.ts';
import { findIn, type Writing } from '../context.ts';
import { answer } from '../records/answer.ts';
import { changedMembers } from '../records/bodies.ts';
import { insert, log, othersOf, replace, setMember } from '../records/history.ts';
import { individualByUserID, nameOf } from '../records/record-names.ts';
import { globalAdminOnly, isOutOfReach } from '../rights/labels.ts';
import { rulesFor } from '../rules/index.ts';
import type { Stored } from '../store/port.ts';
import { bodyOf, type Target } from '../target.ts';

/**
 * Exchanges one record for another; either may be missing. The reverse operation takes the same body. Throws `invalid` for an
 * image that is no valid record, `drifted` for a record that has changed since or is named by others, and
 * `global_admin_only` for the record of a global administrator (D14).
 */
export async function restoreRecord(writing: Writing, target: Target, input: Input): Promise<Row> {
  const { Type = null, Record = null, Instead = null } = bodyOf(target, input, 'the record');
  const resource = storedResources.find(({ name }) => name === Type);
  if (!resource) throw invalid('the record', [{ field: 'Type', code: 'malformed', message: 'is no resource' }]);
  const isBack = target.operation.name === 'unrestore';
  const [wanted, given] = isBack ? [Instead, Record] : [Record, Instead];
  const image = imageIn(wanted);
  if (isOfSite(resource)) return image ? rewrite(writing, resource, image) : {};
  const before = imageIn(given);
  const old = before && (await restoredRecord(writing, resource, before));
  // The record in its place gets its password and its rights.
  if (old && isOutOfReach(writing, old)) throw globalAdminOnly(`replacing ${nameOf(old)}`);
  if (old && old.ID !== image?.ID) await takeOut(writing, resource, old, isBack);
  if (!image) return {};
  const row = await putIn(writing, resource, image, old);
  if (old && resource.name === 'individual') await writing.store.moveSecrets(writing.site, idOf(old), idOf(row));
  return answer(writing, resource, row);
}

const idOf = ({ ID }: Row): string => String(ID);

/** Writes the members of the site, or of its settings. */
async function rewrite(writing: Writing, resource: Resource, image: Row): Promise<Row> {
  const before = await writing.store.get(resource.name, writing.site, writing.site);
  if (!before) throw new ServiceError('not_found', `the site has no ${singular(resource)}`);
  const checked = checkImage(resource, image, writing.site, `the ${singular(resource)}`);
  const values = { ...checked.values, ...keptOf(resource, image) };
  await refuseFaults(writing, resource, values, before);
  const changes = changedMembers(resource, { ...checked, values }, before);
  if (Object.keys(changes).length > 0) await replace(writing, resource, before, changes);
  return answer(writing, resource, { ...before, ...changes });
}

const keptOf = (resource: Resource, image: Row): Row =>
  Object.fromEntries(keptMembers(resource).flatMap((name) => (name in image ? [[name, image[name] ?? null]] : [])));

async function putIn(writing: Writing, resource: Resource, image: Row, old: Stored | undefined): Promise<Stored> {
  const what = `the ${singular(resource)} ${nameOf(image)}`;
  const { values, others } = checkImage(resource, image, writing.site, what);
  const toStore = { writing, resource, values, before: undefined };
  const rules = rulesFor(resource);
  rules.fill?.(toStore);
  values.ID ??= image.ID ?? resource.identity.map((name) => values[name]).join('/');
  await rules.prepare?.(toStore);
  await refuseFaults(writing, resource, values);
  const kept = { ...keptOf(resource, image), ...(await marksOf(writing, resource, values, old)) };
  const row =
    old?.ID === values.ID && old
      ? await overwrite(writing, resource, old, { ...values, ...kept, Others: othersOf({ values, others }) })
      : await insert(writing, resource, { values, others }, kept);
  if (resource.id === 'integer') await writing.store.reserveID(resource.name, writing.site, Number(row.ID));
  if (image.Members) await putMembersIn(writing, idOf(row), guidsIn(image.Members).map(String));
  if (resource.name === 'comment') await rules.follow?.({ ...toStore, values: { ...values, ...row } });
  return row;
}

async function putMembersIn(writing: Writing, group: string, individuals: readonly string[]): Promise<void> {
  const members = await writing.store.members(writing.site, group);
  for (const one of individuals) if (!members.includes(one)) await setMember(writing, group, one, true);
}

/** A record that has the same ID in both sites stays, with all that name it. */
async function overwrite(writing: Writing, resource: Resource, old: Stored, values: Row): Promise<Stored> {
  await writing.store.update(resource.name, writing.site, idOf(old), values);
  await log(writing, resource, old, 'update', old);
  return { ...old, ...values };
}

/** Whether something above the record is deleted (D6); and no file makes a global administrator. */
async function marksOf(writing: Writing, resource: Resource, values: Row, old: Stored | undefined): Promise<Row> {
  let isHidden = false;
  for (const { field, targets } of ownersOf(resource)) {
    for (const target of targets.filter((one) => one !== 'site')) {
      const id = values[field] ?? null;
      const owner =
        target === 'principal'
          ? await individualByUserID(writing, id)
          : await writing.lookup(target as ResourceName, id);
      isHidden ||= owner !== undefined && isGone(owner);
    }
  }
  const global = resource.name === 'individual' ? { IsGlobalAdmin: old?.IsGlobalAdmin === true } : {};
  return { DeletedByRef: isHidden, ...global };
}

async function refuseFaults(writing: Writing, resource: Resource, values: Row, before?: Stored): Promise<void> {
  const faults = await rulesFor(resource).check?.({ writing, resource, values: { ...values }, before });
  if (faults && faults.length > 0) throw invalid(`the ${singular(resource)} ${nameOf(values)}`, faults);
}

/** The record of an image. Throws `drifted` where it has changed. */
async function restoredRecord(writing: Writing, resource: Resource, image: Row): Promise<Stored> {
  const id = image.ID === undefined ? resource.identity.map((name) => image[name]).join('/') : idOf(image);
  const row = await writing.store.get(resource.name, writing.site, id);
  if (row && (await isAsRestored(writing, resource, row, image))) return row;
  throw new ServiceError('drifted', `the ${singular(resource)} ${nameOf(image)} has changed since`);
}

async function takeOut(writing: Writing, resource: Resource, row: Stored, isBack: boolean): Promise<void> {
  // The reverse goes backwards: records that the import has made below it are gone by now.
  if (isBack && (await isNamed(writing, resource, row))) {
    const what = `the ${singular(resource)} ${nameOf(row)}`;
    throw new ServiceError('drifted', `${what} is named by records that were made since`);
  }
  const id = idOf(row);
  const members = resource.name === 'securityGroup' ? await writing.store.members(writing.site, id) : [];
  for (const member of members) await setMember(writing, id, member, false);
  await writing.store.remove(resource.name, writing.site, [id]);
  await log(writing, resource, row, 'remove', row);
}

async function isAsRestored(writing: Writing, resource: Resource, row: Stored, image: Row): Promise<boolean> {
  const now = imageOf(resource, await answer(writing, resource, row, 'list'));
  const names = [...sentMembers(resource), 'Deleted', 'Others'];
  return names.every((name) => (now[name] ?? null) === (image[name] ?? null));
}

/** Do records of this site name the record? Individuals that report to each other go one after another. */
async function isNamed(writing: Writing, { name }: Resource, row: Stored): Promise<boolean> {
  for (const target of name === 'individual' ? [name, 'principal'] : [name]) {
    const value = (target === 'principal' ? row.UserID : row.ID) ?? null;
    for (const { resource, field } of fieldsNaming(target)) {
      const found = await findIn(writing, resource, { equals: { [field]: value }, deleted: 2, limit: 1 });
      if (found.length > 0) return true;
    }
  }
  return false;
}

/** The fields by which records name one that is taken out; a `principal` is named by its UserID. */
export const fieldsNaming = (target: string): readonly { readonly resource: string; readonly field: string }[] =>
  storedResources.flatMap((of) =>
    Object.entries(of.fields).flatMap(([field, one]) => (names(one, of, target) ? [{ resource: of.name, field }] : [])),
  );

const names = (field: Field, of: Resource, target: string): boolean =>
  isWritable(field) && (of.name !== target || field.owner === true) && field.to?.includes(target) === true;
