// Archives (D29): the service only reads them, the owner of the database takes them.
import type { Input } from '../../contract/call.ts';
import { invalid } from '../../contract/errors.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { findIn, type Writing } from '../context.ts';
import { answer } from '../records/answer.ts';
import { insert } from '../records/history.ts';
import { readable } from '../records/read-record.ts';
import { type FoundRecord, findByID } from '../records/record-names.ts';
import { checkRight, mayRead } from '../rights/check.ts';
import type { Stored } from '../store/port.ts';
import { bodyOf, type Target } from '../target.ts';

const WHAT = 'the new archive';
/** Each kind of item names its owner by this field. */
const BELONGS: Readonly<Partial<Record<ResourceName, string>>> = {
  metric: 'AncestorID',
  project: 'AncestorID',
  organization: 'ParentID',
  individual: 'PrimaryOrganizationID',
};

/**
 * Archives the item's name, its owner, and its current values or those of its metrics. Needs the right to
 * change the item. Throws `invalid`, `deleted`, `forbidden`.
 */
export async function takeArchive(writing: Writing, target: Target, input: Input): Promise<Row> {
  const { Item = null, Name = null, Comment = null } = bodyOf(target, input, WHAT);
  const item = await itemOf(writing, Item);
  await readable(writing, { resource: item.resource, id: String(item.row.ID) }, 0);
  await checkRight(writing, 'update', resourceNamed(item.resource), item.row);
  const values = { ...(await imageOf(writing, item)), ArchiveName: Name, ArchiveComment: Comment };
  const archive = await insert(writing, target.resource, { values });
  for (const metric of await metricsOf(writing, item)) await copyValues(writing, metric, archive);
  return answer(writing, target.resource, archive);
}

async function itemOf(writing: Writing, id: Value): Promise<FoundRecord> {
  const found = await findByID(writing, id);
  const isItem = found && BELONGS[found.resource] !== undefined;
  if (isItem && (await mayRead(writing, resourceNamed(found.resource), found.row))) return found;
  const message = `names ${String(id)}, and this site has no such metric, project, individual or organization`;
  throw invalid(WHAT, [{ field: 'Item', code: 'reference', message }]);
}

async function imageOf(
  writing: Writing,
  { resource, row, rowType, name }: FoundRecord,
): Promise<Record<string, Value>> {
  const ID = writing.newID();
  const owner = await findByID(writing, row[BELONGS[resource] ?? ''] ?? null);
  return {
    ID,
    ArchiveID: ID,
    ItemID: String(row.ID),
    Name: name,
    RowType: rowType,
    AncestorID: owner?.row.ID ?? null,
    AncestorName: owner?.name ?? null,
    AncestorType: owner?.rowType ?? null,
    ArchiveDate: writing.now,
    ArchivedBy: writing.caller.id,
  };
}

/** The item itself where it is a metric, else the metrics that it directly owns. */
async function metricsOf(writing: Writing, { resource, row }: FoundRecord): Promise<readonly Stored[]> {
  if (resource === 'metric') return [row];
  return findIn(writing, 'metric', { equals: { AncestorID: String(row.ID) }, ordered: true });
}

async function copyValues(writing: Writing, metric: Stored, archive: Row): Promise<void> {
  const current = await findIn(writing, 'metricValue', {
    equals: { MetricID: String(metric.ID), ArchiveID: null },
    ordered: true,
  });
  for (const { MetricID = null, Date: date = null, Value: value = null } of current) {
    const values = { ID: writing.newID(), MetricID, Date: date, Value: value, ArchiveID: archive.ID ?? null };
    await insert(writing, resourceNamed('metricValue'), { values });
  }
}
