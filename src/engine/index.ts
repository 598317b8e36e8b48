// The embedded engine: a back end that answers by the service's own rules, on a store that it is handed.
import type { Backend } from '../contract/call.ts';
import { callerIn, siteNamed } from './auth/callers.ts';
import type { Authenticator } from './auth/login.ts';
import { callerOf, contextOf, type EngineParts } from './context.ts';
import { makeSite, type NewSite } from './records/new-site.ts';
import { openLocalSession, openRemoteSession } from './session.ts';
import type { Stored } from './store/port.ts';

export { computedFields } from './records/computed.ts';

interface Options extends EngineParts {
  /** Who calls where nobody is named: this user name, else the first global administrator. */
  readonly owner: string;
}

/** Opens the engine on a store. */
export function openEngine(options: Options): Backend {
  const { store } = options;
  let opened: Promise<Authenticator> | undefined;
  const door = (): Promise<Authenticator> => {
    opened ??= import('./auth/login.ts').then(({ authenticatorOn }) => authenticatorOn(options));
    return opened;
  };
  return {
    async open(who) {
      if ('login' in who) return openRemoteSession(options, await (await door()).authenticate(who));
      const row = await callerIn(store, who, options.owner);
      const caller = callerOf(row);
      const site = who.site === undefined ? caller.site : await siteNamed(store, who.site, caller);
      return openLocalSession(options, caller, site);
    },
    login: async (credential) => (await door()).login(credential),
    close: () => store.close(),
  };
}

/** Fills an empty store with its first site (D1). */
export function makeFirstSite(parts: EngineParts, birth: NewSite): Promise<Stored> {
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
    return makeSite(change, { ...birth, adminID });
  });
}
