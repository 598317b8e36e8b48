// pm permissions set: a right in words.
import { type Change, changeBy } from '../../changes/plan/change.ts';
import { undoJob } from '../../changes/undo.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import type { JobHead } from '../../contract/jobs.ts';
import type { Row } from '../../contract/resource.ts';
import { STATES } from '../../contract/resources/permissions.ts';
import { newJob, shortID } from '../changes/journal.ts';
import { beginChange, noteUndo, runChanges } from '../changes/make-changes.ts';
import { runOptions } from '../changes/running.ts';
import type { Context } from '../context.ts';
import { kindFlag } from '../names.ts';
import { shapeOf } from '../output/result.ts';
import {
  bodyOf,
  engineNumber,
  type Grant,
  type PermissionChange,
  permissionRow,
  permissionRows,
  readGrant,
  textField,
} from '../rights/grant.ts';
import { keepNumbers, knownNumbers, numbersIn } from '../selectors/state-numbers.ts';

const { permission } = contract;

/** The arguments, and the options. */
type Said = readonly [
  who: string,
  state: string,
  actions: string,
  what: Grant['what'],
  { readonly childType?: string },
];

export async function set(context: Context, ...[who, state, actions, what, { childType }]: Said): Promise<number> {
  const session = await beginChange(context, shapeOf(permission));
  const wanted = await readGrant(session, { who, state, actions, what, child: childType });
  const there = await permissionRow(session, wanted);
  if (!there && wanted.word === STATES[0]) {
    context.note('Nothing is set there.');
    return 0;
  }
  const numberOf = session.local ? engineNumber : await numbersOfService(context, wanted);
  const change = changeOf(wanted, there, bodyOf(wanted, there, numberOf));
  const made = await runChanges(context, [change]).catch(async (error: unknown) => {
    const job = await alteredJob(context, error);
    const after = job && (await permissionRow(session, wanted));
    if (after) await checkAnswer(context, wanted, after, job);
    throw error;
  });
  if (context.settings.dryRun) return 0;
  for (const after of made.rows) await checkAnswer(context, wanted, after, made.job);
  noteUndo(context, made);
  return context.print({ shape: shapeOf(permission), rows: made.rows, one: true });
}

/** The job of a change that the service made otherwise than wanted. */
async function alteredJob(context: Context, error: unknown): Promise<JobHead | undefined> {
  const next = error instanceof ServiceError && error.code === 'altered' ? error.next : undefined;
  return next?.do === 'take-back-job' ? (await context.jobs()).head(next.job) : undefined;
}

function changeOf(wanted: PermissionChange, there: Row | undefined, body: Record<string, unknown>): Change {
  const { create, update } = permission.operations;
  if (!there) return changeBy(create, { by: 'plain', body });
  const id = String(there.ID);
  const place = { RowID: wanted.RowID, ChildType: wanted.ChildType };
  return changeBy(update, { by: 'plain', params: { id } }, { id, patch: { ID: there.ID, ...body }, place });
}

/** Learns the numbers of a remote service: from its profile, from rows of the site, and from rows of the object (D18). */
async function numbersOfService(
  context: Context,
  { kind, RowID, ChildType, word }: PermissionChange,
): Promise<(word: string) => number> {
  const session = await context.session();
  const known = await knownNumbers(context, session);
  const isLearned = known.has(word) && known.has(STATES[0]);
  const rows = isLearned ? [] : await permissionRows(session, kind, RowID, ChildType);
  const itself = isLearned || ChildType === null ? [] : await permissionRows(session, kind, RowID, null);
  const numbers = new Map([...numbersIn([...itself, ...rows]), ...known]);
  await keepNumbers(context, numbers);
  return (asked) => {
    const needed = numbers.has(word) ? asked : word;
    const number = numbers.get(needed);
    if (number !== undefined) return number;
    const { profile } = context.settings;
    const look = `pm permissions list --${kindFlag(kind)} ${RowID} -o json -p ${profile}`;
    throw new ServiceError('usage', `pm does not know which number this service has for ${needed}`, {
      hint: `${look} shows the permissions there. Once you know it: pm profiles add ${profile} --state "${needed}=<number>"`,
    });
  };
}

/** Checks that the answer has the requested states; otherwise restores the row (D18). */
async function checkAnswer(
  context: Context,
  { actions, word }: PermissionChange,
  after: Row,
  job: JobHead | undefined,
): Promise<void> {
  const wrong = actions.find((action) => after[textField(action)] !== word);
  if (wrong === undefined) return;
  const isBack = job === undefined || (await restore(context, job));
  const said = `the service made "${String(after[textField(wrong)] ?? '')}" of ${word} for ${wrong}`;
  const row = `the row ${String(after.ID)}`;
  throw new ServiceError(
    'conflict',
    `${said}; ${isBack ? `${row} is as it was before` : `${row} could not be put back`}`,
    {
      hint: 'pm permissions update sets the numbers themselves.',
    },
  );
}

/** The row differs from the one that was sent, so drift must be overwritten. */
async function restore(context: Context, job: JobHead): Promise<boolean> {
  const session = await context.session();
  const title = `undo of ${shortID(job.id)}: ${job.title}`;
  const undo = newJob(context, session, { kind: 'undo', title }, { onDrift: 'overwrite' });
  const how = runOptions(context, {});
  const { job: undone, counts } = await undoJob(session, await context.jobs(), job.id, undo, how);
  return counts.done === undone.total || undone.total === 0;
}
