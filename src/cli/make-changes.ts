// The way of every command that changes something: checked, announced, rehearsed or made, and printed.
import { cautionsOf } from '../changes/cautions.ts';
import { type Change, rehearse } from '../changes/change.ts';
import { draftOf, planner } from '../changes/planning.ts';
import type { Session } from '../contract/call.ts';
import type { Resource } from '../contract/resource.ts';
import { announce, checkNamed } from './announce.ts';
import { noteUndo, runChanges } from './change-job.ts';
import { checkBudget } from './confirm.ts';
import { type Context, rowsOf } from './context.ts';
import { printPlan } from './plan-output.ts';
import { reportFailures } from './several.ts';
import { shapeOf } from './shape.ts';

/** Opens the session, once it is certain that this may be changed and the answer can be printed as asked. */
export async function beginChange(context: Context, resource: Resource): Promise<Session> {
  checkNamed(context);
  await context.checkPrint(shapeOf(resource));
  return context.session();
}

interface Manner {
  /** One object is printed instead of a list. */
  readonly one: boolean;
  /** Asks before anything is changed; throws where it is not agreed. */
  confirm?(): Promise<void>;
}

/** Makes the changes as one job and prints what came of them. Answers the exit code. */
export async function makeChanges(
  context: Context,
  session: Session,
  changes: readonly Change[],
  manner: Manner,
): Promise<number> {
  announce(context, session, changes);
  warn(context, changes);
  if (context.settings.dryRun) return printPlan(context, await rehearse(session, changes));
  if (manner.confirm) await manner.confirm();
  else checkBudget(context, changes);
  const made = await runChanges(context, session, changes);
  noteUndo(context, made);
  const { rows, failures } = made;
  const [first] = changes;
  if (first) await context.print({ shape: shapeOf(first.resource), rows: rowsOf(rows), one: manner.one });
  return reportFailures(context, failures, changes.length);
}

/** Says what an undo will not bring back; of a final deletion the question and the help say it. */
function warn(context: Context, changes: readonly Change[]): void {
  const { plan } = planner(() => '');
  const rows = changes
    .filter(({ operation }) => operation.verb !== 'delete')
    .flatMap((one) => plan(draftOf(one)) ?? []);
  for (const line of cautionsOf(rows)) context.note(line);
}
