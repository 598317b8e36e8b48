// What must be true after each command: of the rows of jobs, and of the records that they are about.
import type { Session } from '../../../src/contract/call.ts';
import type { JobRow, JobStore } from '../../../src/contract/jobs.ts';
import type { Row } from '../../../src/contract/resource.ts';
import { AFTER, BEFORE, FOREIGN, type Known, recordsOf, type Subject } from './subjects.ts';
import type { Heads } from './table.ts';

/** Throws an error that names the row where something is lost, doubled, or not as the state of its row says. */
export async function checkAll(engine: Session, jobs: JobStore, all: Heads, known: readonly Known[]): Promise<void> {
  await checkUndoRows(jobs, all);
  const open = await openUndoRows(jobs, all);
  const { accountabilities, colors } = await recordsOf(engine);
  for (const job of known.filter(({ id, isRepeated }) => !isRepeated && all.some((head) => head.id === id))) {
    for await (const row of jobs.rows(job.id)) {
      const name = String(row.body?.Name ?? job.subjects.find(({ id }) => id === row.id)?.name);
      const subject = job.subjects.find((one) => one.name === name);
      const found = (row.resource === 'color' ? colors : accountabilities).get(name) ?? [];
      if (subject) checkRecord(job, row, subject, found, open.has(`${job.id} ${row.number}`));
    }
  }
}

/** A row of an undo is done exactly where the row that it takes back is undone. */
async function checkUndoRows(jobs: JobStore, heads: Heads): Promise<void> {
  const taken = new Map<string, number>();
  for (const undo of heads.filter(({ undoes }) => undoes !== undefined))
    for await (const { undoes, state } of jobs.rows(undo.id))
      if (state === 'done') taken.set(`${undo.undoes} ${undoes}`, (taken.get(`${undo.undoes} ${undoes}`) ?? 0) + 1);
  for (const { id } of heads)
    for await (const { number, state } of jobs.rows(id)) {
      const times = taken.get(`${id} ${number}`) ?? 0;
      if (times !== (state === 'undone' ? 1 : 0))
        throw new Error(`row ${number} of ${id} is ${state}, and taken back by ${times} rows`);
    }
}

const isUnknown = ({ state }: JobRow): boolean => state === 'intent' || state === 'unknown';

/** The rows of which it is not known whether an undo has taken them back. */
async function openUndoRows(jobs: JobStore, heads: Heads): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  for (const undo of heads.filter(({ undoes }) => undoes !== undefined))
    for await (const row of jobs.rows(undo.id)) if (isUnknown(row)) open.add(`${undo.undoes} ${row.undoes}`);
  return open;
}

/** The record is as the state of its row says: nothing is lost, and nothing is there twice. */
function checkRecord(
  { kind }: Known,
  row: JobRow,
  subject: Subject,
  found: readonly Row[],
  isBeingUndone: boolean,
): void {
  const live = found.filter(({ Deleted }) => Deleted !== true);
  const isOpen = isUnknown(row) || isBeingUndone;
  const isDone = row.state === 'done' || row.state === 'altered';
  const say = (what: string): never => {
    throw new Error(`row ${row.number} (${kind} ${subject.name}) is ${row.state}, and ${what}`);
  };
  if (live.length > 1) say(`the record is there ${live.length} times`);
  if (kind === 'update') {
    const value = String(live[0]?.Description);
    const fitting: readonly string[] = [
      ...(isDone || isOpen ? [AFTER] : []),
      ...(isDone && !isOpen ? [] : [BEFORE]),
      ...(subject.foreign ? [FOREIGN] : []),
    ];
    if (!fitting.includes(value)) say(`its value is ${value}`);
    return;
  }
  const isThere = live.length === 1;
  if (!isOpen && isThere !== (kind.startsWith('create') ? isDone : !isDone))
    say(isThere ? 'the record is there' : 'the record is missing');
}
