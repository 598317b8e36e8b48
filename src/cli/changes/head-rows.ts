// Jobs and their rows as printed records.
import { ownID } from '../../changes/run/id-map.ts';
import { date } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobRow, RowState } from '../../contract/jobs.ts';
import type { Row } from '../../contract/resource.ts';
import type { Calling } from '../output/calling.ts';
import type { Shape } from '../output/index.ts';
import { integers, shapeFrom, texts } from '../output/shape.ts';
import { reasonOf, STATE_COUNTS, stateCounts } from './failures.ts';
import { shortID } from './journal.ts';
import { fileOf, hasFiles, type JobSettings } from './sources.ts';

const HEAD_FIELDS = {
  ...texts('Job', 'Kind', 'Title', 'State'),
  Created: date('read-only'),
  Ended: date('read-only'),
  ...texts('Caller', 'Profile'),
  ...integers('Total'),
  ...STATE_COUNTS,
  ...texts('Undoes', 'UndoneBy', 'ID'),
};
const HEAD_COLUMNS = ['Job', 'Kind', 'Title', 'State', 'Created', 'Total', 'Done', 'Failed', 'Undone'];

export const HEADS = shapeFrom('Job', HEAD_FIELDS, HEAD_COLUMNS);

export function headRow(head: JobHead): Row {
  return {
    Job: shortID(head.id),
    Kind: head.kind,
    Title: head.title,
    State: head.state,
    Created: head.created,
    Ended: head.ended ?? null,
    Caller: head.caller,
    Profile: head.profile,
    Total: head.total,
    ...stateCounts(head.counts),
    Undoes: head.undoes === undefined ? null : shortID(head.undoes),
    UndoneBy: head.undoneBy === undefined ? null : shortID(head.undoneBy),
    ID: head.id,
  };
}

/** The columns of a row of a job. */
export const ROW_FIELDS = {
  ...integers('Row'),
  ...texts('File'),
  ...integers('Line'),
  ...texts('State', 'Operation', 'Resource', 'ID', 'Error', 'Hint'),
};

/** The file is a column only if the job has several. */
export const rowsShape = (job: JobSettings): Shape =>
  shapeFrom(
    'JobRow',
    ROW_FIELDS,
    Object.keys(ROW_FIELDS).filter((name) => name !== 'File' || hasFiles(job)),
  );

/** States that need no reason. */
const FINE: readonly RowState[] = ['done', 'pending', 'undone'];

export function jobRow(job: JobSettings, row: JobRow, calling: Calling): Row {
  const { message, hint } = FINE.includes(row.state) ? { message: null, hint: null } : reasonOf(row, calling);
  return {
    Row: row.number,
    File: fileOf(job, row) ?? null,
    Line: row.line ?? null,
    State: row.state,
    Operation: row.operation,
    Resource: resourceNamed(row.resource).command,
    ID: row.result?.id ?? ownID(row) ?? null,
    Error: message,
    Hint: hint || null,
  };
}

export async function* jobRows(job: JobSettings, rows: AsyncIterable<JobRow>, calling: Calling): AsyncGenerator<Row> {
  for await (const row of rows) yield jobRow(job, row, calling);
}
