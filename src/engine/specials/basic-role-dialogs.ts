// The entry of a basic role in a dialog has no ID and no POST: a PUT writes it, whether it was there or not.
import type { Input } from '../../contract/call.ts';
import type { Row } from '../../contract/resource.ts';
import type { Change } from '../context.ts';
import { answer } from '../records/answer.ts';
import { bodyAt } from '../records/bodies.ts';
import { checkMatch } from '../records/drift.ts';
import { readable, recordOfOwners } from '../records/read-record.ts';
import { make, update } from '../records/verbs.ts';
import type { Target } from '../target.ts';

export async function writeBasicRoleDialog(change: Change, target: Target, input: Input): Promise<Row> {
  for (const owner of target.named) await readable(change, owner, 0);
  if (await recordOfOwners(change, target)) return update(change, target, input);
  await checkMatch(change, target.resource, undefined, input.match);
  const body = bodyAt(target, input.body ?? {}, 'the new basic role dialog');
  return answer(change, target.resource, await make(change, target.resource, body));
}
