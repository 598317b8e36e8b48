// Verbs that the embedded engine alone has for records: members of security groups, archives, sites (D1, D29).
import { type Change, changeBy } from '../../changes/plan/change.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { collect } from '../../text/batches.ts';
import { beginChange, makeChanges } from '../changes/make-changes.ts';
import { type Context, checkLocal } from '../context.ts';
import { shapeOf } from '../output/result.ts';
import { resolve } from '../selectors/selectors.ts';

const { securityGroup, individual } = contract;

export async function listMembers(context: Context, group: string): Promise<number> {
  checkLocal(context, 'security-groups members');
  const session = await context.session();
  const Group = await resolve(session, group, { targets: ['securityGroup'], deleted: 0 });
  const rows = session.list(securityGroup.operations.members, { body: { Group } });
  return context.print({ shape: shapeOf(individual), rows, none: 'No members.' });
}

/** Puts individuals into a group, or takes them out of it. */
export const changeMembers =
  (how: 'addMember' | 'deleteMember') =>
  async (context: Context, group: string, individuals: readonly string[]): Promise<number> => {
    checkLocal(context, `security-groups ${how === 'addMember' ? 'add-member' : 'delete-member'}`);
    const session = await beginChange(context, shapeOf(securityGroup));
    const Group = await resolve(session, group, { targets: ['securityGroup'], deleted: 0 });
    const operation = securityGroup.operations[how];
    const there = await membersOf(session, Group);
    const changes: Change[] = [];
    for (const one of individuals) {
      const Individual = await resolve(session, one, { targets: ['individual'], deleted: 0 });
      // An undo must not take out whom this has not put in.
      if (there.has(Individual) === (how === 'addMember')) context.note(`${one} ${UNCHANGED[how]}.`);
      else changes.push(changeBy(operation, { body: { Group, Individual } }, { id: Group }));
    }
    if (changes.length > 0 || context.settings.dryRun)
      return makeChanges(context, securityGroup, changes, { one: true });
    const row = await session.call(securityGroup.operations.get, { params: { id: Group } });
    return context.print({ shape: shapeOf(securityGroup), rows: [row], one: true });
  };

const UNCHANGED = { addMember: 'belongs to the group already', deleteMember: 'does not belong to the group' } as const;

async function membersOf(session: Session, Group: string): Promise<ReadonlySet<string>> {
  const members = await collect(session.list(securityGroup.operations.members, { body: { Group } }));
  return new Set(members.map(({ ID }) => String(ID)));
}

/** The kinds of records that may be archived, by their flags. */
const KINDS = { metric: 'metric', project: 'project', individual: 'individual', department: 'organization' } as const;
type Kind = keyof typeof KINDS;

interface ArchiveOptions extends Readonly<Partial<Record<Kind, string>>> {
  readonly name: string;
  readonly comment?: string;
}

export async function takeArchive(
  context: Context,
  item: string | undefined,
  options: ArchiveOptions,
): Promise<number> {
  checkLocal(context, 'archives take');
  const named = (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const text = options[kind];
    return text === undefined ? [] : [{ text, targets: [KINDS[kind]] }];
  });
  const given = item === undefined ? named : [...named, { text: item, targets: Object.values(KINDS) }];
  const [one, ...more] = given;
  if (!one || more.length > 0)
    throw new ServiceError('usage', 'pm archives take needs to know of what, once', {
      hint: 'Name it with --metric, --project, --individual or --department, or give its ID.',
    });
  const { archive } = contract;
  const session = await beginChange(context, shapeOf(archive));
  const id = await resolve(session, one.text, { targets: one.targets, deleted: 0 });
  const { name: Name, comment } = options;
  const body = { Item: id, Name, ...(comment === undefined ? {} : { Comment: comment }) };
  return makeChanges(context, archive, [changeBy(archive.operations.take, { body })], { one: true });
}

export async function createSite(context: Context, name: string, { admin }: { admin: string }): Promise<number> {
  checkLocal(context, 'sites create');
  const { site } = contract;
  await beginChange(context, shapeOf(site));
  const change = changeBy(site.operations.create, { body: { Name: name, Admin: admin } });
  return makeChanges(context, site, [change], { one: true });
}

export async function grantGlobal(context: Context, who: string): Promise<number> {
  checkLocal(context, 'sites grant-global');
  const session = await beginChange(context, shapeOf(individual));
  const id = await resolve(session, who, { targets: ['individual'], deleted: 0 });
  const change = changeBy(individual.operations.grantGlobal, { body: { Individual: id } }, { id });
  return makeChanges(context, individual, [change], { one: true });
}
