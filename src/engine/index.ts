// The embedded engine: a back end that follows the service's rules on a store.
import type { Backend } from '../contract/call.ts';
import type { Authenticator } from './auth/login.ts';
import { callerIn, callerOf, contextOf, type EngineParts, siteNamed } from './context.ts';
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
  let loaded: Promise<Authenticator> | undefined;
  const authenticator = (): Promise<Authenticator> => {
    loaded ??= import('./auth/login.ts').then(({ authenticatorOn }) => authenticatorOn(options));
    return loaded;
  };
  return {
    async open(who, guard) {
      if ('login' in who) return openRemoteSession(options, await (await authenticator()).authenticate(who, guard));
      const row = await callerIn(store, who, options.owner);
      const caller = callerOf(row);
      const site = who.site === undefined ? caller.site : await siteNamed(store, who.site, caller);
      return openLocalSession(options, caller, site);
    },
    login: async (credential, guard) => (await authenticator()).login(credential, guard),
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
    const change = { ...contextOf(ofRun, creator, '', store, undefined), store };
    return makeSite(change, { ...site, adminID });
  });
}
