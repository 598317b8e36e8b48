// Checks the labels of an operation (D3); the rights on its objects are checked after them.
import { ServiceError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Row } from '../../contract/resource.ts';
import type { Context } from '../context.ts';

/** Throws `admin_only`, `global_admin_only` or `feature_off` (D3). */
export async function checkLabels(operation: Operation, context: Context): Promise<void> {
  const { caller } = context;
  const what = `${operation.resource} ${operation.name}`;
  for (const label of operation.labels) {
    if (label === 'Admin' && !isAdministrator(context)) throw adminOnly(what);
    if (label === 'GA' && !caller.isGlobalAdmin) {
      throw new ServiceError('global_admin_only', `${what} is for global administrators; ${caller.userName} is none`, {
        next: { do: 'grant-global' },
      });
    }
    if (label === 'PM') await checkFeature(what, context);
  }
}

/** Whether the caller administrates the site it acts in; global administrators do so in every site. */
export const isAdministrator = ({ caller, site }: Pick<Context, 'caller' | 'site'>): boolean =>
  caller.isGlobalAdmin || (caller.isAdmin && caller.site === site);

export const adminOnly = (what: string): ServiceError =>
  new ServiceError('admin_only', `${what} is for administrators of the site`, {
    next: { do: 'act-as', role: 'administrator' },
  });

/**
 * Whether this is the record of a global administrator, and the caller is not one. Its login and its deletion are then
 * out of reach (D14): an administrator of one site must not become one of every site. A caller by a token of the site
 * is never a global administrator.
 */
export const isOutOfReach = ({ caller }: Context, row: Row): boolean =>
  row.IsGlobalAdmin === true && !caller.isGlobalAdmin;

/** Members by which another individual could log in as this one, or lock it out. */
export const LOGIN_MEMBERS: readonly string[] = ['UserName', 'IsAdmin', 'Email', 'Password'];

export const globalAdminOnly = (what: string): ServiceError =>
  new ServiceError('global_admin_only', `${what}, a global administrator, is for global administrators`, {
    next: { do: 'act-as', role: 'global administrator' },
  });

/** D3: a site may forbid calls over the interface. Throws `feature_off`. */
export function checkInterface(site: Row | undefined): void {
  if (site?.FeatureApi === true) return;
  throw new ServiceError('feature_off', 'this site may not be used over the interface: the feature is switched off', {
    next: { do: 'switch-on', feature: 'FeatureApi' },
  });
}

async function checkFeature(what: string, context: Context): Promise<void> {
  const site = await context.lookup('site', context.site);
  if (site?.FeaturePerformance === true) return;
  throw new ServiceError('feature_off', `${what} needs performance management, which is off for this site`, {
    next: { do: 'switch-on', feature: 'FeaturePerformance' },
  });
}
