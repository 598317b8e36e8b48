// What the jobs of pm changed: the history of a service that keeps none that can be read.
import type { Session } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobRow, JobStore } from '../../contract/jobs.ts';
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

export const NO_HISTORY =
  'The service keeps no history that can be read: this is what pm itself did from this machine.';
