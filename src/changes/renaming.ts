// On a service that gives IDs of its own, rows that name a record of the same job by its planned ID mean the one it got.
import type { JobStore, PlannedRow } from '../contract/jobs.ts';

/** Planned IDs in lower case, each with the service's own. */
export type Renamed = Map<string, string>;

/** What earlier runs of the job have learned. */
export async function renamedIn(jobs: JobStore, job: string): Promise<Renamed> {
  const renamed: Renamed = new Map();
  for await (const { id, result } of jobs.rows(job, { states: ['done'] }))
    if (id !== undefined && result?.id !== undefined) renamed.set(id.toLowerCase(), result.id);
  return renamed;
}

/** The row with the service's own IDs in it; that of a new record stays, since it is not the service's yet. */
export function rename(row: PlannedRow, renamed: Renamed, isNew: boolean): PlannedRow {
  if (renamed.size === 0) return row;
  const own = (value: unknown): unknown =>
    typeof value === 'string' ? (renamed.get(value.toLowerCase()) ?? value) : value;
  const all = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, own(value)]));
  return {
    ...row,
    ...(row.id === undefined || isNew ? {} : { id: String(own(row.id)) }),
    ...(row.params ? { params: all(row.params) as Record<string, string> } : {}),
    ...(row.body ? { body: all(row.body) } : {}),
    ...(row.patch ? { patch: all(row.patch) } : {}),
  };
}
