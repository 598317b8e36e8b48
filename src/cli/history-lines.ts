// The changes of records: from the engine's history, or for a remote service from the jobs of pm.
import type { Finder, History, HistoryEntry, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { date, isWritable } from '../contract/field.ts';
import { resourceNamed } from '../contract/index.ts';
import type { JobHead, JobRow, JobStore } from '../contract/jobs.ts';
import type { Resource, Row, Value } from '../contract/resource.ts';
import { texts } from './output/result.ts';

/** One member of a change. */
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
  readonly changes: readonly MemberChange[];
}

/** All changes of one record, oldest first. */
export async function recordHistory(
  find: Finder,
  history: History,
  resource: Resource,
  id: string,
): Promise<readonly HistoryLine[]> {
  const lines = await history.of(resource.name, id);
  const who = userNames(find);
  const after: Record<string, Value> = { ...(await find.record(resource.name, { id })).row };
  const entries: HistoryLine[] = [];
  for (const line of lines.toReversed()) {
    const changes = changesOf(resource, line, after);
    Object.assign(after, line.before);
    entries.push({ at: line.at, who: await who(line.caller), what: line.what, resource, id, changes });
  }
  return entries.reverse();
}

/** The changes of the site, newest first. The new values of members are not known here. */
export async function siteHistory(
  find: Finder,
  history: History,
  since: string | undefined,
  limit: number,
): Promise<readonly HistoryLine[]> {
  const who = userNames(find);
  const lines: HistoryLine[] = [];
  for (const entry of await history.since(since, limit)) lines.push(siteLine(entry, await who(entry.caller)));
  return lines;
}

/** One change of the site. `who` is a user name. */
export function siteLine(entry: HistoryEntry, who: string): HistoryLine {
  const { at, what, id } = entry;
  const resource = resourceNamed(entry.resource);
  return { at, who, what, resource, id, changes: changesOf(resource, entry, {}) };
}

/** The columns of pm log. */
export const LOG_FIELDS = {
  At: date('read-only'),
  ...texts('Who', 'What', 'Resource', 'ID', 'Fields'),
};

export const logRow = ({ at, who, what, resource, id, changes }: HistoryLine): Row => ({
  At: at,
  Who: who,
  What: what,
  Resource: resource.command,
  ID: id,
  Fields: changes.map(({ field }) => field).join(' ') || null,
});

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The value of a flag as ISO 8601: a date, a time, or a relative time such as -7d. Throws `usage`. */
export function momentOf(flag: string, text: string, now: Date): string {
  const [, count, unit = ''] = /^-(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const at = count === undefined ? Date.parse(text) : now.getTime() - Number(count) * (UNITS[unit] ?? 0);
  if (!Number.isNaN(at) && (count !== undefined || /^\d{4}-\d{2}-\d{2}/.test(text))) return new Date(at).toISOString();
  throw new ServiceError('usage', `${flag} is "${text}"`, {
    hint: 'Write a date as 2026-11-01, or -7d for a week ago.',
  });
}

/** The members that an update changed, without computed ones. */
function changesOf(
  resource: Resource,
  { what, before }: HistoryEntry,
  after: Readonly<Record<string, Value>>,
): MemberChange[] {
  if (what !== 'update') return [];
  return Object.entries(before ?? {})
    .filter(([name]) => isShown(resource, name))
    .map(([field, value]) => ({ field, before: value, after: after[field] ?? null }));
}

function isShown({ fields, open }: Resource, name: string): boolean {
  const field = fields[name];
  return field ? isWritable(field) && !field.writeOnly : open;
}

/** User names by ID, each looked up once. */
function userNames(find: Finder): (id: string) => Promise<string> {
  const known = new Map<string, string>();
  return async (id) => {
    const name = known.get(id) ?? String((await find.record('individual', { id })).row?.UserName ?? id);
    known.set(id, name);
    return name;
  };
}

/** What the jobs of a profile changed in a site, newest first. */
export async function* journalEntries(
  jobs: JobStore,
  profile: string,
  { me }: Pick<Session, 'me'>,
  want: { readonly since?: string | undefined; readonly resource?: Resource; readonly id?: string } = {},
): AsyncGenerator<HistoryLine> {
  for (const head of await jobs.heads(profile)) {
    if (head.site !== me.site) continue;
    if (want.since !== undefined && (head.ended ?? head.created) < want.since) continue;
    for await (const row of jobs.rows(head.id, { states: ['done'], backwards: true })) {
      const happened = journalEntry(head, row);
      if (want.resource && row.resource !== want.resource.name) continue;
      if (want.id === undefined || happened.id.toLowerCase() === want.id.toLowerCase()) yield happened;
    }
  }
}

function journalEntry(head: JobHead, row: JobRow): HistoryLine {
  const { operation, patch, result, was } = row;
  const before: Row = { ...was, ...result?.before };
  const changes = Object.entries(patch ?? {}).map(([field, value]) => ({
    field,
    before: before[field] ?? null,
    // Patches hold values that the contract allows.
    after: (value ?? null) as Value,
  }));
  return {
    at: head.ended ?? head.created,
    who: head.caller,
    what: operation,
    resource: resourceNamed(row.resource),
    id: result?.id ?? row.id ?? '',
    changes,
  };
}

export const NO_HISTORY =
  'The service keeps no history that can be read: this is what pm itself did from this machine.';
