// The way of every command that changes named records: checked, announced, rehearsed or made as one job, and printed.
import { carry, type People } from '../../changes/carry.ts';
import { cautionsOf } from '../../changes/plan/cautions.ts';
import type { Change } from '../../changes/plan/change.ts';
import { planner } from '../../changes/plan/planner.ts';
import type { Session } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { NewJob } from '../../contract/jobs.ts';
import type { Resource } from '../../contract/resource.ts';
import { type Context, rowsOf } from '../context.ts';
import { kebab } from '../names.ts';
import type { Shape } from '../output/index.ts';
import { shapeOf } from '../output/shape.ts';
import { announceCounts, checkNamed } from './announce.ts';
import { newJob } from './bulk.ts';
import { type ChangesMade, gather, noteUndo } from './changes-made.ts';
import { agree, deletionsIn } from './confirm.ts';
import { orderedIDs } from './new-id.ts';
import { plannedShape } from './planned-changes.ts';
import { runOptions } from './running.ts';
import { reportFailures } from './several.ts';

/** Opens the session, once it is certain that this may be changed and the answer can be printed as asked. */
export async function beginChange(context: Context, shape: Shape): Promise<Session> {
  checkNamed(context);
  await context.checkPrint(context.settings.dryRun ? plannedShape(['File', 'Line']) : shape);
  return context.session();
}

interface Manner {
  /** One object is printed instead of a list. */
  readonly one: boolean;
  /** stdin holds IDs, so nothing can be asked there. */
  readonly stdinUsed?: boolean;
}

/** Makes the changes of one resource as one job and prints what came of them. Answers the exit code. */
export async function makeChanges(
  context: Context,
  session: Session,
  resource: Resource,
  changes: readonly Change[],
  manner: Manner,
): Promise<number> {
  const made = await carryOut(context, session, changes, manner);
  if (!made.isRehearsed) {
    noteUndo(context, made);
    await context.print({ shape: shapeOf(resource), rows: rowsOf(made.rows), one: manner.one });
  }
  return reportFailures(context, made.failures, changes.length);
}

/**
 * Makes the changes as one job, each for itself: one that fails does not stop the others. A single one that fails is
 * thrown, and leaves no job behind on the embedded engine. A dry run prints what they would do.
 */
export async function carryOut(
  context: Context,
  session: Session,
  changes: readonly Change[],
  { stdinUsed = false }: Pick<Manner, 'stdinUsed'> = {},
): Promise<ChangesMade> {
  const { plan, secrets } = planner(orderedIDs(() => context.io.now().getTime()));
  const rows = changes.flatMap((change) => plan(change) ?? []);
  const gathered = gather(context, session);
  const options = { ...runOptions(context, { secretOf: ({ number }) => secrets.get(number) }), ...gathered.told };
  const people: People = {
    async planned(extent) {
      announceCounts(context, session, extent.verbs);
      for (const line of cautionsOf(rows)) context.note(line);
      if (context.settings.dryRun) return;
      const shown = (): Promise<readonly string[]> => deletionsIn(session, rows);
      await agree(context, { ...extent, cautions: [] }, { kind: 'change', stdinUsed, shown });
    },
    rehearsed: gathered.rehearsed,
    watch: (_total, work) => work(options),
  };
  const order = { job: jobOf(context, session, changes), rows, rehearse: context.settings.dryRun };
  const summary = await carry({ session, jobs: () => context.jobs() }, order, people, options);
  return gathered.made(changes.length, summary);
}

function jobOf(context: Context, session: Session, changes: readonly Change[]): NewJob {
  const [first] = changes;
  const what = changes.length === 1 ? (first?.id ?? '') : `(${changes.length} records)`;
  const command = first ? `${resourceNamed(first.resource).command} ${kebab(first.operation)}` : '';
  return newJob(context, session, { kind: 'change', title: `${command} ${what}`.trim() }, {});
}
