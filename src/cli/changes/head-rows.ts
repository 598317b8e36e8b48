// Jobs and their rows as printed records.
import { ownID } from '../../changes/run/id-map.ts';
import { isUndone } from '../../changes/run/job-state.ts';
import { date } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobRow } from '../../contract/jobs.ts';
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
const HEAD_COLUMNS = ['Job', 'Kind', 'Title', 'State', 'Created', 'Total', 'Done', 'Failed', 'UndoneBy'];

export const HEADS = shapeFrom('Job', HEAD_FIELDS, HEAD_COLUMNS);

/** `heads` are all jobs: an undo of this job may have been undone itself. */
export function headRow(head: JobHead, heads: readonly JobHead[]): Row {
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
    UndoneBy: isUndone(heads, head) ? shortID(head.undoneBy ?? '') : null,
    ID: head.id,
  };
}

const ROW_FIELDS = {
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

export async function* jobRows(job: JobSettings, rows: AsyncIterable<JobRow>, calling: Calling): AsyncGenerator<Row> {
  for await (const row of rows) {
    const isLeft = row.state !== 'done' && row.state !== 'pending';
    const { message, hint } = isLeft ? reasonOf(row, calling) : { message: null, hint: null };
    yield {
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
}
