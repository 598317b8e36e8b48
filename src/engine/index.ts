// The embedded engine: a back end that follows the service's rules on a store.
import type { Backend } from '../contract/call.ts';
import { oncePer } from '../text/once-per.ts';
import type { Authenticator } from './auth/login.ts';
import { type Caller, callerIn, callerOf, siteNamed } from './caller.ts';
import { contextOf, type EngineParts } from './context.ts';
import { repeatedIDs } from './data-access.ts';
import { openLocalSession, openRemoteSession } from './session.ts';
import type { NewSite } from './specials/sites.ts';
import type { Stored } from './store/port.ts';

export { computedFields } from './records/computed.ts';

interface Options extends EngineParts {
  /** The user name of the default caller; without such a user the first global administrator. */
  readonly owner: string;
}

/** Opens the engine on a store. */
export function openEngine(options: Options): Backend {
  const { store } = options;
  let authenticator: Authenticator | undefined;
  const loadAuthenticator = async (): Promise<Authenticator> => {
    const { authenticatorOn } = await import('./auth/login.ts');
    authenticator ??= authenticatorOn(options);
    return authenticator;
  };
  // Who calls again before the data changes is the same caller.
  const remoteSession = oncePer((caller: Caller) => openRemoteSession(options, caller));
  return {
    async open(who, guard) {
      if ('login' in who)
        return remoteSession(await (authenticator ?? (await loadAuthenticator())).authenticate(who, guard));
      const row = await callerIn(store, who, options.owner);
      const caller = callerOf(row);
      const site = who.site === undefined ? caller.site : await siteNamed(store, who.site, caller);
      return openLocalSession(options, caller, site);
    },
    login: async (credential, guard) => (authenticator ?? (await loadAuthenticator())).login(credential, guard),
    close: () => store.close(),
  };
}

/** Fills an empty store with its first site (D1). */
export async function makeFirstSite(parts: EngineParts, site: NewSite): Promise<Stored> {
  const { makeSite } = await import('./specials/sites.ts');
  const ids = repeatedIDs(parts.newID);
  return parts.store.transaction((store) => {
    const ofRun = { ...parts, newID: ids() };
    const adminID = ofRun.newID();
    const creator = {
      id: adminID,
      userName: site.admin,
      site: '',
      isAdmin: true,
      isGlobalAdmin: true,
    };
    const change = { ...contextOf(ofRun, creator, '', store), store };
    return makeSite(change, { ...site, adminID });
  });
}
