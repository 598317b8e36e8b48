// Makes a new site (D1) with an organization, an administrator and other defaults, such as colors, and lists them.
import type { Input } from '../../contract/call.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { type Context, lookupsIn, type Writing } from '../context.ts';
import { answer } from '../records/answer.ts';
import { COLORS, FEATURES, GROUPS, PHASES, quartersOf, ROLES, SETTINGS, STATUSES } from '../records/defaults.ts';
import { insert, replace } from '../records/history.ts';
import { createRecord } from '../records/verbs.ts';
import type { Stored } from '../store/port.ts';
import { bodyOf, type Target } from '../target.ts';

export async function createSite(writing: Writing, target: Target, input: Input): Promise<Row> {
  const { Name, Admin } = bodyOf(target, input, 'the new site');
  const site = await makeSite(writing, { name: String(Name), admin: String(Admin), global: false });
  return answer(writing, target.resource, site);
}

export const defaultColors = async ({ site }: Context): Promise<readonly Row[]> =>
  COLORS.map((color) => ({ ID: color.Rank, SiteID: site, ...color }));

export const defaultPhases = async ({ site }: Context): Promise<readonly Row[]> =>
  PHASES.map(({ Rank, Name }) => ({ ID: Rank, SiteID: site, Name, Rank }));

export const defaultGroups = async ({ site }: Context): Promise<readonly Row[]> =>
  GROUPS.map(({ Group, Description }) => ({
    ID: null,
    Group,
    Description,
    SiteID: site,
    Created: null,
    CreatedBy: null,
    Updated: null,
    UpdatedBy: null,
    Deleted: false,
    DeletedByRef: false,
  }));

export const teamRoles = async ({ site }: Context): Promise<readonly Row[]> =>
  ROLES.map((role) => ({ ...role, Site_ID: site }));

export interface NewSite {
  readonly name: string;
  /** User name of the administrator. */
  readonly admin: string;
  /** The administrator's ID, where the administrator is the caller. */
  readonly adminID?: string;
  /** Whether the administrator is a global one. */
  readonly global: boolean;
}

/** Makes a site inside another writing. Answers the site. */
export async function makeSite(writing: Writing, wanted: NewSite): Promise<Stored> {
  const id = writing.newID();
  const within = (): Writing => ({
    ...writing,
    site: id,
    // The caller fills the site with the rights of its administrator.
    caller: { ...writing.caller, site: id, isAdmin: true },
    ...lookupsIn(writing.store, id),
  });
  const add = async (resource: ResourceName, body: Readonly<Record<string, unknown>>) =>
    createRecord(within(), resourceNamed(resource), body);

  const site = await insertSite(within(), wanted.name);
  await insert(within(), resourceNamed('siteSetting'), { values: { ID: id, ...SETTINGS } });
  const organization = await add('organization', { Rank: 1, Name: wanted.name.slice(0, 100) });
  const admin = await add('individual', administrator(wanted.adminID ?? writing.newID(), wanted.admin, organization));
  if (wanted.global) await replace(within(), resourceNamed('individual'), admin, { IsGlobalAdmin: true });
  for (const color of COLORS) await add('color', { SiteID: id, ...color });
  for (const phase of PHASES) await add('phase', { SiteID: id, ...phase });
  for (const status of STATUSES) await add('status', { SiteID: id, ...status });
  for (const group of GROUPS) await add('securityGroup', { SiteID: id, ...group });
  for (const quarter of quartersOf(Number(writing.now.slice(0, 4)))) await add('period', { SiteID: id, ...quarter });
  return site;
}

async function insertSite(writing: Writing, name: string): Promise<Stored> {
  const values = {
    ID: writing.site,
    Name: name,
    Comment: `The site ${name}.`,
    Category: 'General',
    ...FEATURES,
    Deleted: false,
    Created: writing.now,
  };
  return insert(writing, resourceNamed('site'), { values });
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
