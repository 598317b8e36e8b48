// The way of every command that changes something: checked, announced, rehearsed or made, and printed.
import { type Change, make, rehearse } from '../changes/change.ts';
import type { Session } from '../contract/call.ts';
import type { Resource, Row } from '../contract/resource.ts';
import { announce, checkNamed } from './announce.ts';
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

/** Makes the changes one by one and prints what came of them. Answers the exit code. */
export async function makeChanges(
  context: Context,
  session: Session,
  changes: readonly Change[],
  manner: Manner,
): Promise<number> {
  announce(context, session, changes);
  if (context.settings.dryRun) return printPlan(context, await rehearse(session, changes));
  if (manner.confirm) await manner.confirm();
  else checkBudget(context, changes);
  const { rows, failures } = await makeEach(context, session, changes);
  const [first] = changes;
  if (first) await context.print({ shape: shapeOf(first.resource), rows: rowsOf(rows), one: manner.one });
  return reportFailures(context, failures, changes.length);
}

/** A change that fails does not stop the others; a single one fails as a whole. */
async function makeEach(
  context: Context,
  session: Session,
  changes: readonly Change[],
): Promise<{ rows: readonly Row[]; failures: readonly unknown[] }> {
  const rows: Row[] = [];
  const failures: unknown[] = [];
  for (const change of changes) {
    try {
      const { after, others, ignored } = await make(session, change);
      for (const name of ignored) context.note(`The server ignored ${name}.`);
      rows.push(after, ...others);
    } catch (error) {
      if (changes.length === 1) throw error;
      failures.push(error);
    }
  }
  return { rows, failures };
}
