// pm seed: fills a site with a sample, through the engine's own rules.
import { type Command, Option } from 'commander';
import type { Caller, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { holdsSample, type SeedReport, type SeedTarget, seedSample } from '../../sites/seed.ts';
import { collect } from '../../text/batches.ts';
import { defined } from '../../text/defined.ts';
import { placeOf, withLocal } from '../backend.ts';
import { finishing } from '../changes/running.ts';
import { actionOf, changing, type Run } from '../command.ts';
import { type Context, checkLocal, checkProfileNamed, createdNote, rehearsedNote } from '../context.ts';
import { resourceCalled } from '../names.ts';
import { progress } from '../output/progress.ts';
import { positive } from '../settings.ts';

type Sample = Parameters<typeof seedSample>[0];
interface Options {
  readonly sample: string;
  readonly individuals: string;
  readonly randomSeed: string;
}

export function build(run: Run): Command {
  return changing('seed', 'Fill a site with a sample: small is a company of 60, large one of any size.')
    .addOption(new Option('--sample <size>', 'small or large').choices(['small', 'large']).makeOptionMandatory())
    .option('--individuals <n>', 'how many individuals a large sample has', '1000')
    .option('--random-seed <n>', 'the same number gives the same large sample', '1')
    .addHelpText('after', HELP)
    .action(actionOf(run, seed));
}

const HELP = `
A sample is made whole or not at all: after an interruption, run it again. It is
no job, so that pm undo does not take it back; what is changed in it later can
be undone.`;

/** A sample is one transaction, however large: pages that are not in memory are read again and again. */
const CACHE_MIB = 256;

async function seed(context: Context, options: Options): Promise<number> {
  checkProfileNamed(context);
  checkLocal(context, 'seed');
  const sample = sampleOf(options);
  const { settings, io } = context;
  let now = io.now();
  const place = { ...placeOf(context), clock: () => now, cacheMib: CACHE_MIB, rehearses: settings.dryRun };
  const who = defined<Caller>({ site: settings.site, user: settings.as });
  return withLocal(place, who, async (session, { created, place: at }) => {
    if (created) context.note(settings.dryRun ? rehearsedNote(at) : createdNote(at, place.owner));
    if (await holdsSample(sample, session)) {
      context.note(`The site holds this sample already: ${described(sample)}. Nothing was made.`);
      return 0;
    }
    await checkEmpty(session, commandOf(sample));
    const rehearsed = settings.dryRun ? ' (dry run: nothing is made)' : '';
    context.note(`▲ ${settings.profile} as ${session.me.userName} – ${described(sample)}${rehearsed}`);
    if (settings.dryRun) return 0;
    const target = { session, setClock: (at: Date) => (now = at), today: io.now() };
    noteReport(context, await withBar(context, sample, target));
    return 0;
  });
}

async function withBar(context: Context, sample: Sample, target: Omit<SeedTarget, 'onProgress'>): Promise<SeedReport> {
  let bar: ReturnType<typeof progress> | undefined;
  let shown = 0;
  const onProgress = (done: number, total: number): void => {
    if (context.io.stopped?.aborted)
      throw new ServiceError('interrupted', 'interrupted: nothing of the sample was made', {
        hint: 'Run the command again to make it.',
      });
    bar ??= progress(context.io, { title: 'Records', total, quiet: !context.settings.progress });
    bar.expect(total);
    bar.tick(done - shown);
    shown = done;
  };
  const said = 'Interrupted: the sample is removed again.';
  return finishing(context, () => seedSample(sample, { ...target, onProgress }), said).finally(() => bar?.done());
}

function noteReport(context: Context, report: SeedReport): void {
  const counts = Object.entries(report.counts).map(
    ([name, count]) => `${count} ${count === 1 ? (resourceCalled(name).aliases[0] ?? name) : name}`,
  );
  context.note(`Made ${counts.join(', ')}.`);
  context.note(
    'Try: pm individuals tree, or: pm individuals list --where "LastName ~ \'^S\'" --sort LastName --limit 5',
  );
}

function sampleOf(options: Options): Sample {
  if (options.sample === 'small') return { sample: 'small' };
  return {
    sample: 'large',
    individuals: positive('--individuals', options.individuals),
    randomSeed: positive('--random-seed', options.randomSeed),
  };
}

const described = (sample: Sample): string =>
  sample.sample === 'small'
    ? 'small sample'
    : `large sample of ${sample.individuals} individuals, random seed ${sample.randomSeed}`;

const commandOf = (sample: Sample): string =>
  sample.sample === 'small'
    ? 'pm seed --sample small'
    : `pm seed --sample large --individuals ${sample.individuals} --random-seed ${sample.randomSeed}`;

/** Throws `conflict` if the site has individuals: a sample needs an empty site. */
async function checkEmpty(session: Session, command: string): Promise<void> {
  const { list } = contract.individual.operations;
  const found = await collect(session.list(list, { by: 'plain', query: { deleted: 2 } }, { limit: 2 }));
  if (found.length <= 1) return;
  throw new ServiceError('conflict', 'the site has individuals already; a sample goes into an empty site', {
    hint: `Make one: pm sites create Sample --admin sample.admin, then: ${command} --site Sample. Or set PM_HOME to an empty folder.`,
  });
}
