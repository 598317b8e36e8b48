// On a service that gives IDs of its own, rows that name a record of the same job by its planned ID mean the one it got.
import { resourceNamed } from '../contract/index.ts';
import type { JobStore, PlannedRow } from '../contract/jobs.ts';
import { guidsIn } from '../contract/kinds.ts';

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
export function rename<T extends PlannedRow>(row: T, renamed: Renamed, isNew: boolean): T {
  if (renamed.size === 0) return row;
  const { fields } = resourceNamed(row.resource);
  const own = (id: string): string => renamed.get(id.toLowerCase()) ?? id;
  const meant = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => meant(name, one));
    if (typeof value !== 'string') return value;
    return fields[name]?.kind === 'guids' ? guidsIn(value).map(String).map(own).join(' ') : own(value);
  };
  const all = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, meant(name, value)]));
  return {
    ...row,
    ...(row.id === undefined || isNew ? {} : { id: own(row.id) }),
    ...(row.params ? { params: all(row.params) as Record<string, string> } : {}),
    ...(row.body ? { body: all(row.body) } : {}),
    ...(row.patch ? { patch: all(row.patch) } : {}),
  };
}
