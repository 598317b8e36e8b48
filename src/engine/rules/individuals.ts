// Individuals: names, passwords, rights on single members, no loops of managers, the primary membership (D14).
import { type Fault, invalid, ServiceError } from '../../contract/errors.ts';
import { quote } from '../../contract/kinds.ts';
import { singular, type Value } from '../../contract/resource.ts';
import { PRIMARY_MEMBERS } from '../../contract/resources/primary.ts';
import type { Writing } from '../context.ts';
import { nameOf } from '../records/record-names.ts';
import { checkRight } from '../rights/check.ts';
import { adminOnly, globalAdminOnly, isAdministrator, isOutOfReach, LOGIN_MEMBERS } from '../rights/labels.ts';
import { decide } from '../rights/permissions.ts';
import type { Stored } from '../store/port.ts';
import { updateMemberships } from './department-members.ts';
import { changes, member, type RecordToStore, type Rules } from './rule.ts';
import { loopFaults } from './trees.ts';

const ADMINISTRATORS_FIELDS = ['UserName', 'IsAdmin'];
const { individual: PRIMARY = [] } = PRIMARY_MEMBERS;

export const individualRules: Rules = {
  lists: [{ resource: 'organizationMember', field: 'IndividualID' }],
  async prepare(toStore) {
    const { values, before, writing } = toStore;
    refuseOtherEmail(toStore);
    delete values.UserEmail;
    await checkRights(toStore);
    takePassword(toStore);
    if (!before) values.UserID = writing.newID();
    if (!before) values.IsGlobalAdmin = false;
    Object.assign(values, namesOf(toStore));
    if (before?.IsAdmin === true && values.IsAdmin === false) await refuseLast(writing, before, 'IsAdmin');
  },
  check: async (toStore) => [...(await badPassword(toStore)), ...(await reportingLoop(toStore))],
  unseen: ({ newPassword }) => (newPassword === undefined ? {} : { Password: null }),
  async follow(toStore) {
    const { values, before, writing, newPassword } = toStore;
    const id = String(before?.ID ?? values.ID);
    if (PRIMARY.some((name) => values[name] !== undefined)) await updateMemberships(writing, id);
    if (newPassword === undefined) return;
    const { setPasswordOf } = await import('../auth/new-password.ts');
    await setPasswordOf(writing, id, newPassword);
  },
  deleting: async (writing, row) => {
    if (row.IsAdmin === true) await refuseLast(writing, row, 'IsAdmin');
    if (row.IsGlobalAdmin === true) await refuseLast(writing, row, 'IsGlobalAdmin');
  },
};

/** UserEmail is the old name of Email, and answers it. One that is sent as it stands may stay behind a new Email. */
function refuseOtherEmail({ values: { Email, UserEmail }, before, resource }: RecordToStore): void {
  if (UserEmail === undefined || UserEmail === null || UserEmail === Email || UserEmail === before?.Email) return;
  const message = `is ${quote(UserEmail)}, but Email is ${quote(Email)}: both are one address`;
  throw invalid(`the ${singular(resource)}`, [{ field: 'UserEmail', code: 'malformed', message, hint: 'Set Email.' }]);
}

function takePassword(toStore: RecordToStore): void {
  const { values, before, writing } = toStore;
  const password = values.Password;
  delete values.Password;
  if (typeof password !== 'string') return;
  const { id, showedPassword } = writing.caller;
  if (before?.ID === id && showedPassword === false) throw needsOldPassword();
  if (before && before.ID !== id && !isAdministrator(writing)) throw adminOnly("changing somebody else's password");
  toStore.newPassword = password;
}

const needsOldPassword = (): ServiceError =>
  new ServiceError('forbidden', 'to set your own password, the request needs the old one: it has another credential', {
    hint: 'Send it with HTTP Basic, as yourself: the user name and the old password.',
  });

async function badPassword({ writing, newPassword }: RecordToStore): Promise<readonly Fault[]> {
  if (newPassword === undefined) return [];
  const { passwordFaults } = await import('../auth/new-password.ts');
  return passwordFaults(writing, newPassword);
}

/**
 * Only administrators may change the first members, and one's own primary ones need a permission row; unchanged they pass. Managers
 * read an individual's own records: another manager is set by those who may give rights on the individual.
 */
async function checkRights(toStore: RecordToStore): Promise<void> {
  const { writing, resource, values, before } = toStore;
  if (before) checkReach(toStore, before);
  if (isAdministrator(writing)) return;
  if (!before) {
    if (values.IsAdmin === true) throw adminOnly('making an administrator');
    return;
  }
  const isOther = before.ID !== writing.caller.id;
  const isGiven = isOther || (await decide(writing, 'update', resource, before)).by === 'row';
  const guarded = isGiven ? ADMINISTRATORS_FIELDS : [...ADMINISTRATORS_FIELDS, ...PRIMARY];
  const changed = guarded.filter((name) => changes(toStore, name));
  if (changed.length > 0) throw adminOnly(`changing ${changed.join(', ')} of ${nameOf(before)}`);
  if (isOther && changes(toStore, 'PrimaryReportsTo')) await checkRight(writing, 'delegate', resource, before);
}

/** A password is never part of a record, so that a sent one always counts as a change. */
function checkReach(toStore: RecordToStore, before: Stored): void {
  if (!isOutOfReach(toStore.writing, before)) return;
  const changed = LOGIN_MEMBERS.filter((name) => changes(toStore, name));
  if (changed.length > 0) throw globalAdminOnly(`changing ${changed.join(', ')} of ${nameOf(before)}`);
}

function namesOf(toStore: RecordToStore): Record<string, Value> {
  const [prefix, first, last, suffix] = ['Prefix', 'FirstName', 'LastName', 'Suffix'].map(
    (name) => toStore.values[name] ?? null,
  );
  const full = `${first} ${last}`;
  return {
    FullName: full,
    FormalName: `${prefix ? `${prefix} ` : ''}${full}${suffix ? `, ${suffix}` : ''}`,
    FullOrderedName: `${last}, ${first}`,
  };
}

/** An individual may report to itself; any other loop is a fault that names its chain. */
async function reportingLoop(toStore: RecordToStore): Promise<readonly Fault[]> {
  const { before, writing } = toStore;
  const boss = member(toStore, 'PrimaryReportsTo');
  if (!before || !changes(toStore, 'PrimaryReportsTo') || boss === before.ID) return [];
  return loopFaults(writing, 'individual', 'PrimaryReportsTo', before, boss);
}

/** Only another global administrator could bring the last one back (D14). */
async function refuseLast({ store, site }: Writing, row: Stored, label: 'IsAdmin' | 'IsGlobalAdmin'): Promise<void> {
  const isGlobal = label === 'IsGlobalAdmin';
  const place = { resource: 'individual', site: isGlobal ? undefined : site, deleted: 0 } as const;
  const all = await store.find({ ...place, equals: { [label]: true }, limit: 2 });
  if (all.some(({ ID }) => ID !== row.ID)) return;
  const what = isGlobal ? 'global administrator' : 'administrator of the site';
  throw new ServiceError('last_admin', `${nameOf(row)} is the last ${what}`, {
    next: { do: isGlobal ? 'grant-global' : 'name-administrator' },
  });
}

export const basicRoleRules: Rules = {
  lists: [{ resource: 'indicator', field: 'BasicRoleID' }],
  fill({ values, before, writing }) {
    if (!before) values.IndividualID ??= writing.caller.id;
  },
};
