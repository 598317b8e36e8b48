// Who belongs to which security group; only the embedded engine keeps that.
import { type Change, changeBy } from '../../changes/plan/change.ts';
import type { Session } from '../../contract/call.ts';
import { contract } from '../../contract/index.ts';
import { beginChange, makeChanges } from '../changes/make-changes.ts';
import { type Context, checkLocal } from '../context.ts';
import { shapeOf } from '../output/shape.ts';
import { resolve } from '../selectors/selectors.ts';

const { securityGroup, individual } = contract;

export async function members(context: Context, group: string): Promise<number> {
  checkLocal(context, 'security-groups members');
  const session = await context.session();
  const Group = await resolve(session, group, { targets: ['securityGroup'], deleted: 0 });
  const rows = session.list(securityGroup.operations.members, { body: { Group } });
  const count = await context.print({ shape: shapeOf(individual), rows, one: false });
  if (count === 0) context.note('No members.');
  return 0;
}

export async function change(
  context: Context,
  how: 'addMember' | 'deleteMember',
  group: string,
  individuals: readonly string[],
): Promise<number> {
  checkLocal(context, `security-groups ${how === 'addMember' ? 'add-member' : 'delete-member'}`);
  const session = await beginChange(context, shapeOf(securityGroup));
  const Group = await resolve(session, group, { targets: ['securityGroup'], deleted: 0 });
  const operation = securityGroup.operations[how];
  const there = await membersOf(session, Group);
  const changes: Change[] = [];
  for (const one of individuals) {
    const Individual = await resolve(session, one, { targets: ['individual'], deleted: 0 });
    // An undo must not take out whom this has not put in.
    if (there.has(Individual) === (how === 'addMember')) context.note(`${one} ${STANDS[how]}.`);
    else changes.push(changeBy(operation, { body: { Group, Individual } }, { id: Group }));
  }
  const one = individuals.length === 1;
  return changes.length === 0 ? 0 : makeChanges(context, session, securityGroup, changes, { one });
}

const STANDS = { addMember: 'belongs to the group already', deleteMember: 'does not belong to the group' } as const;

async function membersOf(session: Session, Group: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { ID } of session.list(securityGroup.operations.members, { body: { Group } })) ids.add(String(ID));
  return ids;
}
