// Jobs and their rows as records that are printed.
import { ownID } from '../../changes/run/id-map.ts';
import { isUndone } from '../../changes/run/job-state.ts';
import { date, integer, text } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, JobRow } from '../../contract/jobs.ts';
import type { Row } from '../../contract/resource.ts';
import type { Calling } from '../output/calling.ts';
import { STATE_COUNTS, whyLeft } from './failures.ts';
import { shortID } from './journal.ts';
import { fileOf, hasFiles, type OfJob } from './sources.ts';

const HEAD_FIELDS = {
  Job: text('read-only'),
  Kind: text('read-only'),
  Title: text('read-only'),
  State: text('read-only'),
  Created: date('read-only'),
  Ended: date('read-only'),
  Caller: text('read-only'),
  Profile: text('read-only'),
  Total: integer('read-only'),
  ...STATE_COUNTS,
  Undoes: text('read-only'),
  UndoneBy: text('read-only'),
  ID: text('read-only'),
};

export const HEADS = {
  fields: HEAD_FIELDS,
  type: 'Job',
  columns: ['Job', 'Kind', 'Title', 'State', 'Created', 'Total', 'Done', 'Failed', 'UndoneBy'],
};

/** `heads`: all there are, to tell whether an undo of this one was taken back in turn. */
export function headRow(head: JobHead, heads: readonly JobHead[]): Row {
  const { counts } = head;
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
    Done: counts.done ?? 0,
    Failed: counts.failed ?? 0,
    Unknown: (counts.unknown ?? 0) + (counts.intent ?? 0),
    Skipped: counts.skipped ?? 0,
    Drifted: counts.drifted ?? 0,
    Pending: counts.pending ?? 0,
    Undoes: head.undoes === undefined ? null : shortID(head.undoes),
    UndoneBy: isUndone(heads, head) ? shortID(head.undoneBy ?? '') : null,
    ID: head.id,
  };
}

const ROW_FIELDS = {
  Row: integer('read-only'),
  File: text('read-only'),
  Line: integer('read-only'),
  State: text('read-only'),
  Operation: text('read-only'),
  Resource: text('read-only'),
  ID: text('read-only'),
  Error: text('read-only'),
  Hint: text('read-only'),
};

/** The file is a column only where the job has several. */
export const rowsShape = (job: OfJob) => ({
  fields: ROW_FIELDS,
  type: 'JobRow',
  columns: Object.keys(ROW_FIELDS).filter((name) => name !== 'File' || hasFiles(job)),
});

export async function* jobRows(job: OfJob, rows: AsyncIterable<JobRow>, calling: Calling): AsyncGenerator<Row> {
  for await (const row of rows) {
    const isLeft = row.state !== 'done' && row.state !== 'pending';
    const { message, hint } = isLeft ? whyLeft(row, calling) : { message: null, hint: null };
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
