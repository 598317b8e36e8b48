// Rows that name a new record of the same job by its planned ID mean the one that the service gave it.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobStore, PlannedRow } from '../../contract/jobs.ts';
import { guidsIn, isGuid } from '../../contract/kinds.ts';

/** Planned IDs in lower case, each with the service's own. */
export type Renamed = Map<string, string>;

/** Adds what earlier runs of the job have learned. */
export async function learnRenamed(renamed: Renamed, jobs: JobStore, job: string): Promise<Renamed> {
  for await (const { id, result } of jobs.rows(job, { states: ['done'] }))
    if (id !== undefined && result?.id !== undefined) renamed.set(id.toLowerCase(), result.id);
  return renamed;
}

/** The ID by which the service knows the record of a row: a new one that it will number has none yet. */
export const ownID = ({ resource, id }: PlannedRow): string | undefined =>
  id !== undefined && isGuid(id) && resourceNamed(resource).id === 'integer' ? undefined : id;

/** The row with the service's own IDs in it; that of a new record stays, since it is not the service's yet. */
export function rename<T extends PlannedRow>(row: T, renamed: Renamed, isNew: boolean): T {
  if (renamed.size === 0) return row;
  const { fields } = resourceNamed(row.resource);
  const own = (id: string): string => renamed.get(id.toLowerCase()) ?? id;
  const meant = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => meant(name, one));
    if (typeof value !== 'string') return value;
    const { kind } = fields[name] ?? {};
    if (kind === 'guids') return guidsIn(value).map(String).map(own).join(' ');
    return kind === 'integer' && own(value) !== value ? Number(own(value)) : own(value);
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

/**
 * The row, which is renamed, with what it awaits: numbers, and the UserIDs of individuals that are there by now. What is not
 * there is still awaited.
 */
export async function withAwaited<T extends PlannedRow>(session: Session, row: T): Promise<T> {
  if (!row.awaits) return row;
  const { fields } = resourceNamed(row.resource);
  const sent: Readonly<Record<string, unknown>> = { ...row.body, ...row.patch };
  const known: Record<string, unknown> = {};
  for (const name of row.awaits) {
    if (fields[name]?.kind !== 'integer')
      known[name] = (await session.find.record('individual', { id: String(sent[name]) })).row?.UserID;
    else if (typeof sent[name] === 'number') known[name] = sent[name];
  }
  const ready = withValues(row, (values) => Object.entries({ ...values, ...known }));
  return { ...ready, awaits: row.awaits.filter((name) => known[name] === undefined) };
}

/** Throws `conflict` where the row names a record that an earlier one was to make, and has not made. */
export function checkAwaited({ resource, awaits: [name] = [] }: PlannedRow): void {
  if (name === undefined) return;
  const { to = [] } = resourceNamed(resource).fields[name] ?? {};
  throw new ServiceError(
    'conflict',
    `${name} names a new ${to[0] === 'principal' ? 'individual' : to[0]} that was not made`,
    {
      hint: 'Mend the row that makes it first, then try this one again.',
    },
  );
}

/** The row with the service's own IDs in it, without what stands in no journal: the UserIDs of individuals. */
export function asSent<T extends PlannedRow>(row: T, renamed: Renamed): T {
  const sent = rename(row, renamed, false);
  const { fields } = resourceNamed(row.resource);
  const isKnown = (name: string): boolean => fields[name]?.kind === 'integer' || !row.awaits?.includes(name);
  return row.awaits ? withValues(sent, (values) => Object.entries(values).filter(([name]) => isKnown(name))) : sent;
}

type Values = Readonly<Record<string, unknown>>;

/** The values that it sends are in its patch, or in its body. */
function withValues<T extends PlannedRow>(row: T, to: (values: Values) => readonly (readonly [string, unknown])[]): T {
  if (row.patch) return { ...row, patch: Object.fromEntries(to(row.patch)) };
  return row.body ? { ...row, body: Object.fromEntries(to(row.body)) } : row;
}
