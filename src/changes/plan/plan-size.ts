// How much a plan is, gathered while its rows go by.

import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { isSoft } from '../../contract/resource.ts';
import { openCautions } from './cautions.ts';

export interface Extent {
  /** How many changes there are of each verb. */
  readonly verbs: ReadonlyMap<string, number>;
  readonly changes: number;
  readonly deletes: number;
  /** Deletions that nothing brings back (D8). */
  readonly finals: number;
  /** What cannot be undone exactly, in sentences. */
  readonly cautions: readonly string[];
}

export interface Gauge {
  /** Hands the rows on, and counts them. */
  through(rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>): AsyncGenerator<PlannedRow>;
  readonly extent: Extent;
}

/** Of rows that are planned already. */
export async function extentOf(rows: AsyncIterable<PlannedRow>): Promise<Extent> {
  const gauge = openGauge();
  for await (const _row of gauge.through(rows));
  return gauge.extent;
}

export function openGauge(): Gauge {
  const verbs = new Map<string, number>();
  const cautions = openCautions();
  const counted = { changes: 0, deletes: 0, finals: 0 };
  const note = (row: PlannedRow): void => {
    const resource = resourceNamed(row.resource);
    const verb = resource.operations[row.operation]?.verb ?? row.operation;
    verbs.set(verb, (verbs.get(verb) ?? 0) + 1);
    counted.changes++;
    if (verb === 'delete') counted.deletes++;
    if (verb === 'delete' && !isSoft(resource)) counted.finals++;
    cautions.note(row);
  };
  return {
    async *through(rows) {
      for await (const row of rows) {
        note(row);
        yield row;
      }
    },
    get extent() {
      return { verbs, ...counted, cautions: cautions.lines };
    },
  };
}
