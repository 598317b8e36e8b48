// The lists of individuals about their own work: accountabilities, basic roles with their indicators, supervisory scopes.
import type { ResourceName } from '../../contract/index.ts';
import { DISCIPLINES, type Pair, type Role, SCOPES, type Trade } from './disciplines.ts';
import { guidOf } from './random.ts';
import type { Members, Writer } from './timeline.ts';

interface Owner {
  readonly id: string;
  readonly trade: Trade;
  /** Does anybody report to them? */
  readonly leads: boolean;
}

export type ListName = 'accountability' | 'basicRole' | 'indicator' | 'supervisoryScope';

/** The ID of one line, by its place in the list; an indicator's owner is its basic role. */
export const lineOf = (owner: string, list: ListName, rank: number): string => guidOf(owner, list, rank);

/** Writes the own lists of an individual. */
export async function writeOwnLists(
  writer: Writer,
  owner: Owner,
  sizes: Readonly<Record<'accountabilities' | 'roles', number>>,
): Promise<void> {
  const { id: AncestorID } = owner;
  const members = (list: ListName) => (rank: number) => ({ ID: lineOf(AncestorID, list, rank), AncestorID });
  const accountabilities = accountabilitiesOf(writer, owner, sizes.accountabilities);
  await addRanked(writer, 'accountability', accountabilities, members('accountability'));
  await writeRoles(writer, owner, sizes.roles);
  if (!owner.leads) return;
  await addRanked(writer, 'supervisoryScope', writer.random.some(SCOPES, 3), members('supervisoryScope'));
}

/** Who leads answers for something of leading first. */
function accountabilitiesOf({ random }: Writer, { trade, leads }: Owner, count: number): readonly Pair[] {
  const own = DISCIPLINES[trade].accountabilities;
  if (!leads || trade === 'lead') return random.some(own, count);
  const leading = random.some(DISCIPLINES.lead.accountabilities, Math.ceil(count / 2));
  return [...leading, ...random.some(own, count - leading.length)];
}

/** Adds records with ranks from 1 on; `others` are their further members. */
export async function addRanked<N extends ResourceName>(
  writer: Writer,
  resource: N,
  pairs: readonly Pair[],
  others: (rank: number) => Members<N>,
): Promise<void> {
  for (const [index, [Name, Description]] of pairs.entries()) {
    const Rank = index + 1;
    await writer.add(resource, { ...others(Rank), Rank, Name, Description });
  }
}

async function writeRoles(writer: Writer, { id, trade, leads }: Owner, count: number): Promise<void> {
  const leading = leads ? DISCIPLINES.lead.roles.slice(0, 1) : [];
  const roles = [...new Set<Role>([...leading, ...DISCIPLINES[trade].roles])].slice(0, count);
  const shares = sharesOf(roles.length);
  for (const [index, role] of roles.entries()) {
    const Rank = index + 1;
    const ID = lineOf(id, 'basicRole', Rank);
    const PercentTime = shares[index] ?? 0;
    await writer.add('basicRole', { ID, IndividualID: id, Rank, Name: role.name, Description: role.text, PercentTime });
    await addRanked(writer, 'indicator', role.indicators, (rank) => ({
      ID: lineOf(ID, 'indicator', rank),
      BasicRoleID: ID,
    }));
  }
}

/** Percent of the time, the first role the most. */
const sharesOf = (roles: number): readonly number[] => (roles === 1 ? [100] : roles === 2 ? [70, 30] : [60, 30, 10]);
