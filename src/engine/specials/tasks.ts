// Completes tasks, creates one for each individual, and reports those of projects.
import type { Input } from '../../contract/call.ts';
import { invalid } from '../../contract/errors.ts';
import { guidsIn } from '../../contract/kinds.ts';
import { type Row, type Value, valuesOf } from '../../contract/resource.ts';
import { validate } from '../../contract/validate.ts';
import { type Context, findIn, type Writing } from '../context.ts';
import { answer } from '../records/answer.ts';
import { bodyAt } from '../records/bodies.ts';
import { projectOf } from '../records/computed.ts';
import { replace } from '../records/history.ts';
import { today } from '../records/periods.ts';
import { recordOf } from '../records/read-record.ts';
import { createRecord, recordToChange } from '../records/verbs.ts';
import { visibleRows } from '../rights/check.ts';
import type { Target } from '../target.ts';

/** Completes a task today, in the zone of `tz`; a completed one becomes open again. */
export async function toggleCompleted(writing: Writing, target: Target, input: Input): Promise<Row> {
  const { resource } = target;
  const row = await recordToChange(writing, target, input, 'update');
  await replace(writing, resource, row, { EndDateActual: row.EndDateActual ? null : today(writing) });
  return answer(writing, resource, await recordOf(writing, target));
}

/** Creates a task for each responsible individual, in the order of the body. Throws `invalid` where there are none. */
export async function createSeparate(writing: Writing, target: Target, input: Input): Promise<readonly Row[]> {
  const { resource } = target;
  const body = bodyAt(target, input.body ?? {}, WHAT);
  const { values } = validate({ fields: resource.fields, what: WHAT, open: true }, body, 'create', writing.zone);
  if (typeof values.ID === 'string') throw invalid(WHAT, [NO_ID]);
  const all = guidsIn(values.Responsible);
  if (all.length === 0) throw invalid(WHAT, [NO_RESPONSIBLE]);
  const alike = Object.fromEntries(Object.entries(body).filter(([name]) => name.toLowerCase() !== 'responsible'));
  const made: Row[] = [];
  for (const one of all)
    made.push(await answer(writing, resource, await createRecord(writing, resource, { ...alike, Responsible: [one] })));
  return made;
}

const WHAT = 'the new task';
const NO_ID = {
  field: 'ID',
  code: 'taken',
  message: 'cannot be set: several tasks are made',
  hint: 'Leave it out.',
} as const;
const NO_RESPONSIBLE = {
  field: 'Responsible',
  code: 'required',
  message: 'names nobody',
  hint: 'Name those who are to do it; each gets a task.',
} as const;

/** The tasks of projects, filtered by whether the project is done and whether it has ended. */
export async function simpleTasks(context: Context, target: Target): Promise<readonly Row[]> {
  const done = await lastStatus(context);
  const { iscompletedstatus, isenddateactualset } = target.query;
  const rows: Row[] = [];
  for await (const row of visibleRows(context, { resource: 'task', deleted: 0, ordered: true })) {
    const project = await projectOf(row, context);
    if (!project) continue;
    if (iscompletedstatus !== undefined && iscompletedstatus !== (done !== null && project.StatusID === done)) continue;
    if (isenddateactualset !== undefined && isenddateactualset !== (project.EndDateActual !== null)) continue;
    rows.push(simpleTask(await answer(context, target.resource, row, 'list')));
  }
  return rows;
}

/** The status of completed projects: the last one of the site. */
async function lastStatus(context: Context): Promise<Value> {
  const all = await findIn(context, 'status', { deleted: 2, ordered: true });
  return all.at(-1)?.ID ?? null;
}

const simpleTask = (task: Row): Row => ({
  ...valuesOf(task, COPIED),
  EndDate: task.EndDateActual ?? task.EndDateProjected ?? null,
  StartDate: task.StartDateActual ?? task.StartDateProjected ?? null,
  ColorName: task.Color ?? null,
  MileStone: task.Milestone ?? null,
});

const COPIED = [
  ...['ID', 'AncestorID', 'ParentID', 'Name', 'Priority', 'Rank', 'RankPath', 'RankOrder', 'DisplayRank'],
  ...['HoursActual', 'StartDateActual', 'EndDateActual', 'SumHoursActual', 'SumHoursProjected', 'Description', 'Level'],
  ...['EndDateProjected', 'StartDateProjected'],
];
