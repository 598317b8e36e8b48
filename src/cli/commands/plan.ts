// pm plan: the changes of an import, written down to be looked at with pm plan show, and applied later.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Consequence } from '../../changes/consequences/consequence.ts';
import { openRightsComparison } from '../../changes/consequences/moved-rights.ts';
import { MOST_MILLISECONDS, previewConsequences } from '../../changes/consequences/preview.ts';
import { isConfirmed } from '../../changes/jobs/state.ts';
import type { Change } from '../../changes/plan/change.ts';
import type { PlanHeader } from '../../changes/plan/plan-file.ts';
import { readPlanFile } from '../../changes/plan/plan-reader.ts';
import { openSizeMeter } from '../../changes/plan/plan-size.ts';
import type { Rehearsed } from '../../changes/rehearsal/rehearsed.ts';
import { operationOfRow } from '../../changes/run/apply-row.ts';
import type { Session } from '../../contract/call.ts';
import { orNone, ServiceError } from '../../contract/errors.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import type { Resource } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { counted, spaced } from '../../text/thousands.ts';
import { type ImportFlags, withImportFlags } from '../changes/flags.ts';
import { jobCommand, newJob, runCommand, urlOf } from '../changes/journal.ts';
import { isSiteThere } from '../changes/plan-out.ts';
import { plannedRows, printRehearsed } from '../changes/planned-changes.ts';
import { actionOf, choiceRefused, REASSIGN_DOC, type Run, withGlobals } from '../command.ts';
import { printLook } from '../consequences/look.ts';
import { consequenceLines, rightsLines } from '../consequences/words.ts';
import { type Context, clockOf, printingBy } from '../context.ts';
import { withRecipe } from '../import/recipe.ts';
import { toFile } from '../input/files.ts';
import { kebab, resourceCalled } from '../names.ts';
import { asTyped } from '../output/calling.ts';
import { momentInWords } from '../output/formats/cells.ts';
import { FORMATS } from '../output/result.ts';
import { journalFile } from '../profiles/home.ts';
import { recordNames } from '../search/record-names.ts';
import { type ReferenceNames, referenceNames } from '../selectors/reference-names.ts';
import type { Streams } from '../streams.ts';
import { importFile } from './import.ts';

interface Options extends ImportFlags {
  readonly exitCode?: boolean;
  readonly reassignTo?: string;
}

export function build(run: Run, io: Streams): Command {
  const command = withRecipe(new Command('plan').description('Write down what an import would do.'), io);
  return withGlobals(withImportFlags(command))
    .argument('<resource>', 'what the rows are, or a recipe; or show, to look at a plan')
    .argument('<file>', 'the file of rows; or the plan')
    .option('--out <file>', 'the plan that is written; of show: what is shown, as page.html or ticket.md')
    .option('--exit-code', 'end with 11 where the plan has changes')
    .option('--reassign-to <ref>', `with --mode delete of individuals: ${REASSIGN_DOC}`)
    .action(actionOf(run, plan));
}

async function plan(context: Context, name: string, file: string, flags: Options): Promise<number> {
  const { out, reassignTo } = flags;
  if (name === 'show') return toFile(context, out, [...FORMATS, 'html'], (page) => showPlan(page, file));
  const resource = resourceCalled(name);
  for (const flag of ['where', 'sort', 'limit'] as const)
    if (flags[flag] !== undefined)
      throw choiceRefused(`--${flag}`, 'pm plan', () => 'Leave the other rows out of the file.');
  if (out === undefined)
    throw new ServiceError('usage', 'where should the plan be written?', {
      hint: `--out ${asTyped(`${stem(file)}.plan`, context.io)}`,
    });
  if (reassignTo !== undefined) checkDeletion(resource, flags);
  const dry: Context = { ...context, settings: { ...context.settings, dryRun: true, output: 'none' } };
  return importFile(
    printingBy(dry, dry.settings),
    resource,
    file,
    reassignTo === undefined ? flags : { ...flags, onError: 'rollback' },
    (changes) => (reassignTo === undefined ? changes : withReassigned(context, changes, reassignTo)),
  );
}

/** Throws `usage` where no individual is to be deleted. */
function checkDeletion({ name }: Resource, { mode }: Options): void {
  if (name === 'individual' && mode === 'delete') return;
  throw new ServiceError('usage', '--reassign-to is for the deletion of individuals', {
    hint: 'pm plan individuals <file> --mode delete --reassign-to <ref> --out <file>',
  });
}

/** Records that name those who are deleted are given to the other one first. Throws as `reassigned`, and the errors of the file. */
async function* withReassigned(context: Context, changes: AsyncIterable<Change>, to: string): AsyncGenerator<Change> {
  const deletions = await collect(changes);
  const { reassigned } = await import('../consequences/reassign.ts');
  const ids = deletions.flatMap(({ id }) => id ?? []);
  yield* await reassigned(context, ids, to);
  yield* deletions;
}

const stem = (file: string): string => file.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '') || 'changes';

/** Everything is counted from the rows: the first line of a plan says what its maker wants it to say. */
async function showPlan(context: Context, file: string): Promise<number> {
  const { header, rows } = await readPlanFile(resolve(context.io.cwd, file));
  const meter = openSizeMeter();
  const counts = new Map<string, { readonly row: PlannedRow; readonly count: number }>();
  const sources = new Set<number | undefined>();
  for await (const row of meter.through(rows())) {
    sources.add(row.source);
    const what = `${row.operation} ${row.resource}`;
    counts.set(what, { row, count: (counts.get(what)?.count ?? 0) + 1 });
  }
  const parts = [...counts.values()].map(({ row, count }) => countInWords(row, count));
  const session = await sessionOf(context, header);
  const ran = await runOf(context, session, header);
  const { found, ...along } = ran ? OF_PAST : await consequencesHere(context, session, { header, rows });
  const made = momentInWords(header.created, { zone: (await clockOf(context)).zone });
  const Summary = [
    `For ${header.profile} (${header.url}), as ${header.caller}, made ${made}`,
    `${counted(meter.size.changes, 'change')}: ${parts.join(', ') || 'none'}; ${spaced(header.unchanged)} unchanged`,
    ...meter.size.cautions,
    ran
      ? `It has run already: ${jobCommand(context, 'jobs show', ran.id)}`
      : `To run this and nothing else: ${runCommand(context, file, header)}`,
  ];
  const names = session ? referenceNames(session) : await namesOnService(context, header);
  const planned = plannedRows(asRehearsed(rows(), found), { names, find: session?.find });
  // A plan does not say its files, and a line of one of several says nothing.
  const without = [...(sources.size > 1 ? ['Line'] : []), ...(session || context.settings.remote ? [] : ['Name'])];
  await printLook(context, header.title, { Summary, ...along }, (page) =>
    printRehearsed(page, planned, names, ['File', ...without]),
  );
  return 0;
}

/** The job that the plan has become here, or on its service from this machine: no journal is made for a look. */
async function runOf(context: Context, session: Session | undefined, { id, url }: PlanHeader) {
  const { io, settings } = context;
  const isOfService = settings.remote && url === urlOf(context) && existsSync(journalFile(io, settings.journal));
  const job = (session || isOfService) && (await (await context.jobs()).head(id));
  return job && isConfirmed(job) ? job : undefined;
}

/** Such as: 3 updates of individuals. */
function countInWords(row: PlannedRow, count: number): string {
  const { resource, operation } = operationOfRow(row);
  return `${counted(count, kebab(operation.name))} of ${resource.command}`;
}

interface Consequences {
  /** By the number of the row. */
  readonly found: ReadonlyMap<number, readonly Consequence[]>;
  readonly Consequences: readonly string[];
  readonly Rights: readonly string[];
}

/** The consequences of the plan if it were applied now, on the embedded engine; none without a session. */
async function consequencesHere(
  context: Context,
  session: Session | undefined,
  plan: Pick<Awaited<ReturnType<typeof readPlanFile>>, 'header' | 'rows'>,
  most = context.settings.yes ? Number.POSITIVE_INFINITY : MOST_MILLISECONDS,
): Promise<Consequences> {
  const found = new Map<number, readonly Consequence[]>();
  if (!session) return { found, Consequences: [], Rights: [RIGHTS_UNKNOWN] };
  const { settings, io } = context;
  const until = io.now().getTime() + most;
  const comparison = await comparisonOf(session, () => io.now().getTime() >= until);
  // A plan that has run is in the journal under its own ID.
  const job = newJob(context, session, { kind: 'apply', title: plan.header.title }, {});
  const total = await previewConsequences(
    session,
    { job, rows: plan.rows, isKept: false },
    {
      clock: () => io.now(),
      newID: () => crypto.randomUUID(),
      most,
      found: ({ number }, consequences) => void found.set(number, consequences),
      ...(comparison && { made: comparison.made }),
    },
  );
  const moved = await comparison?.result();
  if (comparison && !moved && most === MOST_MILLISECONDS && settings.asks) {
    // The changes are taken back before the question, so that no other writer waits for its answer.
    const { askYes } = await import('../input/prompt.ts');
    if (await askYes(ASKED, io.stopped)) return consequencesHere(context, session, plan, Number.POSITIVE_INFINITY);
  }
  const Rights = comparison ? (moved ? rightsLines(moved) : [RIGHTS_LATE]) : [RIGHTS_HIDDEN];
  return { found, Consequences: (await consequenceLines(session, total)).map((line) => line.trimStart()), Rights };
}

const OF_PAST: Consequences = {
  found: new Map(),
  Consequences: [],
  Rights: ['The plan has run already, so who gained or lost rights is not counted again.'],
};
const RIGHTS_UNKNOWN =
  'Who gains or loses rights cannot be known here: only the engine that holds the site can say it.';
const RIGHTS_HIDDEN = 'Who gains or loses rights is for administrators to see.';
const RIGHTS_LATE = 'Who gains or loses rights is not counted: that takes more than five seconds. --yes counts on.';
const ASKED = 'Counting who gains and loses rights has taken five seconds. Go on counting?';

/** Undefined if the caller may not ask what others may do. */
const comparisonOf = ({ local }: Session, isLate: () => boolean) =>
  orNone(local && openRightsComparison(local, isLate), ['admin_only']);

/** Who approves a plan for a service reads names, where the service answers. */
async function namesOnService(context: Context, { url }: PlanHeader): Promise<ReferenceNames> {
  if (!context.settings.remote || url !== urlOf(context)) return referenceNames(undefined);
  try {
    return recordNames(await context.session());
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    context.note(`Records are shown by their IDs: ${error.message}`);
    return referenceNames(undefined);
  }
}

/** The session that knows the records of a plan for the embedded engine. */
async function sessionOf(context: Context, { url, site }: PlanHeader): Promise<Session | undefined> {
  const isHere = !context.settings.remote && url === urlOf(context) && isSiteThere(context);
  const session = isHere ? await context.session() : undefined;
  return session?.me.site === site ? session : undefined;
}

async function* asRehearsed(rows: AsyncIterable<PlannedRow>, found: Consequences['found']): AsyncGenerator<Rehearsed> {
  for await (const row of rows) yield { row, consequences: found.get(row.number) ?? [] };
}
