// The trial of a service: a scratch core value is made, tried, and deleted again. The profile keeps the results.

import type { Request, Response } from '../../client/connection.ts';
import type { Client } from '../../client/index.ts';
import type { Credential, Input, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { STATES } from '../../contract/resources/permissions.ts';
import { collect } from '../../text/batches.ts';
import { readList, writerOf } from '../../wire/codec.ts';
import { buildPath } from '../../wire/route.ts';
import { bodyShape } from '../../wire/shape.ts';
import { confirmRequest, describeTarget } from '../changes/confirm.ts';
import { type Context, checkProfileNamed } from '../context.ts';
import { changeProfile, credentialFor, type Profile, type Remote } from '../profiles/profiles.ts';
import { numbersOfSite } from '../selectors/state-numbers.ts';
import { bad, type Finding, faultOf, ok } from './finding.ts';

const { coreValue } = contract;
const { create, delete: remove, list, update } = coreValue.operations;

const TRIAL = {
  question: 'Write it?',
  needed: 'a trial writes to the service',
  flags: '--probe --yes',
  refused: 'nothing was written',
};

/** Keeps the results in the profile. Throws `confirmation` where it is not confirmed; nothing was written then. */
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
      ? ok(check, `the service ${habit}; pm adapts to it`)
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

interface Trial {
  readonly session: Session;
  readonly client: Client;
  readonly credential: Credential;
  /** The ID that was sent. */
  readonly sent: string;
  /** The scratch record, as the service answered it. */
  readonly made: Row;
}

interface Tried {
  readonly check: string;
  /** Its words where the service has no habit there. */
  readonly usual: string;
  /** The habit, in words behind "the service". */
  readonly habit?: string | undefined;
  /** Without it pm heeds the habit by itself. */
  readonly advice?: string;
  /** For the profile. */
  readonly learned?: Pick<Profile, 'states' | 'dropUnknown'>;
}

/** A text with a blank at its end. */
const SPACED = 'A trial, deleted at once. ';

/** The scratch record as the list shows it: an answer may be empty. */
async function current({ session, made, sent }: Trial): Promise<Row> {
  const id = String(made.ID ?? sent).toLowerCase();
  const rows = await collect(session.list(list));
  return rows.find(({ ID }) => String(ID).toLowerCase() === id) ?? {};
}

async function ids({ made, sent }: Trial): Promise<Tried> {
  const habit = String(made.ID ?? sent).toLowerCase() === sent ? undefined : 'gives IDs of its own';
  return { check: 'IDs', usual: 'keeps the IDs of new records', habit };
}

async function capitals({ made }: Trial): Promise<Tried> {
  const habit = /[A-F]/.test(String(made.ID)) ? 'spells GUIDs in capitals' : undefined;
  return { check: 'GUIDs', usual: 'in small letters', habit };
}

async function texts(trial: Trial): Promise<Tried> {
  const { Description } = await current(trial);
  const habit = Description === SPACED ? undefined : 'trims texts';
  return { check: 'texts', usual: 'come back as they were sent', habit };
}

/** Records of other kinds have them, and a service may have them everywhere. */
const MARKS = ['Deleted', 'DeletedByRef', 'Created', 'CreatedBy', 'Updated', 'UpdatedBy', 'Permissions'];

/** Members of the service's own, and whether they may be sent back. */
async function members(trial: Trial): Promise<Tried> {
  const row = await current(trial);
  const others = Object.keys(row).filter((name) => !Object.hasOwn(coreValue.fields, name) && !MARKS.includes(name));
  const usual = 'those of the interface';
  if (others.length === 0) return { check: 'members', usual };
  const has = `has members of its own (${others.join(', ')})`;
  const isRefused = await refusesBack(trial, row);
  if (!isRefused) return { check: 'members', usual, habit: has };
  const habit = `${has} and refuses them in requests`;
  const advice = 'pm no longer sends them: pm profiles show says DropUnknown.';
  return { check: 'members', usual, habit, advice, learned: { dropUnknown: true } };
}

async function refusesBack({ session }: Trial, row: Row): Promise<boolean> {
  try {
    await session.call(update, { params: { id: String(row.ID) }, body: row });
    return false;
  } catch (error) {
    if (error instanceof ServiceError && error.next?.do === 'drop-unknown') return true;
    throw error;
  }
}

const known = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => ['ID', 'Rank', 'Name'].includes(name)));

async function puts(trial: Trial): Promise<Tried> {
  const row = await current(trial);
  await trial.session.call(update, { params: { id: String(row.ID) }, body: known(row) });
  const isKept = ((await current(trial)).Description ?? null) !== null;
  const habit = isKept ? 'keeps what an update leaves out' : undefined;
  return { check: 'PUT', usual: 'an update replaces the record', habit };
}

/** The members of XML in the opposite order of the service's own: are they read? */
async function order(trial: Trial): Promise<Tried> {
  const usual = 'its members are read in any order';
  const row = await current(trial);
  const wanted = { ...known(row), Description: 'Another text' };
  const { namespace, names } = await xmlOf(trial);
  const { path } = buildPath(update, { params: { id: String(row.ID) } });
  const put = async (xmlOrder: readonly string[]): Promise<number> => {
    const body = writerOf(XML, { ...bodyShape(coreValue), xmlOrder }, namespace).one(wanted);
    return (await ask(trial, { method: 'PUT', path, body })).status;
  };
  if ((await put(names.toReversed())) >= REFUSED) {
    const status = await put(names);
    return status < REFUSED
      ? { check: 'XML', usual, habit: 'refuses members of XML in another order than its own' }
      : { check: 'XML', usual, habit: `answers ${status} to XML`, advice: 'Stay with --wire json.' };
  }
  const after = await current(trial);
  const isRead = Object.entries(wanted).every(([name, value]) => after[name] === value);
  return { check: 'XML', usual, habit: isRead ? undefined : 'reads the members of XML in one order alone' };
}

const XML = 'application/xml';
const REFUSED = 400;

const ask = (
  { client, credential }: Trial,
  request: Pick<Request, 'method' | 'path' | 'body'>,
  accept = XML,
): Promise<Response> => {
  const headers = { accept, ...(request.body === undefined ? {} : { 'content-type': XML }) };
  return client.raw({ ...request, headers, credential, repeatable: true });
};

/** The namespace in which the service writes XML, and the order of its members. */
async function xmlOf(trial: Trial): Promise<{ namespace: string | undefined; names: readonly string[] }> {
  const { status, bytes } = await ask(trial, { method: 'GET', path: buildPath(list).path });
  let namespace: string | undefined;
  const learn = (found: string): void => {
    namespace ??= found;
  };
  const rows = status === 200 ? await collect(readList('xml', bodyShape(coreValue), [bytes], learn)) : [];
  return { namespace, names: Object.keys(rows[0] ?? coreValue.fields) };
}

/** An accountability of the caller: core values are deleted for good. It stays, deleted, for the next trial. */
const SCRATCH = 'pm doctor';

/** The scratch record is undeleted although it is not deleted: if it is deleted then, the service toggles the mark. */
async function undeletion({ session }: Trial): Promise<Tried> {
  const { create, delete: remove, undelete, list: listed } = contract.accountability.operations;
  const own = { by: 'individual', params: { individualid: session.me.id }, query: { deleted: 2 } as const };
  const find = async (): Promise<Row | undefined> =>
    (await collect(session.list(listed, own))).find(({ Name }) => Name === SCRATCH);
  const left = await find();
  if (left?.Deleted === true) await session.call(undelete, { params: { id: String(left.ID) } });
  if (!left)
    await session.call(create, { body: { AncestorID: session.me.id, Rank: 0, Name: SCRATCH, Description: SPACED } });
  const row = await find();
  const params = { id: String(row?.ID) };
  await session.call(undelete, { params });
  const isToggled = (await find())?.Deleted === true;
  if (!isToggled) await session.call(remove, { params });
  const habit = isToggled ? 'deletes what is undeleted and was not deleted' : undefined;
  return { check: 'undelete', usual: 'leaves what is not deleted as it is', habit };
}

async function lists(trial: Trial): Promise<Tried> {
  const { bytes } = await ask(trial, { method: 'GET', path: buildPath(list).path }, 'application/json');
  const isWrapped = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().startsWith('{');
  return { check: 'lists', usual: 'come plain', habit: isWrapped ? 'wraps its lists' : undefined };
}

/** The numbers of the states of rights, as rows of the site show them. */
async function numbers({ session }: Trial): Promise<Tried> {
  const check = 'rights';
  const found = await numbersOfSite(session);
  const said = [...found].map(([word, number]) => `${word} ${number}`).join(', ');
  if (found.size === 0) return { check, usual: 'no row of the site shows how their states are counted' };
  const isOurs = [...found].every(([word, number]) => STATES[number as keyof typeof STATES] === word);
  const habit = isOurs ? undefined : `counts the states of rights as ${said}`;
  return { check, usual: `their states are counted as ${said}`, habit, learned: { states: Object.fromEntries(found) } };
}

const TRIALS: readonly ((trial: Trial) => Promise<Tried>)[] = [
  ...[ids, capitals, texts, members, puts, order, undeletion, lists, numbers],
];
