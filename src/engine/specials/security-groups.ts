// Members of security groups. The service has no address for them, so the operations are local.
import type { Input } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { type Change, type Context, isGone } from '../context.ts';
import { answer } from '../records/answer.ts';
import { log } from '../records/history.ts';
import { readable } from '../records/read-record.ts';
import { mayRead } from '../rights/check.ts';
import { bodyOf, type Target } from '../target.ts';

const WHAT = 'the security group';

/** The live members of a group that the caller may read, by name. */
export async function groupMembers(context: Context, target: Target, input: Input): Promise<readonly Row[]> {
  const { Group } = bodyOf(target, input, WHAT);
  await readable(context, { resource: 'securityGroup', id: String(Group) }, 0);
  const resource = resourceNamed('individual');
  const shown: Row[] = [];
  for (const id of await context.store.members(context.site, String(Group))) {
    const row = await context.lookup('individual', id);
    if (row && !isGone(row) && (await mayRead(context, resource, row)))
      shown.push(await answer(context, resource, row));
  }
  return shown.sort((a, b) => (String(a.FullOrderedName) < String(b.FullOrderedName) ? -1 : 1));
}

/** Answers the group. An individual may be a member already. */
export const addMember = (change: Change, target: Target, input: Input): Promise<Row> =>
  changeMembers(change, target, input, 'addMember');

/** Answers the group. An individual need not be a member. */
export const deleteMember = (change: Change, target: Target, input: Input): Promise<Row> =>
  changeMembers(change, target, input, 'deleteMember');

async function changeMembers(
  change: Change,
  target: Target,
  input: Input,
  how: 'addMember' | 'deleteMember',
): Promise<Row> {
  const { Group, Individual } = bodyOf(target, input, WHAT);
  const group = await readable(change, { resource: 'securityGroup', id: String(Group) }, 0);
  const { ID } = await readable(
    change,
    { resource: 'individual', id: String(Individual) },
    how === 'addMember' ? 0 : 2,
  );
  const before = await change.store.members(change.site, String(Group));
  if (before.includes(String(ID)) !== (how === 'addMember')) {
    await change.store[how](change.site, String(Group), String(ID));
    await log(change, target.resource, group, 'update', { Members: before.join(' ') });
  }
  return answer(change, target.resource, group);
}
