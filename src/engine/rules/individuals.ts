// Individuals: names, passwords, rights on single members, no loops of managers, the primary membership (D14).
import { type Fault, invalid, ServiceError } from '../../contract/errors.ts';
import { quote } from '../../contract/kinds.ts';
import { singular, type Value } from '../../contract/resource.ts';
import { PRIMARY_MEMBERS } from '../../contract/resources/primary.ts';
import type { Change } from '../context.ts';
import { nameOf } from '../records/record-names.ts';
import { checkRight } from '../rights/check.ts';
import { adminOnly, globalAdminOnly, isAdministrator, isOutOfReach, LOGIN_MEMBERS } from '../rights/labels.ts';
import { decide } from '../rights/permissions.ts';
import type { Stored } from '../store/port.ts';
import { updateMemberships } from './department-members.ts';
import { changes, member, type Rules, type Writing } from './rule.ts';
import { chainTo, loopFault } from './trees.ts';

const ADMINISTRATORS_FIELDS = ['UserName', 'IsAdmin'];
const { individual: PRIMARY = [] } = PRIMARY_MEMBERS;

export const individualRules: Rules = {
  lists: [{ resource: 'organizationMember', field: 'IndividualID' }],
  async prepare(writing) {
    const { values, before, change } = writing;
    refuseOtherEmail(writing);
    delete values.UserEmail;
    await checkRights(writing);
    takePassword(writing);
    if (!before) values.UserID = change.newID();
    if (!before) values.IsGlobalAdmin = false;
    Object.assign(values, namesOf(writing));
    if (before?.IsAdmin === true && values.IsAdmin === false) await refuseLast(change, before, 'IsAdmin');
  },
  check: async (writing) => [...(await badPassword(writing)), ...(await reportingLoop(writing))],
  always: ({ newPassword }) => newPassword !== undefined,
  async follow(writing) {
    const { values, before, change, newPassword } = writing;
    const id = String(before?.ID ?? values.ID);
    if (PRIMARY.some((name) => values[name] !== undefined)) await updateMemberships(change, id);
    if (newPassword !== undefined) await storePassword(change, id, newPassword);
  },
  deleting: async (change, row) => {
    if (row.IsAdmin === true) await refuseLast(change, row, 'IsAdmin');
    if (row.IsGlobalAdmin === true) await refuseLast(change, row, 'IsGlobalAdmin');
  },
};

/** UserEmail is the old name of Email, and answers it. One that is sent as it stands may stay behind a new Email. */
function refuseOtherEmail({ values: { Email, UserEmail }, before, resource }: Writing): void {
  if (UserEmail === undefined || UserEmail === null || UserEmail === Email || UserEmail === before?.Email) return;
  const message = `is ${quote(UserEmail)}, but Email is ${quote(Email)}: both are one address`;
  throw invalid(`the ${singular(resource)}`, [{ field: 'UserEmail', code: 'malformed', message, hint: 'Set Email.' }]);
}

function takePassword(writing: Writing): void {
  const { values, before, change } = writing;
  const password = values.Password;
  delete values.Password;
  if (typeof password !== 'string') return;
  const { id, showedPassword } = change.caller;
  if (before?.ID === id && showedPassword === false) throw needsOldPassword();
  if (before && before.ID !== id && !isAdministrator(change)) throw adminOnly("changing somebody else's password");
  writing.newPassword = password;
}

const needsOldPassword = (): ServiceError =>
  new ServiceError(
    'forbidden',
    'a new password of one’s own needs the old one: this request shows another credential',
    {
      hint: 'Send it with HTTP Basic, as yourself: the user name and the old password.',
    },
  );

async function badPassword({ change, newPassword }: Writing): Promise<readonly Fault[]> {
  if (newPassword === undefined) return [];
  const { passwordFaults } = await import('../auth/new-password.ts');
  return passwordFaults(change, newPassword);
}

async function storePassword(change: Change, id: string, password: string): Promise<void> {
  const { setPasswordOf } = await import('../auth/new-password.ts');
  await setPasswordOf(change, id, password);
}

/**
 * Only administrators may change the first members, and one's own primary ones need a permission row; unchanged they pass. Managers
 * read what is an individual's own: another one is given by who may give rights on it.
 */
async function checkRights(writing: Writing): Promise<void> {
  const { change, resource, values, before } = writing;
  if (before) checkReach(writing, before);
  if (isAdministrator(change)) return;
  if (!before) {
    if (values.IsAdmin === true) throw adminOnly('making an administrator');
    return;
  }
  const isOther = before.ID !== change.caller.id;
  const isGiven = isOther || (await decide(change, 'update', resource, before)).by === 'row';
  const guarded = isGiven ? ADMINISTRATORS_FIELDS : [...ADMINISTRATORS_FIELDS, ...PRIMARY];
  const changed = guarded.filter((name) => changes(writing, name));
  if (changed.length > 0) throw adminOnly(`changing ${changed.join(', ')} of ${nameOf(before)}`);
  if (isOther && changes(writing, 'PrimaryReportsTo')) await checkRight(change, 'delegate', resource, before);
}

/** A password is never part of a record, so that a sent one always counts as a change. */
function checkReach(writing: Writing, before: Stored): void {
  if (!isOutOfReach(writing.change, before)) return;
  const changed = LOGIN_MEMBERS.filter((name) => changes(writing, name));
  if (changed.length > 0) throw globalAdminOnly(`changing ${changed.join(', ')} of ${nameOf(before)}`);
}

function namesOf(writing: Writing): Record<string, Value> {
  const [prefix, first, last, suffix] = ['Prefix', 'FirstName', 'LastName', 'Suffix'].map(
    (name) => writing.values[name] ?? null,
  );
  const full = `${first} ${last}`;
  return {
    FullName: full,
    FormalName: `${prefix ? `${prefix} ` : ''}${full}${suffix ? `, ${suffix}` : ''}`,
    FullOrderedName: `${last}, ${first}`,
  };
}

/** An individual may report to itself; any other loop is a fault that names its chain. */
async function reportingLoop(writing: Writing): Promise<readonly Fault[]> {
  const { values, before, change } = writing;
  const id = String(before?.ID ?? values.ID);
  const boss = member(writing, 'PrimaryReportsTo');
  if (!before || !changes(writing, 'PrimaryReportsTo') || boss === id) return [];
  const chain = await chainTo(change, 'individual', 'PrimaryReportsTo', boss, id);
  return chain ? [await loopFault(change, 'individual', 'PrimaryReportsTo', [before, ...chain])] : [];
}

/** Only another global administrator could bring the last one back (D14). */
async function refuseLast({ store, site }: Change, row: Stored, label: 'IsAdmin' | 'IsGlobalAdmin'): Promise<void> {
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
  fill({ values, before, change }) {
    if (!before) values.IndividualID ??= change.caller.id;
  },
};
