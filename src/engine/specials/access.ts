// Passwords, global administrators, tokens and the members of security groups, where the database is (D1, D21).
// The service has no address for these operations.
import type { Input } from '../../contract/call.ts';
import { invalid, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { isGone, type Row } from '../../contract/resource.ts';
import { compareKeys } from '../../text/text-key.ts';
import { setPasswordOf } from '../auth/new-password.ts';
import { isGood, issue, revoke } from '../auth/tokens.ts';
import type { Context, Writing } from '../context.ts';
import { answer } from '../records/answer.ts';
import { replace, setMember } from '../records/history.ts';
import { readable } from '../records/read-record.ts';
import { nameOf } from '../records/record-names.ts';
import { answerFresh } from '../records/verbs.ts';
import { mayRead } from '../rights/check.ts';
import { adminOnly, globalAdminOnly, isAdministrator, isOutOfReach } from '../rights/labels.ts';
import type { Stored, StoredToken } from '../store/port.ts';
import { bodyOf, type Target } from '../target.ts';

/** Throws `global_admin_only` for a global administrator's (D14). */
export async function setPassword(writing: Writing, target: Target, input: Input): Promise<Row> {
  const { Individual, Password } = bodyOf(target, input, 'the new password');
  const row = await liveIndividual(writing, Individual);
  if (isOutOfReach(writing, row)) throw globalAdminOnly(`setting the password of ${nameOf(row)}`);
  await setPasswordOf(writing, String(row.ID), String(Password));
  return changed(writing, row, { Password: null });
}

/** Needs no right but the file: a database without a global administrator must get one again. */
export async function grantGlobal(writing: Writing, target: Target, input: Input): Promise<Row> {
  const row = await liveIndividual(writing, bodyOf(target, input, 'the grant').Individual);
  return row.IsGlobalAdmin === true
    ? answer(writing, resourceNamed('individual'), row)
    : changed(writing, row, { IsGlobalAdmin: true });
}

const liveIndividual = (writing: Writing, id: unknown): Promise<Stored> =>
  readable(writing, { resource: 'individual', id: String(id) }, 0);

async function changed(writing: Writing, row: Stored, changes: Row): Promise<Row> {
  const resource = resourceNamed('individual');
  await replace(writing, resource, row, changes);
  return answerFresh(writing, resource, row);
}

/** Answers the token, which is never shown again. Throws `admin_only` for a token of the site or of another individual, `global_admin_only` (D14). */
export async function createToken(writing: Writing, target: Target, input: Input): Promise<Row> {
  const { Kind, IndividualID } = bodyOf(target, input, 'the new token');
  const { token, row } =
    Kind === 'site'
      ? await createSiteToken(writing, IndividualID)
      : await createUserToken(writing, IndividualID ?? writing.caller.id);
  return { ...row, Token: token };
}

/** Tokens that have not expired, the newest first. */
export async function listTokens(context: Context): Promise<readonly Row[]> {
  const good = (await listableTokens(context)).filter((token) => isGood(token, context.now));
  return good.sort((a, b) => (a.Created === b.Created ? compareKeys(a.ID, b.ID) : compareKeys(b.Created, a.Created)));
}

/** Answers the token as it was listed. Throws `not_found` for one that the caller may not list. */
export async function revokeToken(writing: Writing, target: Target, input: Input): Promise<Row> {
  const { ID } = bodyOf(target, input, 'the token to revoke');
  const row = (await listableTokens(writing)).find((token) => token.ID === ID);
  if (!row) {
    throw new ServiceError('not_found', `there is no token ${String(ID)} that you could revoke`, {
      next: { do: 'list', resource: 'token' },
    });
  }
  await revoke(writing, row);
  return row;
}

/** Ends the session of the token that the call shows. Throws `invalid` for a call without one. */
export async function endSession(writing: Writing): Promise<Row> {
  const { id, userName, sessionToken } = writing.caller;
  const row = (await writing.store.tokens(writing.site, id)).find(({ ID }) => ID === sessionToken);
  if (!row) throw new ServiceError('invalid', 'the request has no session token, so there is no session to end');
  await revoke(writing, row);
  return { UserName: userName };
}

async function createSiteToken(writing: Writing, individual: Row[string] | undefined) {
  if (!isAdministrator(writing)) throw adminOnly('making a token of the site');
  if (typeof individual === 'string') {
    const message = 'is set, but a token of the site belongs to no individual';
    throw invalid('the new token', [{ field: 'IndividualID', code: 'malformed', message }]);
  }
  return issue(writing, 'site', null);
}

async function createUserToken(writing: Writing, individual: Row[string]) {
  if (individual !== writing.caller.id && !isAdministrator(writing)) throw adminOnly("making somebody else's token");
  const row = await liveIndividual(writing, individual);
  if (isOutOfReach(writing, row)) throw globalAdminOnly(`making a token of ${nameOf(row)}`);
  return issue(writing, 'user', String(row.ID));
}

/** The tokens that the caller may list: its own; for an administrator those of the site, without those of global administrators (D14). */
async function listableTokens(context: Context): Promise<StoredToken[]> {
  const { store, site, caller } = context;
  if (!isAdministrator(context)) return [...(await store.tokens(site, caller.id))];
  const listed: StoredToken[] = [];
  for (const token of await store.tokens(site)) {
    const owner = await context.lookup('individual', token.IndividualID);
    if (!owner || !isOutOfReach(context, owner)) listed.push(token);
  }
  return listed;
}

const WHAT = 'the security group';

/** The members of a group that the caller may read, by name; live ones, or with `Deleted` all. */
export async function groupMembers(context: Context, target: Target, input: Input): Promise<readonly Row[]> {
  const { Group, Deleted } = bodyOf(target, input, WHAT);
  const isAll = Deleted === true;
  await readable(context, { resource: 'securityGroup', id: String(Group) }, isAll ? 2 : 0);
  const resource = resourceNamed('individual');
  const shown: Row[] = [];
  for (const id of await context.store.members(context.site, String(Group))) {
    const row = await context.lookup('individual', id);
    if (row && (isAll || !isGone(row)) && (await mayRead(context, resource, row)))
      shown.push(await answer(context, resource, row));
  }
  return shown.sort((a, b) => (String(a.FullOrderedName) < String(b.FullOrderedName) ? -1 : 1));
}

/** Adds or deletes a member, and answers the group. An individual may be a member already, or need not be one. */
export async function changeMembers(writing: Writing, target: Target, input: Input): Promise<Row> {
  const isNew = target.operation.name === 'addMember';
  const { Group, Individual } = bodyOf(target, input, WHAT);
  const group = await readable(writing, { resource: 'securityGroup', id: String(Group) }, 0);
  const { ID } = await readable(writing, { resource: 'individual', id: String(Individual) }, isNew ? 0 : 2);
  const before = await writing.store.members(writing.site, String(Group));
  if (before.includes(String(ID)) !== isNew) await setMember(writing, String(Group), String(ID), isNew);
  return answer(writing, target.resource, group);
}
