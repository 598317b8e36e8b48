// Replaces the planned IDs of new records by the IDs that the service gave them.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobStore, PlannedRow } from '../../contract/jobs.ts';
import { guidsIn, isGuid } from '../../contract/kinds.ts';

/** The service's IDs by planned ID in lower case. */
export type IdMap = Map<string, string>;

/** Adds the IDs that earlier runs of the job have learned. */
export async function loadIdMap(renamed: IdMap, jobs: JobStore, job: string): Promise<IdMap> {
  for await (const { id, result } of jobs.rows(job, { states: ['done'] }))
    if (id !== undefined && result?.id !== undefined) renamed.set(id.toLowerCase(), result.id);
  return renamed;
}

/** The ID by which the service knows the record; undefined for a new one that it will number. */
export const ownID = ({ resource, id }: PlannedRow): string | undefined =>
  id !== undefined && isGuid(id) && resourceNamed(resource).id === 'integer' ? undefined : id;

/** The row with the service's IDs; a new record keeps its planned ID. */
export function mapIDs<T extends PlannedRow>(row: T, renamed: IdMap, isNew: boolean): T {
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
  const { id, params, body, patch } = row;
  return {
    ...row,
    ...(id !== undefined && !isNew && { id: own(id) }),
    ...(params && { params: all(params) as Record<string, string> }),
    ...(body && { body: all(body) }),
    ...(patch && { patch: all(patch) }),
  };
}

/**
 * Fills the awaited members of a row whose IDs are mapped: numbers, and the UserIDs of individuals that exist by now. The
 * others stay in `awaits`.
 */
export async function resolveAwaited<T extends PlannedRow>(session: Session, row: T): Promise<T> {
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

/** Throws `conflict` where a member still awaits a record that an earlier row did not make. */
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

/** The row as it was sent, but for the UserIDs of new individuals, which no journal holds. */
export function asApplied<T extends PlannedRow>(row: T, renamed: IdMap): T {
  const sent = mapIDs(row, renamed, false);
  const { fields } = resourceNamed(row.resource);
  const isKnown = (name: string): boolean => fields[name]?.kind === 'integer' || !row.awaits?.includes(name);
  return row.awaits ? withValues(sent, (values) => Object.entries(values).filter(([name]) => isKnown(name))) : sent;
}

type Values = Readonly<Record<string, unknown>>;

/** Replaces the values that the row sends: its patch, or its body. */
function withValues<T extends PlannedRow>(row: T, to: (values: Values) => readonly (readonly [string, unknown])[]): T {
  if (row.patch) return { ...row, patch: Object.fromEntries(to(row.patch)) };
  return row.body ? { ...row, body: Object.fromEntries(to(row.body)) } : row;
}
