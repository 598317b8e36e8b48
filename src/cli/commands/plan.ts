// pm plan: what an import would do, written down to be looked at, and applied later.
import { Command } from 'commander';
import type { Change } from '../../changes/plan/change.ts';
import { writePlanFile } from '../../changes/plan/plan-file.ts';
import { openSizeMeter } from '../../changes/plan/plan-size.ts';
import { planner } from '../../changes/plan/planner.ts';
import type { Session } from '../../contract/call.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import type { Resource } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { counted, spaced } from '../../text/thousands.ts';
import { planHeader } from '../changes/bulk.ts';
import { announceCounts } from '../changes/confirm.ts';
import { type ImportFlags, withImportFlags } from '../changes/flags.ts';
import { planCommand } from '../changes/journal.ts';
import { fileChanges, nameOf, openRecords, remarksOn, withInput } from '../changes/open-input.ts';
import { actionOf, choiceRefused, REASSIGN_DOC, type Run, withGlobals } from '../command.ts';
import type { Context } from '../context.ts';
import { outputOf } from '../input/files.ts';
import { resourceCalled } from '../names.ts';
import { servedResource } from '../selectors/state-numbers.ts';

interface Options extends ImportFlags {
  readonly out?: string;
  readonly exitCode?: boolean;
  readonly reassignTo?: string;
}

export function build(run: Run): Command {
  return withGlobals(withImportFlags(new Command('plan').description('Write down what an import would do.')))
    .argument('<resource>', 'what the rows are; or show, to look at a plan')
    .argument('<file>', 'the file of rows; or the plan')
    .option('--out <file>', 'the plan that is written')
    .option('--exit-code', 'end with 11 where the plan has changes')
    .option('--reassign-to <ref>', `with --mode delete of individuals: ${REASSIGN_DOC}`)
    .action(actionOf(run, plan));
}

async function plan(context: Context, name: string, file: string, flags: Options): Promise<number> {
  if (name === 'show') return (await import('./plan-show.ts')).showPlan(context, file);
  const resource = resourceCalled(name);
  const { out, reassignTo } = flags;
  for (const flag of ['where', 'sort', 'limit'] as const)
    if (flags[flag] !== undefined)
      throw choiceRefused(`--${flag}`, 'pm plan', () => 'Leave the other rows out of the file.');
  if (out === undefined)
    throw new ServiceError('usage', 'where should the plan be written?', { hint: `--out ${stem(file)}.plan` });
  if (reassignTo !== undefined) checkDeletion(resource, flags);
  const session = await context.session();
  const served = await servedResource(context, session, resource);
  return withInput(context, file, flags, async (input) => {
    const records = await openRecords(context, session, {});
    const { changes, counts } = await fileChanges(context, records, served, input, { file, flags });
    const { planAll, unchanged } = planner(() => crypto.randomUUID());
    const meter = openSizeMeter();
    const all = reassignTo === undefined ? changes() : withReassigned(context, session, changes(), reassignTo);
    const rows = withoutSecrets(meter.through(planAll(all)));
    const header = planHeader(context, session, `${resource.command} import ${nameOf(file)}`);
    const whole = (): number => unchanged() + counts.unchanged;
    const written = await writePlanFile(outputOf(context, '--out', out), header, rows, whole);
    announceCounts(context, session, meter.size.verbs);
    for (const line of meter.size.cautions) context.note(line);
    const remarks = remarksOn(counts);
    if (remarks !== '') context.note(`  ${remarks}`);
    const next = context.settings.dryRun
      ? 'Not written: this is a dry run.'
      : commandsOn(context, out, reassignTo === undefined ? [] : ['--on-error', 'rollback']);
    context.note(`${out}: ${counted(written.rows, 'change')}, ${spaced(written.unchanged)} unchanged. ${next}`);
    return flags.exitCode && written.rows > 0 ? EXIT.different : 0;
  });
}

const commandsOn = (context: Context, file: string, flags: readonly string[]): string =>
  `Look: ${planCommand(context, ['plan', 'show', file])}. Run: ${planCommand(context, ['apply', file, ...flags])}`;

/** Throws `usage` where no individual is to be deleted. */
function checkDeletion({ name }: Resource, { mode }: Options): void {
  if (name === 'individual' && mode === 'delete') return;
  throw new ServiceError('usage', '--reassign-to is for the deletion of individuals', {
    hint: 'pm plan individuals <file> --mode delete --reassign-to <ref> --out <file>',
  });
}

/** What names those who are deleted is given to the other one first. Throws as `reassigned`, and what the file throws. */
async function* withReassigned(
  context: Context,
  session: Session,
  changes: AsyncIterable<Change>,
  to: string,
): AsyncGenerator<Change> {
  const deletions = await collect(changes);
  const { reassigned } = await import('../consequences/reassign.ts');
  const ids = deletions.flatMap(({ id }) => id ?? []);
  yield* await reassigned(context, session, ids, to);
  yield* deletions;
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
