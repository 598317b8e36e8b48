// Metrics form a tree; the values in an archive do not change (D29).
import { ServiceError } from '../../contract/errors.ts';
import type { Change } from '../context.ts';
import type { Stored } from '../store/port.ts';
import { fillAncestorType } from './attached.ts';
import { placeAfter, treeRules } from './no-loops.ts';
import type { Rules } from './rule.ts';

export const metricRules: Rules = {
  ...treeRules,
  async prepare(writing) {
    await fillAncestorType(writing);
    const { Level, TreeKey } = await placeAfter(writing);
    Object.assign(writing.values, { Level, TreeKey });
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
