// What a new site begins with, as the service lists it; these records have no ID yet, so they show their rank there.
import type { Row } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { COLORS, GROUPS, PHASES, ROLES } from '../records/defaults.ts';

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
