// pm can: who may do what, and why.
import type { Command } from 'commander';
import type { Local, RightsQuestion, RightsVerdict, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import type { Action, Resource } from '../../contract/resource.ts';
import { actionOf, type Run, reading } from '../command.ts';
import type { Context } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { print } from '../output/printing.ts';
import { rightsReport } from '../output/rights-report.ts';
import {
  actionNamed,
  applyGrant,
  engineNumber,
  type Grant,
  objectResource,
  readGrant,
  readObject,
} from '../selectors/grant.ts';
import { resolve } from '../selectors/selectors.ts';

interface Options extends GlobalValues {
  readonly why?: true;
  readonly if?: string;
}

const NO = 5;

export function build(run: Run): Command {
  return reading('can', 'Say whether somebody may do something: exit 0 for yes, 5 for no.')
    .argument('<who>', 'an individual')
    .argument('<action>', 'create, read, update, delete or delegate')
    .argument('<what...>', 'a resource and which one: department Sales; of a new one: project in department Sales')
    .option('--why', 'show what was looked at, in order, and which row decided')
    .option('--if <grant>', 'as if this were given: "allow update on department Sales to ann"')
    .action(actionOf(run, can));
}

async function can(
  context: Context,
  who: string,
  action: string,
  what: readonly string[],
  options: Options,
): Promise<number> {
  const asked = actionNamed(action);
  const session = await context.session();
  const id = await resolve(session, who, { targets: ['individual'], deleted: 0 });
  const question = { who: id, action: asked, ...(await objectOf(session, asked, what)) };
  if (!session.local) return remotely(context, session, question, options);
  const now = await session.local.rights(question);
  const then = options.if === undefined ? undefined : await rightsAsIf(session.local, question, options.if);
  const { allowed } = then ?? now;
  const why = (verdict: RightsVerdict): readonly string[] => (options.why ? ['', ...rightsReport(verdict, asked)] : []);
  const lines = then
    ? [yesOrNo(then), `Now: ${yesOrNo(now)}`, ...why(now), '', `With "${options.if}": ${yesOrNo(then)}`, ...why(then)]
    : [yesOrNo(now), ...why(now)];
  print(context.io, lines);
  return allowed ? 0 : NO;
}

const yesOrNo = ({ allowed }: RightsVerdict): string => (allowed ? 'yes' : 'no');

type QuestionObject = Pick<RightsQuestion, 'resource' | 'id' | 'in'>;

async function objectOf(session: Session, action: Action, what: readonly string[]): Promise<QuestionObject> {
  if (action === 'create') {
    const [word = '', within, ...owner] = what;
    const resource = objectResource(word);
    if (within !== 'in') throw new ServiceError('usage', `in which owner? Write: create ${word} in department Sales`);
    const { resource: kind, ref } = await readObject(owner);
    return { resource: resource.name, in: { resource: kind.name, id: await idOf(session, kind, ref) } };
  }
  const { resource, ref } = await readObject(what);
  return { resource: resource.name, id: await idOf(session, resource, ref) };
}

/** Resources that are named by another resource. */
const NAMED_BY: Readonly<Record<string, readonly string[]>> = {
  siteSetting: ['site'],
  dashboard: ['organization', 'individual'],
};

/** A resource without IDs keeps the text: the two IDs that it joins. */
const idOf = async (session: Session, resource: Resource, ref: string): Promise<string> =>
  resource.fields.ID ? resolve(session, ref, { targets: NAMED_BY[resource.name] ?? [resource.name], deleted: 2 }) : ref;

/** Grants the right in a transaction that is rolled back, and asks there. */
function rightsAsIf(local: Local, question: RightsQuestion, text: string): Promise<RightsVerdict> {
  const grant = grantIn(text);
  return local.rehearse(async (session) => {
    await applyGrant(session, await readGrant(session, grant), engineNumber);
    return session.local.rights(question);
  });
}

const STATE = '(?<state>allow|deny|unset)';
const ACTIONS = '(?<actions>\\S+)';
const OBJECT = '(?<kind>\\S+)\\s+(?<ref>.+?)';
const CHILD = '(?:\\s+--child-type\\s+(?<child>\\S+))?';
const GRANT_SENTENCE = new RegExp(`^${STATE}\\s+${ACTIONS}\\s+on\\s+${OBJECT}\\s+to\\s+(?<who>.+?)${CHILD}$`, 'i');
const GRANT_COMMAND = new RegExp(`^(?<who>.+?)\\s+${STATE}\\s+${ACTIONS}\\s+${OBJECT}${CHILD}$`, 'i');

function grantIn(text: string): Grant {
  const { groups } = GRANT_SENTENCE.exec(text.trim()) ?? GRANT_COMMAND.exec(text.trim()) ?? {};
  if (!groups) {
    throw new ServiceError('usage', `--if "${text}" is no right in words`, {
      hint: 'Write: --if "allow update on department Sales to ann", or --if "ann allow update department Sales".',
    });
  }
  const { who = '', state = '', actions = '', kind = '', ref = '', child } = groups;
  return { who: unquoted(who), state, actions, what: [kind, unquoted(ref)], child };
}

/** Removes quotes around a name. */
const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2');

const ANSWERING_MEMBERS: Readonly<Record<string, string>> = {
  read: 'CanRead',
  update: 'CanUpdate',
  delete: 'CanDelete',
  delegate: 'CanDelegate',
};

/** A remote service shows only the caller's own rights, as members of records; reading is allowed if it answers. */
async function remotely(
  context: Context,
  session: Session,
  question: RightsQuestion,
  options: Options,
): Promise<number> {
  const { who, action, resource, id } = question;
  const member = ANSWERING_MEMBERS[action];
  const { operations } = contract[resource as keyof typeof contract];
  const isShown = who === session.me.id && id !== undefined && member !== undefined && 'get' in operations;
  if (!isShown || options.why || options.if !== undefined) throw notAnswered(context);
  const row = await session.call(operations.get, { params: { id } });
  const value = row[member] ?? (action === 'read' ? true : undefined);
  if (typeof value !== 'boolean') throw notAnswered(context);
  print(context.io, [value ? 'yes' : 'no']);
  return value ? 0 : NO;
}

const notAnswered = ({ settings }: Context): ServiceError =>
  new ServiceError('usage', `${settings.profile} is a remote service, which does not tell this`, {
    hint: 'Of yourself it tells what records show as CanRead, CanUpdate, CanDelete; pm permissions list shows the rows that are given.',
  });
