// The changes of records, from the history of the engine: who, when, from what to what.
import type { HistoryEntry, Session } from '../../contract/call.ts';
import { type Field, isWritable, text } from '../../contract/field.ts';
import { contract, resourceNamed } from '../../contract/index.ts';
import { idKey } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { nameOf, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { once } from '../../text/once-per.ts';
import { pick } from '../output/fields.ts';

export interface MemberChange {
  readonly field: string;
  readonly before: Value;
  readonly after: Value;
}

/** One change of one record. */
export interface HistoryLine {
  readonly at: string;
  /** A user name. */
  readonly who: string;
  readonly what: string;
  readonly resource: Resource;
  readonly id: string;
  /** What the record was called then; undefined of one without a name. */
  readonly name: string | undefined;
  /** The members of the record that name its owners. */
  readonly owners: Row;
  /** Of a creation the values that it began with. */
  readonly changes: readonly MemberChange[];
  /** The job that made the change, where one did that is still known. */
  readonly job?: string;
}

/** The individuals of a group: not a field of it, and yet a part of its history. */
const MEMBERS = 'Members';
const MEMBERS_FIELD: Field = { ...text('optional'), kind: 'guids', to: ['individual'] };

/** The field of a change; that of the members of a group is none of the contract. */
export const changedField = ({ fields }: Resource, name: string): Field | undefined =>
  name === MEMBERS ? MEMBERS_FIELD : fields[name];

/** All changes of one record, the newest first. */
export async function recordHistory(session: Session, resource: Resource, id: string): Promise<readonly HistoryLine[]> {
  const entries = (await session.local?.history.of(resource.name, id)) ?? [];
  return historyLines(session, entries.toReversed());
}

/** The changes of the site, the newest first: at most `limit`. */
export async function siteHistory(
  session: Session,
  since: string | undefined,
  limit: number,
): Promise<readonly HistoryLine[]> {
  return historyLines(session, (await session.local?.history.since(since, limit)) ?? []);
}

/**
 * The lines of entries, the newest first: what the first one left is what the record is now, and each one found what the
 * next one left.
 */
export async function historyLines(
  session: Session,
  entries: readonly HistoryEntry[],
): Promise<readonly HistoryLine[]> {
  const who = userNames(session);
  const states = new Map<string, Record<string, Value>>();
  const lines: HistoryLine[] = [];
  for (const entry of entries) {
    const { at, what, id } = entry;
    const resource = resourceNamed(entry.resource);
    const key = `${entry.resource} ${idKey(id)}`;
    const state = states.get(key) ?? (await currentState(session, resource, id));
    states.set(key, state);
    // What was deleted for good is known from its last image alone.
    if (what === 'delete' && entry.before) Object.assign(state, entry.before);
    const changes = changesOf(resource, entry, state);
    const owners = pick(
      state,
      ownersOf(resource).map(({ field }) => field),
    );
    lines.push({
      at,
      who: await who(entry.caller),
      what,
      resource,
      id,
      name: nameOf(resource, state),
      owners,
      changes,
    });
    if (what === 'update') Object.assign(state, entry.before);
  }
  return lines;
}

async function currentState(session: Session, resource: Resource, id: string): Promise<Record<string, Value>> {
  const row: Row = (await session.find.record(resource.name, { id })).row ?? {};
  if (resource.name !== 'securityGroup' || row.ID === undefined) return { ...row };
  const body = { Group: row.ID, Deleted: true };
  const members = await collect(session.list(contract.securityGroup.operations.members, { body }));
  return { ...row, [MEMBERS]: members.map(({ ID }) => ID).join(' ') };
}

function changesOf(
  resource: Resource,
  { what, before }: HistoryEntry,
  state: Readonly<Record<string, Value>>,
): readonly MemberChange[] {
  if (what === 'create')
    return Object.entries(state).flatMap(([field, after]) =>
      after !== null && after !== '' && isShown(resource, field) ? { field, before: null, after } : [],
    );
  if (what !== 'update') return [];
  return Object.entries(before ?? {})
    .filter(([name]) => isShown(resource, name))
    .map(([field, value]) => ({ field, before: value, after: state[field] ?? null }));
}

/** Members that can be set; the ID and the site say nothing beside the name. */
function isShown({ fields, open }: Resource, name: string): boolean {
  if (name === MEMBERS) return true;
  const field = fields[name];
  return field ? isWritable(field) && !field.writeOnly && !['ID', 'SiteID'].includes(name) : open;
}

/** User names by ID, each looked up once: of individuals of the site, and of global administrators of others. */
export function userNames({ find, local }: Pick<Session, 'find' | 'local'>): (id: string) => Promise<string> {
  const known = new Map<string, string>();
  const globals = once(async () => local?.history.globals());
  const globalName = async (id: string): Promise<string | undefined> =>
    (await globals())?.find((one) => one.id === id)?.userName;
  return async (id) => {
    const { UserName } = known.has(id) ? {} : ((await find.record('individual', { id })).row ?? {});
    const name = known.get(id) ?? String(UserName ?? (await globalName(id)) ?? id);
    known.set(id, name);
    return name;
  };
}
