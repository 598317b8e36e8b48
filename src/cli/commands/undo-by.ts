// pm undo --by: takes back what a user changed, planned from the history of the engine.
import { cautionsOf } from '../../changes/plan/cautions.ts';
import { type HistoryUndo, planHistoryUndo, withTheSite } from '../../changes/undo-history.ts';
import type { HistoryEntry, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { storedResources } from '../../contract/index.ts';
import { sameID } from '../../contract/kinds.ts';
import { textKey } from '../../text/text-key.ts';
import { newJob, runPlanned } from '../changes/bulk.ts';
import { announceCounts, confirm } from '../changes/confirm.ts';
import type { RunFlags } from '../changes/flags.ts';
import { plannedShape } from '../changes/planned-changes.ts';
import { SUMMARY } from '../changes/summary.ts';
import { type Context, checkLocal, clockOf, printingAll } from '../context.ts';
import { historyLines, userNames } from '../history/lines.ts';
import { LOG_FIELDS, logRow, momentOf, plainly } from '../history/shown.ts';
import { resourceCalled } from '../names.ts';
import { momentInWords } from '../output/formats/cells.ts';
import { compileWhere } from '../output/where.ts';
import { liveOrDeleted, NOT_THERE } from '../selectors/records.ts';
import { resolve } from '../selectors/selectors.ts';

export interface UndoByFlags extends RunFlags {
  readonly by?: string;
  readonly since?: string;
  readonly until?: string;
  readonly resource?: string;
}

/** Throws `usage` where flags of the history are given without --by. */
export function checkNoHistoryFlags({ since, until, resource }: UndoByFlags): void {
  const flag = since ? '--since' : until ? '--until' : resource ? '--resource' : undefined;
  if (flag === undefined) return;
  throw new ServiceError('usage', `${flag} says which changes go back only with --by`, {
    hint: 'As in: pm undo --by ann --since -1d',
  });
}

/** Plans the reverse changes, announces and confirms them, and runs them. Answers the exit code. */
export async function undoBy(given: Context, by: string, flags: UndoByFlags): Promise<number> {
  const context = printingAll(given);
  checkLocal(context, 'undo --by');
  await context.checkPrint(context.settings.dryRun ? plannedShape(['File', 'Line']) : SUMMARY);
  const session = await context.session();
  const chosen = await chosenEntries(context, session, by, flags);
  const plan = await planHistoryUndo(session, chosen.all, (entry) => chosen.entries.has(entry));
  if (plan.rows.length === 0 && plan.done.length > 0) throw irreversible(chosen.what, plan);
  return runPlanned(context, session, flags, {
    ...{ job: newJob(context, session, { kind: 'undo', title: `undo of ${chosen.what}` }, flags), rows: plan.rows },
    announce: ({ changes, verbs }) => {
      context.note(
        `Undo of ${chosen.what}: ${chosen.entries.size} ${chosen.entries.size === 1 ? 'entry' : 'entries'} of the history`,
      );
      if (changes === 0) return;
      announceCounts(context, session, verbs);
      noteLosses(context, plan);
    },
    confirm: (size, preview) => confirm(context, size, { kind: 'undo', onDrift: flags.onDrift, preview }),
    empty: ['Line'],
    nothing: 'All of it is as it was before already.',
  });
}

interface Chosen {
  /** What was chosen, in words. */
  readonly what: string;
  readonly entries: ReadonlySet<HistoryEntry>;
  /** The history of everybody since then, the newest first. */
  readonly all: readonly HistoryEntry[];
}

/** The entries of this user that the flags choose. Throws `usage`, and `conflict` where there are none. */
async function chosenEntries(context: Context, session: Session, by: string, flags: UndoByFlags): Promise<Chosen> {
  const { io } = context;
  const { local } = session;
  if (!local) throw new Error('the embedded engine is local');
  if (flags.since === undefined) throw sinceMissing(by);
  const since = momentOf('--since', flags.since, io.now());
  const until = flags.until === undefined ? undefined : Date.parse(momentOf('--until', flags.until, io.now()));
  const resource = flags.resource === undefined ? undefined : resourceCalled(flags.resource);
  const id = await authorNamed(session, by);
  const userName = await userNames(session)(id);
  const { zone } = await clockOf(context);
  const all = await local.history.since(since, Number.MAX_SAFE_INTEGER);
  const isOfTheSite = withTheSite(all);
  const isChosen = (entry: HistoryEntry): boolean =>
    entry.caller === id &&
    !isOfTheSite(entry) &&
    storedResources.some(({ name }) => name === entry.resource && (resource === undefined || name === resource.name)) &&
    (until === undefined || Date.parse(entry.at) <= until);
  const fits = await whereTest(context, session, all);
  const entries = new Set(all.filter((entry, at) => isChosen(entry) && fits(at)));
  const what = [
    `what ${userName} did`,
    ...(resource ? [`to ${resource.command}`] : []),
    `since ${momentInWords(since, { zone })}`,
    ...(until === undefined ? [] : [`until ${momentInWords(new Date(until).toISOString(), { zone })}`]),
  ].join(' ');
  if (entries.size > 0) return { what, entries, all };
  throw new ServiceError('conflict', `there is nothing to take back of ${what}`, {
    hint: 'pm log shows what happened, as far as history is kept.',
  });
}

const sinceMissing = (by: string): ServiceError =>
  new ServiceError('usage', '--by needs --since: from when on?', { hint: `As in: pm undo --by ${by} --since -1d` });

/** A live individual, or else a deleted one, or else a global administrator of another site. */
async function authorNamed(session: Session, by: string): Promise<string> {
  try {
    return await liveOrDeleted((deleted) => resolve(session, by, { targets: ['individual'], deleted }));
  } catch (error) {
    const globals = (await session.local?.history.globals()) ?? [];
    const global = globals.find(({ id, userName }) => textKey(userName) === textKey(by) || sameID(id, by));
    if (!global || !(error instanceof ServiceError && NOT_THERE.includes(error.code))) throw error;
    return global.id;
  }
}

/** --where chooses by what pm log prints of an entry, which is named by its place. */
async function whereTest(
  context: Context,
  session: Session,
  all: readonly HistoryEntry[],
): Promise<(at: number) => boolean> {
  const { settings, io } = context;
  if (settings.where.length === 0) return () => true;
  const test = compileWhere(settings.where, LOG_FIELDS, io.now(), await context.zone());
  const lines = await historyLines(session, all);
  const rows = await Promise.all(lines.map((line) => logRow(line, plainly)));
  return (at) => test(rows[at] ?? {});
}

/** Says what does not come back exactly, and how many changes stay. */
function noteLosses(context: Context, { rows, done }: HistoryUndo): void {
  for (const caution of cautionsOf(done)) context.note(caution);
  const left = done.length - rows.length;
  if (left > 0) context.note(`  ${left} ${left === 1 ? 'change' : 'changes'} cannot be taken back`);
}

function irreversible(what: string, { done }: HistoryUndo): ServiceError {
  const why = cautionsOf(done);
  return new ServiceError('conflict', `nothing of ${what} can be taken back`, {
    ...(why.length > 0 ? { hint: why.join(' ') } : {}),
  });
}
