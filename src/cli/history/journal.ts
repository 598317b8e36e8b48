// What the jobs of pm changed: the history of a service that keeps none that can be read, and the jobs of the engine's.
import type { Session } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobRow, JobStore } from '../../contract/jobs.ts';
import { idKey } from '../../contract/kinds.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { nameOf, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { pick } from '../output/fields.ts';
import type { HistoryLine } from './lines.ts';

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
  const resource = resourceNamed(row.resource);
  const changes = Object.entries(patch ?? row.body ?? {}).map(([field, value]) => ({
    field,
    before: before[field] ?? null,
    // Patches hold values that the contract allows.
    after: (value ?? null) as Value,
  }));
  return {
    at: head.ended ?? head.created,
    who: head.caller,
    what: operation,
    resource,
    id: result?.id ?? row.id ?? '',
    name: nameOf(resource, { ...before, ...patch, ...row.body }),
    // They hold values that the contract allows.
    owners: pick(
      { ...before, ...patch, ...row.body } as Row,
      ownersOf(resource).map(({ field }) => field),
    ),
    changes: changes.filter(({ field }) => field !== 'ID' && field !== 'SiteID'),
    job: head.id,
  };
}

/** What the history calls by the name of the operation; others change their record. */
const ORDINARY: readonly string[] = ['create', 'update', 'delete', 'undelete'];
const MADE = ['done', 'altered', 'undone'] as const;
/** A job has ended a moment after its last change. */
const MOMENT = 2_000;

/** A site may have many jobs, and the log shows what is new. */
const NEWEST_JOBS = 1_000;

/**
 * The lines with the jobs that made them, of the newest ones; of `all` with any. Of two jobs that changed a record at the same
 * time, the newer one is named. Damaged jobs are passed over.
 */
export async function withJobsOf(
  jobs: JobStore,
  lines: readonly HistoryLine[],
  all = false,
): Promise<readonly HistoryLine[]> {
  const times = lines.map(({ at }) => Date.parse(at));
  const first = times.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const last = times.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const made = new Map<string, JobHead[]>();
  const limit = all ? -1 : NEWEST_JOBS;
  for (const head of await jobs.heads(undefined, { limit, onDamaged: () => undefined })) {
    const [begin, end] = spanOf(head);
    if (begin > last || end < first) continue;
    for await (const row of jobs.rows(head.id, { states: MADE })) {
      const what = ORDINARY.includes(row.operation) ? row.operation : 'update';
      const key = keyOf(what, row.resource, row.result?.id ?? row.id ?? '');
      made.set(key, [...(made.get(key) ?? []), head]);
    }
  }
  return lines.map((line) => {
    const at = Date.parse(line.at);
    const found = made.get(keyOf(line.what, line.resource.name, line.id))?.find((head) => {
      const [begin, end] = spanOf(head);
      return head.caller === line.who && begin <= at && at <= end;
    });
    return found ? { ...line, job: found.id } : line;
  });
}

const spanOf = ({ created, ended }: JobHead): readonly [number, number] => [
  Date.parse(created),
  ended === undefined ? Number.POSITIVE_INFINITY : Date.parse(ended) + MOMENT,
];

const keyOf = (what: string, resource: string, id: string): string => `${what} ${resource} ${idKey(id)}`;

export const NO_HISTORY =
  'The service keeps no history that can be read: this is what pm itself did from this machine.';
