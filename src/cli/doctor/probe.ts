// The trial of a service: a scratch core value is made, tried, and deleted again; what it shows is kept in the profile.
import type { Input, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { collect } from '../../text/batches.ts';
import { confirmRequest, describeTarget } from '../changes/confirm.ts';
import { type Context, checkProfileNamed } from '../context.ts';
import { changeProfile, credentialFor, type Remote } from '../profiles/profiles.ts';
import { bad, type Finding, faultOf, ok } from './finding.ts';
import { SPACED, TRIALS, type Tried } from './trials.ts';

const { create, delete: remove, list } = contract.coreValue.operations;

const TRIAL = {
  question: 'Write it?',
  needed: 'a trial writes to the service',
  flags: '--probe --yes',
  refused: 'nothing was written',
};

/** Throws `confirmation` where it is not confirmed; nothing was written then. What is learned is kept in the profile. */
export async function probe(context: Context, remote: Remote): Promise<readonly Finding[]> {
  checkProfileNamed(context);
  context.note(
    `▲ ${describeTarget(context)} – a scratch core value is made, updated and deleted; an accountability of yours, "pm doctor", stays deleted`,
  );
  if (context.settings.dryRun) return [bad('trial', 'unknown', 'not tried: this is a dry run', 'Leave -n out.')];
  await confirmRequest(context, TRIAL);
  const session = await context.session();
  const sent: string = crypto.randomUUID();
  let id = sent;
  try {
    const body = { ID: sent, Rank: 0, Name: `pm doctor ${sent.slice(0, 8)}`, Description: SPACED };
    const said = await session.call(create, { body });
    const listed = async () => (await collect(session.list(list))).find(({ Name }) => Name === body.Name);
    const made = said.ID == null ? await listed() : said;
    if (!made) throw new ServiceError('bad_answer', 'no list shows the scratch record, and no answer says its ID');
    id = String(made.ID);
    const client = await context.client();
    const credential = credentialFor(remote, context.settings.as, context.io);
    const tried: Tried[] = [];
    for (const attempt of TRIALS) tried.push(await attempt({ session, client, credential, sent, made }));
    await session.call(remove, removing(id));
    await keep(context, remote, tried);
    return [...tried.map(findingOf), ok('DELETE', 'the scratch record is gone')];
  } catch (error) {
    return [faultOf('trial', error, context.io.env), ...(await leftover(session, id))];
  }
}

/** A habit is a warning where something is left to do. */
const findingOf = ({ check, usual, habit, advice }: Tried): Finding =>
  habit === undefined
    ? ok(check, usual)
    : advice === undefined
      ? ok(check, `the service ${habit}; pm heeds it`)
      : bad(check, 'warning', `the service ${habit}`, advice);

function keep({ io }: Context, { name }: Remote, tried: readonly Tried[]): Promise<void> {
  const habits = tried.flatMap(({ habit }) => habit ?? []);
  const learned: Tried['learned'] = Object.assign({}, ...tried.map((one) => one.learned));
  const probed = io.now().toISOString().slice(0, 10);
  return changeProfile(io, name, (profile) => ({ ...learned, ...profile, probed, habits }));
}

/** Whatever the trials have made of it. */
const removing = (id: string): Input => ({ params: { id }, match: ['*'] });

async function leftover(session: Session, id: string): Promise<readonly Finding[]> {
  try {
    await session.call(remove, removing(id));
    return [];
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return [];
    return [bad('DELETE', 'fault', 'the scratch record may be left', `pm core-values delete ${id}`)];
  }
}
