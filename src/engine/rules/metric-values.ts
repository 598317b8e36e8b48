// The values that an archive keeps stay as they were taken (D29).
import { ServiceError } from '../../contract/errors.ts';
import type { Change } from '../context.ts';
import type { Stored } from '../store/port.ts';
import type { Rules } from './rule.ts';

export const metricValueRules: Rules = {
  prepare({ change, before }) {
    if (before) staysAsTaken(change, before);
  },
  deleting: staysAsTaken,
};

function staysAsTaken(_change: Change, { ID, ArchiveID, MetricID }: Stored): void {
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
