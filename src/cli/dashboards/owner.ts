// Finds the owner of a dashboard, and reads the dashboard.
import type { Session } from '../../contract/call.ts';
import { orNone, ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { isGuid } from '../../contract/kinds.ts';
import type { Row } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { knownRecord, NOT_THERE, resolve } from '../selectors/selectors.ts';

export interface Owner {
  readonly id: string;
  readonly by: 'organization' | 'department' | 'individual';
}

type Target = 'organization' | 'individual';

/** The owner as arguments and flags name it; exactly one may be given. */
export interface OwnerNames {
  readonly who?: string | undefined;
  readonly organization?: string;
  readonly department?: string;
  readonly individual?: string;
}

/** The owner that is named. Throws `usage` for none and for several. */
export async function ownerNamed(
  session: Session,
  { who, organization, department, individual }: OwnerNames,
): Promise<Owner> {
  const given = [
    [who, undefined],
    [organization, 'organization'],
    [department, 'organization'],
    [individual, 'individual'],
  ] as const;
  const named = given.filter(([text]) => text !== undefined);
  const [[text, target] = []] = named;
  if (text !== undefined && named.length === 1) return ownerOf(session, text, target);
  throw new ServiceError('usage', named.length === 0 ? 'whose dashboard is meant?' : 'one dashboard at a time', {
    hint: 'Name an organization, a department or an individual: pm dashboards show Sales, or --individual me.',
  });
}

/** The owner that a text names. Throws `not_found`; `ambiguous` if it names a department and an individual. */
export async function ownerOf(session: Session, text: string, target?: Target): Promise<Owner> {
  const targets = target === undefined ? targetsOf(text) : [target];
  const found = await owners(session, text, targets);
  if (found.length > 1) throw ambiguousOwner(text, found);
  if (found[0]) return found[0];
  return ownerAs(session, await resolve(session, text, { targets, deleted: 0 }), targets[0] ?? 'individual');
}

/** The record of a dashboard; without the ID of a `period` the service takes the current one (D28). */
export function readDashboard(session: Session, { id, by }: Owner, period: string | undefined): Promise<Row> {
  return session.call(contract.dashboard.operations.get, {
    by,
    params: { id },
    query: period === undefined ? {} : { period: Number(period) },
  });
}

/** The ID of the period that a text means; undefined for none. */
export const periodOf = async (session: Session, text: string | undefined): Promise<string | undefined> =>
  text === undefined ? undefined : resolve(session, text, { targets: ['period'], deleted: 0 });

/** The colors of the site's levels; empty if the service does not show them. */
export async function colorsOf(session: Session): Promise<readonly Row[]> {
  const colors = collect(session.list(contract.color.operations.list, { by: 'plain' }));
  return (await orNone(colors, ['not_found', 'method', 'forbidden', 'admin_only'])) ?? [];
}

/** The resources that a selector of this form may name. */
function targetsOf(text: string): readonly Target[] {
  if (text === 'me' || text.startsWith('email:')) return ['individual'];
  return text.startsWith('path:') ? ['organization'] : ['organization', 'individual'];
}

async function owners(session: Session, text: string, targets: readonly Target[]): Promise<readonly Owner[]> {
  const id = text.replace(/^id:/, '');
  if (isGuid(id) && targets.length > 1) {
    const isUnit = await knownRecord(session, 'organization', id.toLowerCase());
    return [await ownerAs(session, id.toLowerCase(), isUnit ? 'organization' : 'individual')];
  }
  const found: Owner[] = [];
  for (const target of targets) {
    const one = await orNone(resolve(session, text, { targets: [target], deleted: 0 }), NOT_THERE);
    if (one !== undefined) found.push(await ownerAs(session, one, target));
  }
  return found;
}

async function ownerAs(session: Session, id: string, target: Target): Promise<Owner> {
  if (target === 'individual') return { id, by: 'individual' };
  const unit = await knownRecord(session, 'organization', id);
  return { id, by: byOf(unit ?? {}) };
}

/** The dashboard route for a row of the organizations. */
export const byOf = ({ RowType }: Row): 'organization' | 'department' =>
  RowType === 4 ? 'organization' : 'department';

function ambiguousOwner(text: string, found: readonly Owner[]): ServiceError {
  const bare = text.replace(/^name:/, '');
  return new ServiceError(
    'ambiguous',
    `"${bare}" fits ${found.map(({ by }) => (by === 'department' ? 'a department' : `an ${by}`)).join(' and ')}`,
    {
      candidates: found.map(({ id, by }) => `${id}  ${by}`),
      hint: `Say which: --department or --individual, path:${bare} for the department, or the ID.`,
    },
  );
}
