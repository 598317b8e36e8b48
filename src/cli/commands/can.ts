// pm can: the rights of individuals, with their reasons.
import type { Command } from 'commander';
import type { Local, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { RightsVerdict, RightsWish } from '../../contract/rights.ts';
import { actionOf, type Run, reading, withAt } from '../command.ts';
import type { Context } from '../context.ts';
import { print } from '../output/printing.ts';
import { actionNamed, objectResource } from '../rights/grant.ts';
import { type Ask, askAsIf, readWish, recordOf, wishesBelow } from '../rights/question.ts';
import * as remote from '../rights/remote.ts';
import { printReport } from '../rights/report.ts';
import { showKinds, showRecord, showSources } from '../rights/what-may.ts';
import { showWhoMay, showWhoMayEach } from '../rights/who-may.ts';
import { resolve } from '../selectors/selectors.ts';

interface Options {
  readonly why?: true;
  readonly if?: string;
  readonly who?: true;
  readonly what?: true;
}

const NO = 5;

export function build(run: Run): Command {
  return withAt(reading('can', 'Say whether somebody may do something (exit 0 for yes, 5 for no), who may, or what.'))
    .usage('<who> <action> <what...> | --who <action> <what...> | <who> --what [what...] [flags]')
    .argument('[who]', 'an individual')
    .argument('[action]', 'create, read, update, delete or delegate')
    .argument(
      '[what...]',
      'a resource and which one: department Sales; of a new one, or of all there: comments in department Sales',
    )
    .option('--who', 'list everybody who may, and by what')
    .option('--what', 'count what the individual may do; with a resource, by what; with a record, which actions')
    .option('--why', 'show all steps in order, and which permission decided')
    .option('--if <grant>', 'as if this were given: "allow update on department Sales to ann"')
    .action(actionOf(run, can));
}

type Words = readonly (string | undefined)[];

async function can(context: Context, who: string, action: string, what: readonly string[], options: Options) {
  const words: Words = [who, action, ...what];
  checkOptions(options);
  if (options.who) return whoMay(context, words, options);
  return options.what ? whatMay(context, words, options) : isAllowed(context, words, options);
}

/** Throws `usage` for options that do not go together. */
function checkOptions({ who, what, why }: Options): void {
  const one = who ? '--who' : '--what';
  const other = who && what ? '--what' : what && why ? '--why' : undefined;
  if (other === undefined) return;
  throw new ServiceError('usage', `${one} and ${other} do not go together`, {
    hint: 'pm can <who> <action> <what> --why says why of one question; --if goes with each of them.',
  });
}

/** The first words, all of which must be there. Throws `usage`. */
function given(words: Words, ...names: readonly string[]): readonly string[] {
  const missing = names.find((_name, at) => words[at] === undefined);
  if (missing === undefined) return words.filter((word) => word !== undefined);
  throw new ServiceError('usage', `pm can needs <${missing}>`, { hint: 'pm can --help shows how it is written.' });
}

async function isAllowed(context: Context, words: Words, options: Options): Promise<number> {
  const [name = '', ...wished] = given(words, 'who', 'action', 'what');
  const action = actionNamed(wished[0] ?? '');
  const session = await context.session();
  const below = await wishesBelow(session, wished);
  if (below) return allowedBelow(context, session, name, below, options);
  const question = { who: await individualCalled(session, name), ...(await readWish(session, wished)) };
  if (!session.local) {
    if (options.why || options.if !== undefined) throw remote.notAnswered(context);
    return remote.answerRemotely(context, question, NO);
  }
  const now = await session.local.rights(question);
  const then =
    options.if === undefined ? undefined : await askAsIf(session.local, options.if)((local) => local.rights(question));
  const { allowed } = then ?? now;
  const answer = async (when: string, verdict: RightsVerdict): Promise<void> => {
    print(context.io, [when + yesOrNo(verdict), ...(options.why ? [''] : [])]);
    if (options.why) await printReport(context, verdict, action);
  };
  if (then) {
    print(context.io, [yesOrNo(then)]);
    await answer('Now: ', now);
    print(context.io, ['']);
    await answer(`With "${options.if}": `, then);
  } else await answer('', now);
  return allowed ? 0 : NO;
}

/** Of all records below an owner: yes, where each is allowed. */
async function allowedBelow(
  context: Context,
  { local, ...session }: Session,
  name: string,
  wishes: readonly RightsWish[],
  { why, if: grant }: Options,
): Promise<number> {
  if (!local) throw remote.notAnswered(context);
  if (why) throw whyOfAll();
  const who = await individualCalled({ ...session, local }, name);
  let allowed = 0;
  const ask = askWith(context, local, grant);
  await ask(async (asked) => {
    for (const wish of wishes) if ((await asked.rights({ who, ...wish })).allowed) allowed++;
  });
  const isAll = wishes.length > 0 && allowed === wishes.length;
  const answer = `${isAll ? 'yes' : 'no'}: ${allowed} of ${wishes.length}`;
  print(context.io, [wishes.length === 0 ? 'no: there are none to ask about, whatever the rights' : answer]);
  return isAll ? 0 : NO;
}

const whyOfAll = (): ServiceError =>
  new ServiceError('usage', '--why is of one record, and here are all of an owner', {
    hint: 'Leave --why out, or name one of them by its ID: pm can <who> <action> <resource> <ID> --why',
  });

const individualCalled = (session: Session, name: string): Promise<string> =>
  resolve(session, name, { targets: ['individual'], deleted: 0 });

const yesOrNo = ({ allowed }: RightsVerdict): string => (allowed ? 'yes' : 'no');

async function whoMay(context: Context, words: Words, { why, if: grant }: Options): Promise<number> {
  const wished = given(words, 'action', 'what');
  actionNamed(wished[0] ?? '');
  const session = await context.session();
  const { local } = session;
  const below = await wishesBelow(session, wished);
  if (below && why) throw whyOfAll();
  if (local) {
    const ask = askWith(context, local, grant);
    return below
      ? showWhoMayEach(context, ask, below)
      : showWhoMay(context, ask, await readWish(session, wished), why === true);
  }
  if (below || why || grant !== undefined) throw remote.notAnswered(context);
  return remote.showWhoRemotely(context, await readWish(session, wished));
}

function askWith(context: Context, local: Local, grant: string | undefined): Ask {
  if (grant === undefined) return (question) => question(local);
  const ask = askAsIf(local, grant);
  context.note(`As it would be with "${grant}". Nothing is changed.`);
  return ask;
}

async function whatMay(context: Context, words: Words, { if: grant }: Options): Promise<number> {
  const [name = '', ...what] = given(words, 'who');
  const [kind] = what;
  const resource = kind === undefined ? undefined : objectResource(kind);
  const session = await context.session();
  const who = await individualCalled(session, name);
  const record = what.length > 1 ? await recordOf(session, what) : undefined;
  const { local } = session;
  if (!local) {
    if (who !== session.me.id || grant !== undefined) throw remote.notAnswered(context);
    return record ? remote.showRecordRemotely(context, record) : remote.showKindsRemotely(context, resource);
  }
  const ask = askWith(context, local, grant);
  if (record) return showRecord(context, ask, who, record);
  return resource ? showSources(context, ask, who, resource) : showKinds(context, ask, who);
}
