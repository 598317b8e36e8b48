// --reassign-to: gives the records of those who are to be deleted to another individual before.
import { reassignment } from '../../changes/consequences/reassign.ts';
import type { Change } from '../../changes/plan/change.ts';
import { notFoundError } from '../../changes/plan/current-record.ts';
import type { Found, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract, resourceNamed } from '../../contract/index.ts';
import { sameID } from '../../contract/kinds.ts';
import { nameOf, plural, type Row } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { resolve } from '../selectors/selectors.ts';

/**
 * The changes that go before the deletion of these individuals. Throws `usage` where one of them is named, `conflict` where
 * the other one stands below one of them, and as `resolve` for one that is deleted or cannot be read.
 */
export async function reassigned(context: Context, ids: readonly string[], text: string): Promise<readonly Change[]> {
  const session = await context.session();
  const to = await resolve(session, text, { targets: ['individual'], deleted: 0 });
  await checkSuccessor(session, ids, to);
  const { changes, unread } = await reassignment(session, ids, to);
  if (unread.length > 0) {
    const which = unread.map((name) => plural(resourceNamed(name))).join(', ');
    context.note(`The service does not show all: ${which}. What it does not show is not reassigned.`);
  }
  return changes;
}

async function checkSuccessor(session: Session, ids: readonly string[], to: string): Promise<void> {
  const isDeleted = (id: unknown): boolean => ids.some((one) => sameID(one, id));
  const read = (id: unknown): Promise<Found> => session.find.record('individual', { id: String(id) }, 'many');
  const found = await read(to);
  if (found.state !== 'live') throw notFoundError(contract.individual, to, found);
  const name = personName(found.row);
  if (isDeleted(to))
    throw new ServiceError('usage', `--reassign-to names ${name}, who is to be deleted`, {
      hint: 'Name somebody who stays.',
    });
  const passed = new Set<string>();
  for (let one = found.row; one && !passed.has(String(one.ID)); one = (await read(one.PrimaryReportsTo)).row) {
    passed.add(String(one.ID));
    if (!isDeleted(one.ID)) continue;
    throw new ServiceError('conflict', `${name} is below ${personName(one)}, so the reports would make a loop`, {
      hint: `Name somebody who does not, or move ${name} first: pm individuals update ${String(found.row?.UserName)} --primary-reports-to <ref>`,
    });
  }
}

const personName = (row: Row | undefined): string => nameOf(contract.individual, row) ?? 'this individual';
