// Runs the changes of named records as one job: checks, announces, confirms, runs or rehearses, and prints.
import { openTotals } from '../../changes/consequences/totals.ts';
import { cautionsOf } from '../../changes/plan/cautions.ts';
import type { Change } from '../../changes/plan/change.ts';
import { readBeforeDeletion } from '../../changes/plan/final-deletions.ts';
import { planner } from '../../changes/plan/planner.ts';
import { reverseOf } from '../../changes/plan/reverse-row.ts';
import type { Rehearsed } from '../../changes/rehearsal/rehearsed.ts';
import { nameWarnings } from '../../changes/rows/same-name.ts';
import { emailWarnings } from '../../changes/rows/shared-emails.ts';
import { type AppliedRow, isUnchanged, resultOf } from '../../changes/run/apply-row.ts';
import type { Summary } from '../../changes/run/counts.ts';
import type { RunOptions } from '../../changes/run/options.ts';
import { runChange, type Ui } from '../../changes/run-change.ts';
import type { Session } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, NewJob, PlannedRow } from '../../contract/jobs.ts';
import { nameOf, type Resource, type Row } from '../../contract/resource.ts';
import { type Comparison, openComparison, printEffects } from '../consequences/effects.ts';
import { consequenceLines, linesBefore } from '../consequences/words.ts';
import { type Context, formatOf } from '../context.ts';
import { kebab } from '../names.ts';
import { type Shape, shapeOf } from '../output/result.ts';
import { orNone } from '../selectors/records.ts';
import { referenceNames } from '../selectors/reference-names.ts';
import { checkRunPrint, newJob } from './bulk.ts';
import { announceCounts, changeLines, confirm, ownersToName } from './confirm.ts';
import { reportFailures } from './failures.ts';
import { jobCommand } from './journal.ts';
import { nameIn, plannedRows, printPlanned, printUpdated } from './planned-changes.ts';
import { finishing, orderedIDs, runOptions } from './running.ts';
import { noteRolledBack } from './summary.ts';

/** Checks that the answer can be printed as the flags say, then opens the session. */
export async function beginChange(context: Context, shape: Shape, effects = false): Promise<Session> {
  await checkRunPrint(context, { effects }, ['File', 'Line'], shape);
  return context.session();
}

interface ChangeOptions {
  /** One object is printed instead of a list. */
  readonly one: boolean;
  /** stdin holds IDs, so nothing can be asked there. */
  readonly stdinUsed?: boolean;
  /** A filter has chosen the records: even a change of one is asked about. */
  readonly chosen?: boolean;
  /** A rehearsal prints the figures of dashboards that move. */
  readonly effects?: boolean;
}

/** Runs the changes of one resource as one job and prints the records. Answers the exit code. */
export async function makeChanges(
  context: Context,
  session: Session,
  resource: Resource,
  changes: readonly Change[],
  options: ChangeOptions,
): Promise<number> {
  const made = await runChanges(context, session, changes, options);
  if (!made.isRehearsed) {
    noteUndo(context, made);
    if (showsChanges(context, resource, changes)) await printUpdated(context, session, made.updated);
    else {
      // Several changes of one record answer it as it is after each.
      const rows = options.one ? made.rows.slice(-1) : made.rows;
      await context.print({ shape: shapeOf(resource), rows, one: options.one });
    }
  }
  return reportFailures(context, made.failures, changes.length);
}

/**
 * Runs the changes as one job; a failed one does not stop the others. Throws the failure of a single change, which leaves
 * no job on the embedded engine. A dry run prints what would change.
 */
export async function runChanges(
  context: Context,
  session: Session,
  changes: readonly Change[],
  { stdinUsed = false, chosen = false, effects = false }: Omit<ChangeOptions, 'one'> = {},
): Promise<ChangeResult> {
  const { plan, secrets } = planner(orderedIDs(() => context.io.now().getTime()));
  const { dryRun } = context.settings;
  const { changes: read, unread } = await readBeforeDeletion(session, dryRun ? [] : changes);
  const rows = (dryRun ? changes : read).flatMap((change) => plan(change) ?? []);
  const warnings = [...(await emailWarnings(session, rows)), ...(await nameWarnings(session, rows))];
  const results = collectResults(context, session, changes.at(-1));
  const comparison = effects ? openComparison(session, rows) : undefined;
  const options = { ...runOptions(context, { secretOf: ({ number }) => secrets.get(number) }), ...results.callbacks };
  const job = await jobOf(context, session, changes);
  const ui: Ui = {
    async planned(size, whole) {
      announceCounts(context, session, size.verbs);
      const cautions = cautionsOf(rows, ({ id = '' }) => unread.has(id));
      for (const line of [...warnings, ...cautions, ...ownersToName(changes, unread)]) context.note(line);
      await comparison?.planned();
      if (!whole) return;
      const preview = async (): Promise<readonly string[]> => [
        ...(await changeLines(session, rows)),
        ...(await linesBefore(session, whole, size, options)),
      ];
      const asked = { kind: 'change', stdinUsed, chosen, unread: unread.size, preview } as const;
      await confirm(context, { ...size, cautions: [] }, asked);
    },
    rehearsed: results.rehearsed,
    ...(comparison && { made: comparison.made }),
    watch: (_total, work) => finishing(context, () => work(options)),
  };
  const request = { job, rows: comparison?.rows ?? rows, rehearse: dryRun };
  const summary = await runChange({ session, jobs: () => context.jobs() }, request, ui, options);
  return results.result(changes, summary, comparison);
}

/** What goes before the command's own changes is made with all of them, or nothing is. */
async function jobOf(context: Context, session: Session, changes: readonly Change[]): Promise<NewJob> {
  const last = changes.at(-1);
  const own = changes.filter(({ operation, resource }) => operation === last?.operation && resource === last.resource);
  const what = last && own.length === 1 ? await targetName(session, last) : `(${own.length} records)`;
  const command = last ? `${resourceNamed(last.resource).command} ${kebab(last.operation)}` : '';
  const title = `${command} ${what}`.trim();
  return newJob(
    context,
    session,
    { kind: 'change', title },
    own.length < changes.length ? { onError: 'rollback' } : {},
  );
}

/** The name of the record, or its ID. A remote service is not asked for it. */
async function targetName(session: Session, { resource, id, body, place = {} }: Change): Promise<string> {
  const named = resourceNamed(resource);
  if (id === undefined) return nameOf(named, body) ?? '';
  // The change itself refuses who may not look for it.
  const found = await orNone(session.find.record(resource, { id, place }, 'cached'), ['forbidden', 'admin_only']);
  return nameOf(named, found?.row) ?? id;
}

/** In a table an update shows what has changed: a whole record is forty lines. */
function showsChanges(context: Context, { operations }: Resource, changes: readonly Change[]): boolean {
  const { fields, jmespath } = context.settings;
  const isUpdate = changes.every(({ operation }) => operations[operation]?.verb === 'update');
  return isUpdate && formatOf(context) === 'table' && fields === undefined && jmespath === undefined;
}

interface ChangeResult {
  /** The records as they are now, in the order of the changes; none of a rehearsal. */
  readonly rows: readonly Row[];
  /** The changes that were made. */
  readonly updated: readonly Rehearsed[];
  readonly failures: readonly unknown[];
  /** It was a dry run: nothing was changed. */
  readonly isRehearsed: boolean;
  /** Undefined if nothing was changed. */
  readonly job: JobHead | undefined;
  /** Can pm undo take back any of it? */
  readonly isUndoable: boolean;
}

/** Prints the command that takes the changes back. */
export function noteUndo(context: Context, { job, isUndoable }: ChangeResult): void {
  if (job && isUndoable) context.note(`Undo: ${jobCommand(context, 'undo', job.id)}`);
}

/** What is said of records that are as the operation would make them (D7). */
const ALREADY: Readonly<Record<string, string>> = { delete: 'Deleted already', undelete: 'Not deleted' };

/** What is known of a few changes while they run. */
interface Gathered {
  /** The records of the command's own changes, by the number of the row. */
  readonly answers: Map<number, readonly Row[]>;
  readonly failures: unknown[];
  /** The lines of a dry run. */
  readonly lines: Row[];
  /** The names of records that were so already. */
  readonly already: string[];
  readonly updated: Rehearsed[];
  isUndoable: boolean;
  hasChanged: boolean;
}

/** Collects the results of a few changes until all are known. */
function collectResults(context: Context, session: Session, asked: Change | undefined) {
  const got: Gathered = {
    ...{ answers: new Map(), failures: [], lines: [], already: [], updated: [] },
    ...{ isUndoable: false, hasChanged: false },
  };
  const totals = openTotals(session.local !== undefined);
  const names = referenceNames(session);
  const callbacks: Pick<RunOptions, 'onDone' | 'onFailed'> = {
    onDone(row, made) {
      for (const name of made.comparison?.respelled ?? []) context.note(`The service writes ${name} in its own way.`);
      addDone(got, asked, row, made);
    },
    onFailed: (_row, error) => void got.failures.push(error),
  };
  return {
    callbacks,
    async rehearsed(rows: AsyncIterable<Rehearsed>): Promise<void> {
      const known = { find: session.find, names };
      for await (const { Line, ...line } of plannedRows(totals.through(rows), known)) got.lines.push(line);
    },
    /** Prints the lines of a dry run. Throws the failure of a single change. */
    async result(
      all: readonly Change[],
      summary: Summary | undefined,
      comparison: Comparison | undefined,
    ): Promise<ChangeResult> {
      if (summary?.stopped) got.failures.push(summary.stopped);
      if (summary?.rolledBack) noteRolledBack(context, summary.rolledBack);
      // Where all or nothing is made, one failure is that of the command.
      const isWhole = summary?.job.settings.onError === 'rollback';
      if (got.failures.length > 0 && (all.length === 1 || isWhole)) throw got.failures[0];
      if (comparison) await printEffects(context, comparison.result());
      else if (context.settings.dryRun) await printPlanned(context, session, got.lines, names);
      const total = totals.total();
      for (const line of await consequenceLines(session, total)) context.note(line);
      if (context.settings.dryRun && total.consequences.some(({ effect }) => effect === 'top')) context.note(REASSIGN);
      noteUnchanged(context, got, asked);
      return resultFrom(context, got, summary);
    },
  };
}

const REASSIGN = '  To give them a manager in the same job: --reassign-to <ref>';

function addDone(got: Gathered, asked: Change | undefined, row: PlannedRow, made: AppliedRow): void {
  // What goes before it in the same job is no answer.
  if (row.operation === asked?.operation && row.resource === asked.resource)
    got.answers.set(row.number, [made.after, ...made.others]);
  got.updated.push({ row, applied: made });
  if (isUnchanged(row, made)) got.already.push(nameIn(resourceNamed(row.resource), made.after) ?? String(row.id));
  else got.hasChanged = true;
  const result = resultOf(made);
  got.isUndoable ||= reverseOf({ ...row, state: 'done', ...(result ? { result } : {}) }) !== undefined;
}

/** Says what was so already, and where nothing changed. */
function noteUnchanged({ settings, note }: Context, got: Gathered, asked: Change | undefined): void {
  const word = ALREADY[asked?.operation ?? ''];
  if (word !== undefined && got.already.length > 0) note(`${word}: ${got.already.join(', ')}`);
  if (got.failures.length > 0) return;
  if (settings.dryRun && got.lines.length === 0) note('Nothing would change.');
  if (!settings.dryRun && !got.hasChanged) note('Nothing was changed.');
}

function resultFrom({ settings }: Context, got: Gathered, summary: Summary | undefined): ChangeResult {
  const { answers, updated, failures, hasChanged, isUndoable } = got;
  const rows = [...answers].sort(([a], [b]) => a - b).flatMap(([, some]) => some);
  return {
    ...{ updated, failures, isUndoable, isRehearsed: settings.dryRun },
    rows: settings.dryRun ? [] : rows,
    job: hasChanged ? summary?.job : undefined,
  };
}
