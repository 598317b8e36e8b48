// The changes of records: who, when, and the values before and after. A service shows no history: there the jobs of pm tell it.
import type { Session } from '../../contract/call.ts';
import { orNone, ServiceError } from '../../contract/errors.ts';
import { type Field, isWritable, text } from '../../contract/field.ts';
import { contract, everyResource, resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobRow } from '../../contract/jobs.ts';
import { idKey, sameID } from '../../contract/kinds.ts';
import { endsOf, GROUP_MEMBER, type Line } from '../../contract/lines.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { nameOf, type Resource, type Row, type Value, valuesOf } from '../../contract/resource.ts';
import { nonEmpty } from '../../text/defined.ts';
import { once, oncePerText } from '../../text/once-per.ts';
import { textKey } from '../../text/text-key.ts';
import type { Context } from '../context.ts';
import { liveOrDeleted, NOT_THERE, notFound, resolve } from '../selectors/selectors.ts';

export interface MemberChange {
  readonly field: string;
  readonly before: Value;
  readonly after: Value;
}

/** The resource of a line, which the contract may not have any more. */
export type LineResource = Pick<Resource, 'name' | 'command' | 'fields' | 'names' | 'open'>;

/** One change of one record. */
export interface HistoryLine {
  readonly at: string;
  /** A user name. */
  readonly who: string;
  readonly what: string;
  readonly resource: LineResource;
  readonly id: string;
  /** What the record was called then; undefined of one without a name. */
  readonly name: string | undefined;
  /** The members of the record that name its owners. */
  readonly owners: Row;
  /** Of a creation the values that it began with. */
  readonly changes: readonly MemberChange[];
  /** The job that made the change. */
  readonly job?: string;
  readonly row?: number | undefined;
}

/** The individuals of a group: not a field of it, and yet a part of its history. */
export const MEMBERS = 'Members';
const MEMBERS_FIELD: Field = { ...text('optional'), kind: 'guids', to: ['individual'] };

/** The field of a change; that of the members of a group is none of the contract. */
export const changedField = ({ fields }: Pick<Resource, 'fields'>, name: string): Field | undefined =>
  name === MEMBERS ? MEMBERS_FIELD : fields[name];

/** All changes of one record, the newest first. */
export async function* recordHistory(
  context: Context,
  session: Session,
  resource: Resource,
  id: string,
): AsyncGenerator<HistoryLine> {
  if (!session.local) return yield* journalHistory(context, session, { resource, id });
  yield* await historyLines(session, (await session.local.history.of(resource.name, id)).toReversed());
}

/** The changes of the site, the newest first; of the engine at most `limit`. */
export async function* siteHistory(
  context: Context,
  session: Session,
  since: string | undefined,
  limit: number,
): AsyncGenerator<HistoryLine> {
  if (session.local) return yield* await historyLines(session, await session.local.history.since(since, limit));
  for await (const line of journalHistory(context, session, { since }))
    yield { ...line, name: line.name ?? (await nameOnService(session, line)) };
}

/** What the record is called now, also one that is deleted; undefined if the service does not show it. */
async function nameOnService({ find }: Session, { resource, id }: HistoryLine): Promise<string | undefined> {
  const reading = find.record(resource.name, { id }, 'many');
  const found = await orNone(reading, ['forbidden', 'admin_only', 'unsupported', 'unreachable']);
  return nameOf(resource, found?.row);
}

/** Lines as they are shown, the newest first. The value before a line is the value after the next one. */
export async function historyLines(session: Session, lines: readonly Line[]): Promise<readonly HistoryLine[]> {
  const who = userNames(session);
  const states = new Map<string, Record<string, Value>>();
  const stateOf = async (name: string, id: string): Promise<Record<string, Value>> => {
    const key = `${name} ${idKey(id)}`;
    const state = states.get(key) ?? { ...(await currentRecord(session, name, id)) };
    states.set(key, state);
    return state;
  };
  const shown: HistoryLine[] = [];
  for (const line of lines) {
    const { at, job, row } = line;
    const happened = await (line.resource === GROUP_MEMBER ? ofMember : ofRecord)(line, stateOf);
    shown.push({ at, who: await who(line.caller), ...(job === undefined ? {} : { job, row }), ...happened });
  }
  return shown;
}

type StateOf = (resource: string, id: string) => Promise<Record<string, Value>>;
type OfRecord = Omit<HistoryLine, 'at' | 'who' | 'job' | 'row'>;

async function ofRecord(line: Line, stateOf: StateOf): Promise<OfRecord> {
  const { what, id, before } = line;
  const known = everyResource.find(({ name }) => name === line.resource);
  const resource = known ?? { name: line.resource, command: line.resource, fields: {}, names: ['Name'], open: true };
  const state = await stateOf(line.resource, id);
  // What went for good is known from its last image alone.
  if (what === 'delete' || what === 'remove') Object.assign(state, before);
  const changes = changesOf(resource, line, state);
  const owners = valuesOf(state, known ? ownersOf(known).map(({ field }) => field) : []);
  const name = nameOf(resource, state);
  if (what === 'update') Object.assign(state, before);
  return { what, resource, id, name, owners, changes };
}

/** A membership is shown as a change of its group. */
async function ofMember({ id, what }: Line, stateOf: StateOf): Promise<OfRecord> {
  const [group, individual] = endsOf(id);
  const resource = contract.securityGroup;
  const name = nameOf(resource, await stateOf(resource.name, group));
  const [before, after] = what === 'create' ? [null, individual] : [individual, null];
  return { what: 'update', resource, id: group, name, owners: {}, changes: [{ field: MEMBERS, before, after }] };
}

const currentRecord = async ({ find }: Session, name: string, id: string): Promise<Row | undefined> =>
  everyResource.some((one) => one.name === name) ? (await find.record(name, { id })).row : undefined;

function changesOf(
  resource: LineResource,
  { what, before }: Line,
  state: Readonly<Record<string, Value>>,
): readonly MemberChange[] {
  if (what === 'create')
    return Object.entries(state).flatMap(([field, after]) =>
      after !== null && after !== '' && isShown(resource, field) ? { field, before: null, after } : [],
    );
  if (what !== 'update') return [];
  return Object.entries(before ?? {})
    .filter(([name]) => isShown(resource, name))
    .map(([field, value]) => ({
      field,
      before: value,
      after: resource.fields[field]?.writeOnly ? 'set' : (state[field] ?? null),
    }));
}

/** Members that can be set, also secret ones; the ID and the site say nothing beside the name. */
function isShown({ fields, open }: LineResource, name: string): boolean {
  const field = fields[name];
  return field ? isWritable(field) && !['ID', 'SiteID'].includes(name) : open;
}

/** User names by ID, each looked up once: of individuals of the site, and of global administrators of others. */
function userNames({ find, local }: Pick<Session, 'find' | 'local'>): (id: string) => Promise<string> {
  const globals = once(async () => local?.history.globals());
  return oncePerText(async (id) => {
    const { UserName } = (await find.record('individual', { id })).row ?? {};
    return String(UserName ?? (await globals())?.find((one) => one.id === id)?.userName ?? id);
  });
}

/** Who wrote lines. */
export interface Author {
  /** Of one whom only lines may know, the text that was asked for. */
  readonly id: string;
  readonly userName: string;
  /** Why there is no such individual, where no line names it. */
  readonly unknown?: ServiceError;
}

/** An individual, also a deleted one, or a global administrator of another site, or else who may stand in lines alone. */
export async function authorOf(session: Session, text: string): Promise<Author> {
  try {
    const id = await liveOrDeleted((deleted) => resolve(session, text, { targets: ['individual'], deleted }));
    const userName = await userNames(session)(id);
    if (userName !== id) return { id, userName };
    return { id, userName, unknown: await notFound(session, text, { targets: ['individual'], deleted: 0 }) };
  } catch (error) {
    if (!(error instanceof ServiceError) || ![...NOT_THERE, 'unreachable'].includes(error.code)) throw error;
    const globals = (await session.local?.history.globals()) ?? [];
    const global = globals.find(({ userName }) => textKey(userName) === textKey(text));
    return global ?? { id: text, userName: text, unknown: error };
  }
}

/** What the jobs of a profile changed in a site, newest first. */
async function* journalHistory(
  context: Context,
  { me }: Session,
  want: { readonly since?: string | undefined; readonly resource?: Resource; readonly id?: string },
): AsyncGenerator<HistoryLine> {
  const jobs = await context.jobs();
  for (const head of await jobs.heads(context.settings.jobProfile)) {
    if (head.site !== me.site) continue;
    if (want.since !== undefined && (head.ended ?? head.created) < want.since) continue;
    for await (const row of jobs.rows(head.id, { states: MADE, backwards: true }))
      for (const line of journalEntries(head, row))
        if (!want.resource || (line.resource.name === want.resource.name && sameID(line.id, want.id))) yield line;
  }
}

/** The states of rows that changed something: what was taken back since has its own line, and so has the undo. */
const MADE = ['done', 'altered', 'undone'] as const;

/** The lines of a row: its record, unless that was as wanted already, and what changed with it. */
function journalEntries(head: JobHead, row: JobRow): readonly HistoryLine[] {
  const { operation, patch, result, was, secret } = row;
  const of = { at: head.ended ?? head.created, who: head.caller, job: head.id };
  const known = result?.before ?? was;
  const before: Row = { ...known };
  // Patches and bodies hold values that the contract allows.
  const after = { ...row.body, ...patch, ...result?.after } as Row;
  const resource = resourceNamed(row.resource);
  const owners = valuesOf(
    { ...before, ...after },
    ownersOf(resource).map(({ field }) => field),
  );
  const changes = [
    ...changesBetween(before, after, Object.keys(patch && known ? known : after)),
    ...(secret?.members ?? []).map((field) => ({ field, before: null, after: 'set' })),
  ];
  const id = result?.id ?? row.id ?? '';
  // A patch names no record: the service is asked what it is called.
  const name = patch ? undefined : nameOf(resource, { ...before, ...after });
  const isAsWanted = result?.before !== undefined && !nonEmpty(result.before) && !secret;
  return [
    ...(isAsWanted ? [] : [{ ...of, what: operation, resource, id, name, owners, changes }]),
    ...(result?.effects ?? []).map((effect) => ({
      ...of,
      what: 'update',
      resource: resourceNamed(effect.resource),
      id: effect.id,
      name: undefined,
      owners: { ...effect.place },
      changes: changesBetween(effect.before, effect.after, Object.keys(effect.after)),
    })),
  ];
}

const changesBetween = (before: Row, after: Row, names: readonly string[]): readonly MemberChange[] =>
  names
    .filter((field) => field !== 'ID' && field !== 'SiteID')
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));

export const NO_HISTORY =
  'The service keeps no history that can be read: this is what pm itself did from this machine.';
