// What individuals write about their own work: accountabilities, basic roles with their indicators, supervisory scopes.
import type { Pen } from './diary.ts';
import { DISCIPLINES, type Pair, type Role, SCOPES, type Trade } from './disciplines.ts';
import { guidOf } from './random.ts';

interface Owner {
  readonly id: string;
  readonly trade: Trade;
  /** Does anybody report to them? */
  readonly leads: boolean;
}

interface Extent {
  readonly accountabilities: number;
  readonly roles: number;
}

type ListName = 'accountability' | 'basicRole' | 'indicator' | 'supervisoryScope';

/** The ID of one line, by its place in the list; an indicator's owner is its basic role. */
export const lineOf = (owner: string, list: ListName, rank: number): string => guidOf(owner, list, rank);

export async function writeOwnLists(pen: Pen, owner: Owner, extent: Extent): Promise<void> {
  await writePairs(pen, owner.id, 'accountability', accountabilitiesOf(pen, owner, extent.accountabilities));
  await writeRoles(pen, owner, extent.roles);
  if (owner.leads) await writePairs(pen, owner.id, 'supervisoryScope', pen.random.some(SCOPES, 3));
}

/** Who leads answers for something of leading first. */
function accountabilitiesOf({ random }: Pen, { trade, leads }: Owner, count: number): readonly Pair[] {
  const own = DISCIPLINES[trade].accountabilities;
  if (!leads || trade === 'lead') return random.some(own, count);
  const leading = random.some(DISCIPLINES.lead.accountabilities, Math.ceil(count / 2));
  return [...leading, ...random.some(own, count - leading.length)];
}

async function writePairs(
  pen: Pen,
  owner: string,
  list: 'accountability' | 'supervisoryScope',
  pairs: readonly Pair[],
): Promise<void> {
  for (const [index, [Name, Description]] of pairs.entries()) {
    const Rank = index + 1;
    await pen.add(list, { ID: lineOf(owner, list, Rank), AncestorID: owner, Rank, Name, Description });
  }
}

async function writeRoles(pen: Pen, { id, trade, leads }: Owner, count: number): Promise<void> {
  const leading = leads ? DISCIPLINES.lead.roles.slice(0, 1) : [];
  const roles = [...new Set<Role>([...leading, ...DISCIPLINES[trade].roles])].slice(0, count);
  const shares = sharesOf(roles.length);
  for (const [index, role] of roles.entries()) {
    const Rank = index + 1;
    const ID = lineOf(id, 'basicRole', Rank);
    const PercentTime = shares[index] ?? 0;
    await pen.add('basicRole', { ID, IndividualID: id, Rank, Name: role.name, Description: role.text, PercentTime });
    await writeIndicators(pen, ID, role.indicators);
  }
}

async function writeIndicators(pen: Pen, role: string, indicators: readonly Pair[]): Promise<void> {
  for (const [index, [Name, Description]] of indicators.entries()) {
    const Rank = index + 1;
    await pen.add('indicator', { ID: lineOf(role, 'indicator', Rank), BasicRoleID: role, Rank, Name, Description });
  }
}

/** Percent of the time, the first role the most. */
const sharesOf = (roles: number): readonly number[] => (roles === 1 ? [100] : roles === 2 ? [70, 30] : [60, 30, 10]);
