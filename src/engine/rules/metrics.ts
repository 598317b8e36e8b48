// Metrics stand in a tree of their own; the values that an archive keeps stay as they were taken (D29).
import { type Fault, ServiceError } from '../../contract/errors.ts';
import type { Change } from '../context.ts';
import { placeOf, updateSubtree } from '../records/tree.ts';
import type { Stored } from '../store/port.ts';
import { fillAncestorType } from './attached.ts';
import { parentLoop } from './no-loops.ts';
import { changes, member, type Rules } from './rule.ts';

export const metricRules: Rules = {
  async prepare(writing) {
    await fillAncestorType(writing);
    const { values, before, change } = writing;
    const parent = await change.lookup('metric', member(writing, 'ParentID'));
    const { Level, TreeKey } = placeOf({ ...before, ...values }, parent);
    Object.assign(values, { Level, TreeKey });
  },
  async check(writing): Promise<readonly Fault[]> {
    return changes(writing, 'ParentID') ? parentLoop(writing, 'metric') : [];
  },
  async follow({ change, resource, values, before }) {
    if (before && values.TreeKey !== undefined) await updateSubtree(change, resource, { ...before, ...values });
  },
};

export const metricValueRules: Rules = {
  prepare({ change, before }) {
    if (before) refuseArchived(change, before);
  },
  deleting: refuseArchived,
};

function refuseArchived(_change: Change, { ID, ArchiveID, MetricID }: Stored): void {
  if (ArchiveID === null || ArchiveID === undefined) return;
  throw new ServiceError(
    'conflict',
    `the value ${String(ID)} is kept by the archive ${String(ArchiveID)}, which does not change`,
    {
      hint: 'Change the current value.',
      next: { do: 'list', resource: 'metricValue', within: { resource: 'metric', id: String(MetricID) } },
    },
  );
}
