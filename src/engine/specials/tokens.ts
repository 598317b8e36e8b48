// Creates, lists and revokes tokens, where the database is (D21).
import type { Input } from '../../contract/call.ts';
import { invalid, ServiceError } from '../../contract/errors.ts';
import type { Row } from '../../contract/resource.ts';
import { isGood, issue, revoke } from '../auth/tokens.ts';
import type { Change, Context } from '../context.ts';
import { readable } from '../records/read-record.ts';
import { nameOf } from '../records/record-names.ts';
import { adminOnly, globalAdminOnly, isAdministrator, isOutOfReach } from '../rights/labels.ts';
import type { StoredToken } from '../store/port.ts';
import { bodyOf, type Target } from '../target.ts';

/** Answers the token, which is never shown again. Throws `admin_only` for a token of the site or of another individual, `global_admin_only` (D14). */
export async function createToken(change: Change, target: Target, input: Input): Promise<Row> {
  const { Kind, IndividualID } = bodyOf(target, input, 'the new token');
  const { token, row } =
    Kind === 'site'
      ? await createSiteToken(change, IndividualID)
      : await createUserToken(change, IndividualID ?? change.caller.id);
  return { ...row, Token: token };
}

/** Tokens that have not expired, the newest first. */
export async function listTokens(context: Context): Promise<readonly Row[]> {
  const good = (await listableTokens(context)).filter((token) => isGood(token, context.now));
  return good.sort((a, b) => (a.Created === b.Created ? order(a.ID, b.ID) : order(b.Created, a.Created)));
}

/** Answers the token as it was listed. Throws `not_found` for one that the caller may not list. */
export async function revokeToken(change: Change, target: Target, input: Input): Promise<Row> {
  const { ID } = bodyOf(target, input, 'the token to revoke');
  const row = (await listableTokens(change)).find((token) => token.ID === ID);
  if (!row) {
    throw new ServiceError('not_found', `there is no token ${String(ID)} that you could revoke`, {
      next: { do: 'list', resource: 'token' },
    });
  }
  await revoke(change, row);
  return row;
}

async function createSiteToken(change: Change, individual: Row[string] | undefined) {
  if (!isAdministrator(change)) throw adminOnly('making a token of the site');
  if (typeof individual === 'string') {
    const message = 'is given, but a token of the site is nobody’s own';
    throw invalid('the new token', [{ field: 'IndividualID', code: 'malformed', message }]);
  }
  return issue(change, 'site', null);
}

async function createUserToken(change: Change, individual: Row[string]) {
  if (individual !== change.caller.id && !isAdministrator(change)) throw adminOnly("making somebody else's token");
  const row = await readable(change, { resource: 'individual', id: String(individual) }, 0);
  if (isOutOfReach(change, row)) throw globalAdminOnly(`making a token of ${nameOf(row)}`);
  return issue(change, 'user', String(row.ID));
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

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
