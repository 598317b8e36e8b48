// The summary of basic roles, and their entries in dialogs, which have no ID and no POST.
import type { Input } from '../../contract/call.ts';
import type { Row } from '../../contract/resource.ts';
import type { Change, Context } from '../context.ts';
import { answer } from '../records/answer.ts';
import { bodyAt } from '../records/bodies.ts';
import { checkMatch } from '../records/if-match.ts';
import { readable, recordOfOwners } from '../records/read-record.ts';
import { createRecord, update } from '../records/verbs.ts';
import { mayReadBelow, visibleRows } from '../rights/check.ts';
import type { Target } from '../target.ts';

export async function summariseBasicRoles(context: Context): Promise<readonly Row[]> {
  const counts = await context.store.count('basicRole', context.site, 'IndividualID');
  const rows: Row[] = [];
  for await (const one of visibleRows(context, { resource: 'individual', deleted: 0, ordered: true })) {
    const isReadable = await mayReadBelow(context, 'basicRole', { resource: 'individual', row: one });
    rows.push({
      IndividualID: one.ID ?? null,
      FullOrderedName: one.FullOrderedName ?? null,
      Count: isReadable ? (counts.get(String(one.ID)) ?? 0) : 0,
    });
  }
  return rows;
}

export async function writeBasicRoleDialog(change: Change, target: Target, input: Input): Promise<Row> {
  for (const owner of target.named) await readable(change, owner, 0);
  if (await recordOfOwners(change, target)) return update(change, target, input);
  await checkMatch(change, target.resource, undefined, input.match);
  const body = bodyAt(target, input.body ?? {}, 'the new basic role dialog');
  return answer(change, target.resource, await createRecord(change, target.resource, body));
}
