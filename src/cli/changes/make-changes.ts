// The one way of a change through the command line, of one record as of a million: announced, confirmed, watched, shown.
import { previewConsequences } from '../../changes/consequences/preview.ts';
import { openTotals } from '../../changes/consequences/totals.ts';
import type { InputFile } from '../../changes/files/index.ts';
import { cautionsOf } from '../../changes/plan/cautions.ts';
import { type Change, readBeforeDeletion } from '../../changes/plan/change.ts';
import type { PlanSize } from '../../changes/plan/plan-size.ts';
import { planner } from '../../changes/plan/planner.ts';
import { reverseOf } from '../../changes/plan/reverse-row.ts';
import { nameWarnings } from '../../changes/plan/same-name.ts';
import { emailWarnings } from '../../changes/rows/shared-emails.ts';
import { type AppliedRow, isUnchanged, resultOf } from '../../changes/run/apply-row.ts';
import type { Summary } from '../../changes/run/counts.ts';
import type { RunOptions } from '../../changes/run/options.ts';
import { runChange, type Ui } from '../../changes/run-change.ts';
import type { Session } from '../../contract/call.ts';
import { EXIT, orNone, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { JobHead, NewJob, PlannedRow } from '../../contract/jobs.ts';
import type { Verb } from '../../contract/operation.ts';
import { nameOf, type Resource, type Row } from '../../contract/resource.ts';
import { defined } from '../../text/defined.ts';
import { spaced } from '../../text/thousands.ts';
import { consequenceLines } from '../consequences/words.ts';
import { type Context, formatOf } from '../context.ts';
import { kebab } from '../names.ts';
import { type Shape, shapeOf } from '../output/result.ts';
import { referenceNames } from '../selectors/reference-names.ts';
import { announceCounts, type ConfirmOptions, changeLines, confirm, noteNumber, ownersToName } from './confirm.ts';
import { continueJob } from './continue-job.ts';
import { printFailures, reportFailures } from './failures.ts';
import type { RunFlags } from './flags.ts';
import { hasFiles, inputSources, type JobSettings, jobCommand, newJob } from './journal.ts';
import { type Counted, remarksOn } from './open-input.ts';
import { openPlanOut, withoutSecrets } from './plan-out.ts';
import {
  nameIn,
  ONLY_SENT,
  plannedRows,
  plannedShape,
  printPlanned,
  printRehearsed,
  printUpdated,
} from './planned-changes.ts';
import { finishing, orderedIDs, runOptions, withProgress } from './running.ts';
import { aloneCheck, unfinishedOf } from './same-command.ts';
import { noteRolledBack, printNothing, printSummary, SUMMARY } from './summary.ts';

/** The changes of a command: its job and its rows, the announcement, the confirmation, and how the result is printed. */
interface Request extends Pick<RunOptions, 'secretOf' | 'onDone' | 'onFailed'>, Pick<Ui, 'begun' | 'rehearsed'> {
  readonly job: NewJob;
  readonly rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>;
  readonly asked: Omit<ConfirmOptions, 'kind'>;
  announce(size: PlanSize): void;
  /** The number of changes that would change nothing, after the last row. */
  unchanged?(): number;
  /** Prints the result; the consequences for other records are printed behind it. */
  ended?(summary: Summary | undefined): Promise<void>;
}

/** Of so many records of the engine it is said without a question, too, what goes along; else to look it up takes long. */
const FEW = 25;

/** Announces a request, has it confirmed, and runs or rehearses it; `total` is what it does to other records. Throws as `runChange`. */
async function carryOut(context: Context, session: Session, request: Request) {
  const { job, rows, asked, begun, secretOf, onDone, onFailed } = request;
  const how = () => defined({ secretOf, onDone, onFailed, unchanged: request.unchanged?.() });
  const totals = openTotals(session.local !== undefined);
  const out = openPlanOut(context, session, job);
  let changes = 0;
  const ui: Ui = {
    async planned(size, plan) {
      changes = size.changes;
      request.announce(size);
      if (changes === 0) return;
      if (!plan) return noteNumber(context, size, { ...asked, kind: job.kind });
      const along = async (): Promise<readonly string[]> => {
        if (size.affecting === 0) return [];
        return consequenceLines(session, await previewConsequences(session, plan, runOptions(context, how())));
      };
      const preview = async () => [...((await asked.preview?.()) ?? []), ...(await along())];
      const { yes, quiet } = context.settings;
      const isFew = session.local && size.deletes > 0 && size.changes <= FEW && job.kind === 'change';
      if (isFew && yes && !quiet) (await along()).forEach(context.note);
      await confirm(context, size, { ...asked, kind: job.kind, preview });
    },
    rehearsed: (found) => request.rehearsed(totals.through(out ? out.through(found) : found)),
    ...(begun && { begun }),
    watch: (total, work) =>
      job.kind === 'change'
        ? finishing(context, () => work(runOptions(context, how())))
        : withProgress(context, total, how(), work),
  };
  const asRead = { job, rows: out ? withoutSecrets(rows) : rows, rehearse: context.settings.dryRun };
  const target = { session, jobs: () => context.jobs() };
  const summary = await runChange(target, asRead, ui, runOptions(context, how())).catch(async (error: unknown) => {
    await out?.abandon();
    throw error;
  });
  const written = await out?.close(summary, request.unchanged?.() ?? 0);
  await request.ended?.(summary);
  const total = totals.total();
  for (const line of await consequenceLines(session, total)) context.note(line);
  if (written !== undefined) context.note(written);
  return { summary, changes, total };
}

/** Checks that the answer of a run or its rehearsal can be printed as the flags say, `without` columns of the rehearsal. */
export async function checkRunPrint(
  context: Context,
  without: readonly string[],
  shape: Shape = SUMMARY,
): Promise<void> {
  await context.checkPrint(context.settings.dryRun ? plannedShape(without) : shape);
}

/** Checks that the answer can be printed as the flags say, then opens the session. */
export async function beginChange(context: Context, shape: Shape): Promise<Session> {
  await checkRunPrint(context, ['File', 'Line'], shape);
  return context.session();
}

interface ChangeOptions {
  /** One object is printed instead of a list. */
  readonly one: boolean;
  /** stdin holds IDs, so nothing can be asked there. */
  readonly stdinUsed?: boolean;
  /** A filter has chosen the records: even a change of one is asked about. */
  readonly chosen?: boolean;
}

/** Runs the changes of one resource as one job and prints the records. Answers the exit code. */
export async function makeChanges(
  context: Context,
  resource: Resource,
  changes: readonly Change[],
  options: ChangeOptions,
): Promise<number> {
  const made = await runChanges(context, changes, options);
  if (!context.settings.dryRun) {
    noteUndo(context, made);
    if (isRead(context, resource, changes, ['update'])) await printUpdated(context, made.updated);
    else {
      // Several changes of one record answer it as it is after each.
      const rows = options.one ? made.rows.slice(-1) : made.rows;
      const one = options.one && !isRead(context, resource, changes, ['delete', 'undelete']);
      await context.print({ shape: shapeOf(resource), rows, one });
    }
  }
  return reportFailures(context, made.failures, changes.length);
}

/** In a table an update shows what has changed, and a deletion the columns of a list: a whole record is forty lines. */
function isRead(
  context: Context,
  { operations }: Resource,
  changes: readonly Change[],
  verbs: readonly (Verb | undefined)[],
): boolean {
  const { fields, jmespath } = context.settings;
  const isOfVerbs = changes.every(({ operation }) => verbs.includes(operations[operation]?.verb));
  return isOfVerbs && formatOf(context) === 'table' && fields === undefined && jmespath === undefined;
}

interface ChangeResult {
  /** The records as they are now, in the order of the changes; none of a rehearsal. */
  readonly rows: readonly Row[];
  /** The changes that were made. */
  readonly updated: readonly Made[];
  readonly failures: readonly unknown[];
  /** Undefined if nothing was changed. */
  readonly job: JobHead | undefined;
}

interface Made {
  readonly row: PlannedRow;
  readonly applied: AppliedRow;
}

/** Prints the command that takes the changes back, where pm undo can take back any of it. */
export function noteUndo(context: Context, { job, updated }: Pick<ChangeResult, 'job' | 'updated'>): void {
  const isUndoable = updated.some(
    ({ row, applied }) =>
      reverseOf(defined({ ...row, state: 'done' as const, result: resultOf(applied) })) !== undefined,
  );
  if (job && isUndoable) context.note(`Undo: ${jobCommand(context, 'undo', job.id)}`);
}

/**
 * Runs the changes as one job; a failed one does not stop the others. Throws the failure of a single change, which leaves
 * no job on the embedded engine. A dry run prints what would change.
 */
export async function runChanges(
  context: Context,
  changes: readonly Change[],
  { stdinUsed = false, chosen = false }: Partial<ChangeOptions> = {},
): Promise<ChangeResult> {
  const session = await context.session();
  const { dryRun } = context.settings;
  const { plan, secrets } = plannerOf(context);
  const { changes: read, unread } = await readBeforeDeletion(session, dryRun ? [] : changes);
  const rows = (dryRun ? changes : read).flatMap((change) => plan(change) ?? []);
  const warnings = [...(await emailWarnings(session, rows)), ...(await nameWarnings(session, rows))];
  const cautions = cautionsOf(rows, ({ id = '' }) => unread.has(id));
  const [updated, failures, lines]: [Made[], unknown[], Row[]] = [[], [], []];
  const names = referenceNames(session);
  const { summary, total } = await carryOut(context, session, {
    job: await jobOf(context, changes),
    rows,
    // The cautions are among what is announced.
    asked: { stdinUsed, chosen, unread: unread.size, cautions: [], preview: () => changeLines(session, rows) },
    secretOf: ({ number }) => secrets.get(number),
    announce({ verbs }) {
      announceCounts(context, session, verbs);
      for (const line of [...warnings, ...cautions, ...ownersToName(changes, unread)]) context.note(line);
    },
    onDone(row, applied) {
      for (const name of applied.comparison?.respelled ?? [])
        context.note(`The service writes ${name} in its own way.`);
      updated.push({ row, applied });
    },
    onFailed: (_row, error) => void failures.push(error),
    async rehearsed(found) {
      for await (const one of found) {
        if (one.applied) updated.push({ row: one.row, applied: one.applied });
        for await (const some of plannedRows([one], { find: session.find, names }))
          lines.push(...some.map(({ Line, ...line }) => line));
      }
    },
    async ended(made) {
      if (made?.stopped) failures.push(made.stopped);
      if (made?.rolledBack) noteRolledBack(context, made.rolledBack);
      // Where all or nothing is made, one failure is that of the command.
      const isWhole = made?.job.settings.onError === 'rollback';
      if (failures.length > 0 && (changes.length === 1 || isWhole)) throw failures[0];
      if (dryRun) await printPlanned(context, lines, names);
    },
  });
  if (dryRun && total.consequences.some(({ effect }) => effect === 'top')) context.note(REASSIGN);
  const last = changes.at(-1);
  const same = updated.filter(({ row, applied }) => isUnchanged(row, applied));
  noteAlready(context, last, same);
  const isSame = dryRun ? lines.length === 0 : same.length === updated.length;
  if (isSame && failures.length === 0) context.note(dryRun ? 'Nothing would change.' : 'Nothing was changed.');
  // What goes before it in the same job is no answer.
  const own = updated
    .filter(({ row }) => isLike(row, last))
    .toSorted((one, other) => one.row.number - other.row.number);
  return {
    updated,
    failures,
    rows: dryRun ? [] : own.flatMap(({ applied: { after, others } }) => [after, ...others]),
    job: same.length < updated.length ? summary?.job : undefined,
  };
}

const REASSIGN = '  To give them a manager in the same job: --reassign-to <ref>';

type Kind = Pick<Change, 'resource' | 'operation'>;

const isLike = (one: Kind, other: Kind | undefined): boolean =>
  one.operation === other?.operation && one.resource === other.resource;

const plannerOf = ({ io }: Context) => planner(orderedIDs(() => io.now().getTime()));

/** What is said of records that are as the operation would make them (D7). */
const ALREADY: Readonly<Record<string, string>> = { delete: 'Deleted already', undelete: 'Not deleted' };

function noteAlready({ note }: Context, asked: Kind | undefined, same: readonly Made[]): void {
  const word = ALREADY[asked?.operation ?? ''];
  const names = same.map(({ row, applied }) => nameIn(resourceNamed(row.resource), applied.after) ?? String(row.id));
  if (word !== undefined && names.length > 0) note(`${word}: ${names.join(', ')}`);
}

/** What goes before the command's own changes is made with all of them, or nothing is. */
async function jobOf(context: Context, changes: readonly Change[]): Promise<NewJob> {
  const session = await context.session();
  const last = changes.at(-1);
  const own = changes.filter((change) => isLike(change, last));
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

/** The changes of files or of a site, whose result is a summary. */
export interface FileCommand
  extends Pick<NewJob, 'kind' | 'title' | 'settings'>,
    Pick<PlannedRun, 'input' | 'counts' | 'missing' | 'empty' | 'nothing'> {}

/** Plans the changes and runs them. Answers the exit code. Throws what `changes` throws; nothing was changed then. */
export async function runFileChanges(
  context: Context,
  changes: AsyncIterable<Change> | Iterable<Change>,
  command: FileCommand,
  flags: RunFlags,
): Promise<number> {
  await checkRunPrint(context, [...hiddenColumns(command), ...(command.empty ?? [])]);
  const session = await context.session();
  const { counts } = command;
  const plan = plannerOf(context);
  const unchanged = (): number => plan.unchanged() + (counts?.().unchanged ?? 0);
  return runPlanned(context, session, flags, {
    ...command,
    job: newJob(context, session, command, flags),
    rows: plan.planAll(changes),
    secretOf: ({ number }) => plan.secrets.get(number),
    unchanged,
    announce: ({ verbs }) => {
      announceCounts(context, session, verbs);
      const said = [unchanged() > 0 ? `${spaced(unchanged())} unchanged` : '', counts ? remarksOn(counts()) : ''];
      if (said.some(Boolean)) context.note(`  ${said.filter(Boolean).join(', ')}`);
    },
  });
}

/** Rows whose result is a summary. */
interface PlannedRun extends Pick<Request, 'job' | 'rows' | 'secretOf' | 'announce' | 'unchanged'> {
  /** What the rows of the files were, after the last one. */
  counts?(): Counted;
  /** The only input file, which is still open. */
  readonly input?: InputFile;
  /** Rows that its rehearsal shows behind the changes. */
  readonly missing?: (() => readonly Row[]) | undefined;
  /** Columns that its rehearsal has nothing for. */
  readonly empty?: readonly string[];
  /** The note if there is no change. */
  readonly nothing?: string;
}

/** Runs or rehearses planned rows, and prints the result. Answers the exit code. */
export async function runPlanned(
  context: Context,
  session: Session,
  flags: RunFlags,
  run: PlannedRun,
): Promise<number> {
  const { job, input, nothing = 'Nothing to change.' } = run;
  // A dry run creates no journal.
  if (context.settings.dryRun) return rehearsePlanned(context, session, run, flags);
  if (flags.exitCode)
    throw new ServiceError('usage', '--exit-code says what a dry run found', { hint: 'Write -n beside it.' });
  const unfinished = await unfinishedOf(context, job);
  if (unfinished) return continueJob(context, unfinished, { by: 'resume', flags });
  const request = { ...requestOf(context, session, run, flags), ...(await aloneCheck(context, job)) };
  const { summary } = await carryOut(context, session, request);
  if (!summary) {
    context.note(nothing);
    return printNothing(context, run.unchanged?.());
  }
  return printSummary(context, summary, { input, ...run.counts?.() });
}

/** With `exitCode` a plan that changes something and could run ends with a code of its own. */
async function rehearsePlanned(context: Context, session: Session, run: PlannedRun, flags: RunFlags): Promise<number> {
  const request = requestOf(context, session, run, flags);
  const { summary, changes } = await carryOut(context, session, request);
  if (changes > 0 && !session.local) context.note(ONLY_SENT);
  if (summary) await printFailures(context, summary);
  const { failed = 0, drifted = 0 } = summary?.counts ?? {};
  if (failed + drifted > 0) context.note(`${failed + drifted} of these changes would fail.`);
  const exit = summary?.exit ?? 0;
  return exit === 0 && flags.exitCode && changes > 0 ? EXIT.different : exit;
}

function requestOf(context: Context, session: Session, run: PlannedRun, { onDrift }: RunFlags): Request {
  const { job, empty = [], missing } = run;
  return {
    ...run,
    asked: { onDrift, stdinUsed: inputSources(job).some(({ file }) => file === '-') },
    async rehearsed(rows) {
      const names = referenceNames(session);
      const planned = plannedRows(rows, { find: session.find, job, names, missing });
      await printRehearsed(context, planned, names, [...hiddenColumns(job), ...empty]);
    },
  };
}

/** The columns to hide: the file, unless the job has several. */
const hiddenColumns = (job: JobSettings): readonly string[] => (hasFiles(job) ? [] : ['File']);
