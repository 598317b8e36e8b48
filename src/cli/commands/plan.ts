// pm plan: what an import would do, written down to be looked at, and applied later.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import type { Consequence } from '../../changes/consequences/consequence.ts';
import { previewConsequences } from '../../changes/consequences/preview.ts';
import { type PlanHeader, writePlanFile } from '../../changes/plan/plan-file.ts';
import { readPlanFile } from '../../changes/plan/plan-reader.ts';
import { openSizeMeter } from '../../changes/plan/plan-size.ts';
import { planner } from '../../changes/plan/planner.ts';
import type { Rehearsed } from '../../changes/rehearsal.ts';
import type { Session } from '../../contract/call.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { counted, spaced } from '../../text/thousands.ts';
import { newJob, planHeader, urlOf } from '../changes/bulk.ts';
import { announceCounts } from '../changes/confirm.ts';
import { type ImportFlags, withImportFlags } from '../changes/flags.ts';
import { fileChanges, nameOf, recordsOf, remarksOn, withInput } from '../changes/open-input.ts';
import { plannedNames, plannedRows, plannedShape } from '../changes/planned-changes.ts';
import { actionOf, choiceRefused, type Run, withGlobals } from '../command.ts';
import { consequenceLines } from '../consequences/words.ts';
import { type Context, clockOf } from '../context.ts';
import { outputOf } from '../input/files.ts';
import { resourceCalled } from '../names.ts';
import { momentInWords } from '../output/formats/cells.ts';
import { homeOf } from '../profiles/home.ts';
import { referenceNames } from '../selectors/reference-names.ts';
import { servedResource } from '../selectors/state-numbers.ts';

interface Options extends ImportFlags {
  readonly out?: string;
  readonly exitCode?: boolean;
}

export function build(run: Run): Command {
  return withGlobals(withImportFlags(new Command('plan').description('Write down what an import would do.')))
    .argument('<resource>', 'what the rows are; or show, to look at a plan')
    .argument('<file>', 'the file of rows; or the plan')
    .option('--out <file>', 'the plan that is written')
    .option('--exit-code', 'end with 11 where the plan has changes')
    .action(actionOf(run, plan));
}

async function plan(context: Context, name: string, file: string, flags: Options): Promise<number> {
  if (name === 'show') return show(context, file);
  const resource = resourceCalled(name);
  const { out } = flags;
  for (const flag of ['where', 'sort', 'limit'] as const)
    if (flags[flag] !== undefined)
      throw choiceRefused(`--${flag}`, 'pm plan', () => 'Leave the other rows out of the file.');
  if (out === undefined)
    throw new ServiceError('usage', 'where should the plan be written?', { hint: `--out ${stem(file)}.plan` });
  const session = await context.session();
  const served = await servedResource(context, session, resource);
  return withInput(context, file, flags, async (input) => {
    const { changes, counts } = await fileChanges(context, recordsOf(session), served, input, { file, flags });
    const { planAll, unchanged } = planner(() => crypto.randomUUID());
    const meter = openSizeMeter();
    const rows = withoutSecrets(meter.through(planAll(changes())));
    const header = planHeader(context, session, `${resource.command} import ${nameOf(file)}`);
    const whole = (): number => unchanged() + counts.unchanged;
    const written = await writePlanFile(outputOf(context, '--out', out), header, rows, whole);
    announceCounts(context, session, meter.size.verbs);
    for (const line of meter.size.cautions) context.note(line);
    const remarks = remarksOn(counts);
    if (remarks !== '') context.note(`  ${remarks}`);
    const next = context.settings.dryRun
      ? 'Not written: this is a dry run.'
      : `Look: pm plan show ${out}. Run: pm apply ${out}`;
    context.note(`${out}: ${counted(written.rows, 'change')}, ${spaced(written.unchanged)} unchanged. ${next}`);
    return flags.exitCode && written.rows > 0 ? EXIT.different : 0;
  });
}

const stem = (file: string): string => file.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '') || 'changes';

/** Throws `invalid` for rows with passwords: plans are read by others and hold none. */
async function* withoutSecrets(rows: AsyncIterable<PlannedRow>): AsyncGenerator<PlannedRow> {
  for await (const row of rows) {
    if (row.secret)
      throw new ServiceError(
        'invalid',
        `line ${row.line ?? row.number} sets ${row.secret.members.join(', ')}, which no plan holds`,
        {
          hint: `Leave the column out of the plan: --map ${row.secret.members.join()}=; or import the file at once.`,
        },
      );
    yield row;
  }
}

/** Everything is counted from the rows: the first line of a plan says what its maker wants it to say. */
async function show(context: Context, file: string): Promise<number> {
  const { header, hash, rows } = await readPlanFile(resolve(context.io.cwd, file));
  const meter = openSizeMeter();
  const counts = new Map<string, number>();
  for await (const { resource, operation } of meter.through(rows())) {
    const what = `${resource} ${operation}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const parts = [...counts].map(([what, count]) => `${count} ${what}`);
  context.note(
    `${header.title}, for ${header.profile} (${header.url}), as ${header.caller}, made ${momentInWords(header.created, await clockOf(context))}`,
  );
  context.note(
    `${counted(meter.size.changes, 'change')}: ${parts.join(', ') || 'none'}; ${spaced(header.unchanged)} unchanged`,
  );
  for (const line of meter.size.cautions) context.note(line);
  context.note(`To run this and nothing else: pm apply ${file} --expect ${hash}`);
  const session = await sessionOf(context, header);
  const names = referenceNames(session);
  const { found, lines } = await consequencesHere(
    context,
    session,
    header,
    meter.size.affecting > 0 ? rows : undefined,
  );
  const exit = await context.print({
    shape: plannedShape(['File', 'Name']),
    rows: plannedRows(asRehearsed(rows(), found), { names }),
    nameOf: plannedNames(names),
  });
  for (const line of lines) context.note(line);
  return exit;
}

interface Consequences {
  /** By the number of the row. */
  readonly found: ReadonlyMap<number, readonly Consequence[]>;
  readonly lines: readonly string[];
}

/** What the plan would do to other records if it were applied now, on the embedded engine; nothing without `rows`. */
async function consequencesHere(
  context: Context,
  session: Session | undefined,
  { title }: PlanHeader,
  rows: (() => AsyncGenerator<PlannedRow>) | undefined,
): Promise<Consequences> {
  const found = new Map<number, readonly Consequence[]>();
  if (!session || !rows) return { found, lines: [] };
  // A plan that has run is in the journal under its own ID.
  const job = newJob(context, session, { kind: 'apply', title }, {});
  const total = await previewConsequences(
    session,
    { job, rows, isKept: false },
    {
      ...{ clock: () => context.io.now(), newID: () => crypto.randomUUID() },
      found: ({ number }, consequences) => void found.set(number, consequences),
    },
  );
  return { found, lines: await consequenceLines(session, total) };
}

/** The session that knows the records of a plan for the embedded engine. A remote service is not asked. */
async function sessionOf(context: Context, { url, site }: PlanHeader): Promise<Session | undefined> {
  // To look at a plan makes no new site.
  const isHere = !context.settings.remote && url === urlOf(context) && existsSync(join(homeOf(context.io), 'local.db'));
  const session = isHere ? await context.session() : undefined;
  return session?.me.site === site ? session : undefined;
}

async function* asRehearsed(rows: AsyncIterable<PlannedRow>, found: Consequences['found']): AsyncGenerator<Rehearsed> {
  for await (const row of rows) yield { row, consequences: found.get(row.number) ?? [] };
}
