// Creates a site (D1), and lists the default records of a new site.
import type { Input } from '../../contract/call.ts';
import type { Row } from '../../contract/resource.ts';
import type { Change, Context } from '../context.ts';
import { answer } from '../records/answer.ts';
import { COLORS, GROUPS, PHASES, ROLES } from '../records/defaults.ts';
import { makeSite } from '../records/new-site.ts';
import { bodyOf, type Target } from '../target.ts';

export async function createSite(change: Change, target: Target, input: Input): Promise<Row> {
  const { Name, Admin } = bodyOf(target, input, 'the new site');
  const site = await makeSite(change, { name: String(Name), admin: String(Admin), global: false });
  return answer(change, target.resource, site);
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
