// The caller of a call, and how the caller and the site of an embedded session are found.
import type { Caller as RequestedCaller } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { isGuid } from '../contract/kinds.ts';
import type { Reader, Stored } from './store/port.ts';

export interface Caller {
  readonly id: string;
  readonly userName: string;
  readonly site: string;
  readonly isAdmin: boolean;
  readonly isGlobalAdmin: boolean;
  /** Over the interface: whether this individual's own password was shown, and not a token or another password. */
  readonly showedPassword?: boolean;
  readonly sessionToken?: string;
}

export const callerOf = (row: Stored): Caller => ({
  id: String(row.ID),
  userName: String(row.UserName),
  site: String(row.SiteID),
  isAdmin: row.IsAdmin === true,
  isGlobalAdmin: row.IsGlobalAdmin === true,
});

/** The live individuals of all sites. A user name is unique among them (D14). */
const EVERYBODY = { resource: 'individual', site: undefined, deleted: 0 } as const;

/** The individual of that user name, or of `owner`, else the first global administrator. Throws `not_found`, `unauthorized`. */
export async function callerIn(store: Reader, who: Pick<RequestedCaller, 'user'>, owner: string): Promise<Stored> {
  const [named] = await store.find({ ...EVERYBODY, named: { UserName: who.user ?? owner } });
  if (named) return named;
  if (who.user !== undefined) {
    throw new ServiceError('not_found', `no individual has the user name ${who.user}`, {
      next: { do: 'list-users' },
    });
  }
  const globals = await store.find({ ...EVERYBODY, equals: { IsGlobalAdmin: true } });
  const [first] = [...globals].sort((a, b) => (String(a.Created) < String(b.Created) ? -1 : 1));
  if (!first)
    throw new ServiceError('unauthorized', 'no global administrator is left', {
      next: { do: 'act-as', role: 'user' },
    });
  return first;
}

/** The ID of a site by its ID or name, where the caller may act in it. Throws `not_found`, `ambiguous`. */
export async function siteNamed(store: Reader, text: string, caller: Caller): Promise<string> {
  const condition = isGuid(text) ? { equals: { ID: text.toLowerCase() } } : { named: { Name: text } };
  const found = await store.find({ resource: 'site', site: undefined, ...condition, deleted: 0 });
  const id = found.length === 1 ? String(found[0]?.ID) : undefined;
  if (id !== undefined && (id === caller.site || caller.isGlobalAdmin)) return id;
  if (found.length > 1 && caller.isGlobalAdmin) {
    throw new ServiceError('ambiguous', `"${text}" is the name of several sites`, {
      candidates: found.map((site) => `${String(site.ID)}  ${String(site.Name)}`),
      hint: 'Give the ID.',
    });
  }
  throw new ServiceError('not_found', `there is no site "${text}"`, { next: { do: 'list', resource: 'site' } });
}
