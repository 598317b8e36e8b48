// A new site (D1): an organization of its name, an administrator, settings, periods, colors and what else a site begins with.
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import { type Change, lookupIn } from '../context.ts';
import type { Stored } from '../store/port.ts';
import { COLORS, FEATURES, GROUPS, PHASES, quartersOf, SETTINGS, STATUSES } from './defaults.ts';
import { insert, replace } from './history.ts';
import { createRecord } from './verbs.ts';

export interface NewSite {
  readonly name: string;
  /** User name of the administrator. */
  readonly admin: string;
  /** The administrator's ID, where it is known before; the first one of a database makes itself. */
  readonly adminID?: string;
  /** Is the administrator one of every site? */
  readonly global: boolean;
}

/** Makes a site inside a change. Answers the site. */
export async function makeSite(change: Change, birth: NewSite): Promise<Stored> {
  const id = change.newID();
  const within = (): Change => ({
    ...change,
    site: id,
    // Whoever may make a site fills it as its administrator would.
    caller: { ...change.caller, site: id, isAdmin: true },
    lookup: lookupIn(change.store, id),
  });
  const add = (resource: ResourceName, body: Readonly<Record<string, unknown>>): Promise<Stored> =>
    createRecord(within(), resourceNamed(resource), body);

  const site = await insertSite(within(), birth.name);
  await insert(within(), resourceNamed('siteSetting'), {
    values: { ID: id, ...SETTINGS },
    others: {},
  });
  const organization = await add('organization', {
    Rank: 1,
    Name: birth.name.slice(0, 100),
  });
  const admin = await add('individual', administrator(birth.adminID ?? change.newID(), birth.admin, organization));
  if (birth.global)
    await replace(within(), resourceNamed('individual'), admin, {
      IsGlobalAdmin: true,
    });
  for (const color of COLORS) await add('color', { SiteID: id, ...color });
  for (const phase of PHASES) await add('phase', { SiteID: id, ...phase });
  for (const status of STATUSES) await add('status', { SiteID: id, ...status });
  for (const group of GROUPS) await add('securityGroup', { SiteID: id, ...group });
  for (const quarter of quartersOf(Number(change.now.slice(0, 4)))) await add('period', { SiteID: id, ...quarter });
  return site;
}

function insertSite(change: Change, name: string): Promise<Stored> {
  const values = {
    ID: change.site,
    Name: name,
    Comment: `The site ${name}.`,
    Category: 'General',
    ...FEATURES,
    Deleted: false,
    Created: change.now,
  };
  return insert(change, resourceNamed('site'), { values, others: {} });
}

function administrator(id: string, userName: string, organization: Stored): Readonly<Record<string, unknown>> {
  const email = /@/.test(userName) ? userName : `${userName}@localhost`;
  return {
    ID: id,
    IsAdmin: true,
    FirstName: userName.slice(0, 50),
    LastName: 'Administrator',
    Email: email,
    UserEmail: email,
    PrimaryOrganizationID: organization.ID,
    PrimaryTitle: 'Administrator',
    PrimaryReportsTo: id,
    UserName: userName,
  };
}
