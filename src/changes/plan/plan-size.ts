// The size of a plan, counted while its rows are read.
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { seenBy } from '../../text/batches.ts';
import { hasConsequences } from '../consequences/consequence.ts';
import { undoCautions } from './cautions.ts';
import { isFinalDeletion } from './change.ts';

export interface PlanSize {
  readonly verbs: ReadonlyMap<string, number>;
  readonly changes: number;
  readonly deletes: number;
  readonly deleted: ReadonlyMap<string, number>;
  /** Deletions without an undelete (D8). */
  readonly finals: number;
  /** Deletions and moves of records that others can belong to. */
  readonly affecting: number;
  /** What cannot be undone exactly, in sentences. */
  readonly cautions: readonly string[];
}

export type SizeMeter = ReturnType<typeof openSizeMeter>;

/** The size of a plan whose rows can be read again. */
export async function planSizeOf(rows: AsyncIterable<PlannedRow>): Promise<PlanSize> {
  const meter = openSizeMeter();
  for await (const _row of meter.through(rows));
  return meter.size;
}

/** Counts rows on their way to a job or a plan file. */
export function openSizeMeter() {
  const verbs = new Map<string, number>();
  const deleted = new Map<string, number>();
  const cautions = new Set<string>();
  let finals = 0;
  let affecting = 0;
  const add = (row: PlannedRow): void => {
    const resource = resourceNamed(row.resource);
    const verb = resource.operations[row.operation]?.verb ?? row.operation;
    verbs.set(verb, (verbs.get(verb) ?? 0) + 1);
    if (verb === 'delete') deleted.set(row.resource, (deleted.get(row.resource) ?? 0) + 1);
    if (isFinalDeletion(row)) finals++;
    if (hasConsequences(row)) affecting++;
    for (const caution of undoCautions(row)) cautions.add(caution);
  };
  return {
    count: (rows: readonly PlannedRow[]): void => rows.forEach(add),
    /** The same rows; each is counted when it is read. */
    through: (rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>) => seenBy(rows, add),
    get size(): PlanSize {
      const changes = [...verbs.values()].reduce((sum, some) => sum + some, 0);
      const deletes = verbs.get('delete') ?? 0;
      return { verbs, changes, deletes, deleted, finals, affecting, cautions: [...cautions] };
    },
  };
}
