// The embedded engine: a back end that answers by the service's own rules, on a store that it is handed.
import type { Caller as Asked, Backend } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { isGuid } from '../contract/kinds.ts';
import type { Door } from './auth.ts';
import { type Birth, bear } from './birth.ts';
import { type Caller, callerOf, contextOf, type Parts } from './context.ts';
import { openOutside, openSession } from './session.ts';
import type { Reader, Stored } from './store/port.ts';

export { computedFields } from './computed.ts';

interface Options extends Parts {
  /** Who calls where nobody is named: this user name, else the first global administrator. */
  readonly owner: string;
}

/** Opens the engine on a store. */
export function openEngine(options: Options): Backend {
  const { store } = options;
  let opened: Promise<Door> | undefined;
  const door = (): Promise<Door> => {
    opened ??= import('./auth.ts').then(({ doorOf }) => doorOf(options));
    return opened;
  };
  return {
    async open(who) {
      if ('login' in who) return openOutside(options, await (await door()).enter(who));
      const row = await callerIn(store, who, options.owner);
      const caller = callerOf(row);
      const site = who.site === undefined ? caller.site : await siteNamed(store, who.site, caller);
      return openSession(options, caller, site);
    },
    login: async (credential) => (await door()).login(credential),
    close: () => store.close(),
  };
}

/** Fills an empty store with its first site (D1). */
export function bearFirst(parts: Parts, birth: Birth): Promise<Stored> {
  return parts.store.transaction((store) => {
    const adminID = parts.newID();
    const nobody = {
      id: adminID,
      userName: birth.admin,
      site: '',
      isAdmin: true,
      isGlobalAdmin: true,
    };
    const change = { ...contextOf(parts, nobody, '', store, undefined), store };
    return bear(change, { ...birth, adminID });
  });
}

async function callerIn(store: Reader, who: Asked, owner: string): Promise<Stored> {
  const named = await store.find({
    resource: 'individual',
    site: undefined,
    named: { UserName: who.user ?? owner },
    deleted: 0,
  });
  if (named[0]) return named[0];
  if (who.user !== undefined) {
    throw new ServiceError('not_found', `nobody has the user name ${who.user}`, {
      hint: 'pm individuals list --fields UserName,FullName shows who there is.',
    });
  }
  const globals = await store.find({
    resource: 'individual',
    site: undefined,
    equals: { IsGlobalAdmin: true },
    deleted: 0,
  });
  const first = [...globals].sort((a, b) => (String(a.Created) < String(b.Created) ? -1 : 1))[0];
  if (!first)
    throw new ServiceError('unauthorized', 'no global administrator is left', {
      hint: 'Name a user: --as <user name>.',
    });
  return first;
}

async function siteNamed(store: Reader, text: string, caller: Caller): Promise<string> {
  const found = isGuid(text)
    ? await store.find({
        resource: 'site',
        site: undefined,
        equals: { ID: text.toLowerCase() },
        deleted: 0,
      })
    : await store.find({
        resource: 'site',
        site: undefined,
        named: { Name: text },
        deleted: 0,
      });
  const id = found.length === 1 ? String(found[0]?.ID) : undefined;
  if (id !== undefined && (id === caller.site || caller.isGlobalAdmin)) return id;
  if (found.length > 1 && caller.isGlobalAdmin) {
    throw new ServiceError('ambiguous', `"${text}" is the name of several sites`, {
      candidates: found.map((site) => `${String(site.ID)}  ${String(site.Name)}`),
      hint: 'Give the ID.',
    });
  }
  throw new ServiceError('not_found', `there is no site "${text}"`, {
    hint: 'pm sites list shows the sites you can name.',
  });
}
