// pm clone: copies a whole database, from a file to a server or back.
import type { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { boolean } from '../../contract/field.ts';
import type { Compared } from '../../engine/store/clone/compare.ts';
import type { Origin, Unfinished } from '../../engine/store/clone/mark.ts';
import type { Counted, Destination, Source, Watch } from '../../engine/store/clone/sides.ts';
import { counted as inWords } from '../../text/thousands.ts';
import type { NamedSide } from '../clone/sides.ts';
import { actionOf, changing, type Run } from '../command.ts';
import type { Context } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { type Progress, progress } from '../output/progress.ts';
import { integers, type Shape, shapeFrom, texts } from '../output/result.ts';

interface Options extends GlobalValues {
  readonly anew?: boolean;
}

const PLAN: Shape = { ...shapeFrom('Table', { ...texts('Table'), ...integers('Rows') }), id: 'Table' };
const REPORT: Shape = {
  ...shapeFrom(
    'Table',
    { ...texts('Table'), ...integers('Rows', 'Copied'), Equal: boolean('read-only'), ...texts('Sha256') },
    ['Table', 'Rows', 'Copied', 'Equal'],
  ),
  id: 'Table',
};

export function build(run: Run): Command {
  return changing('clone', 'Copy a whole database: from the file to a server, and back.')
    .argument('<from>', 'local, a file, postgres://user@host/name, or the profile of one')
    .argument('<to>', 'the same; a file that is not there yet, or an empty database')
    .option('--anew', 'delete the unfinished clone that is there, and begin again')
    .addHelpText('after', HELP)
    .action(actionOf(run, clone));
}

const HELP = `
All sites are copied: records, deleted ones too, history, jobs with their undo,
passwords and tokens, and the numbers that come next. Profiles, and the journal
of remote services, stay. Then both sides are read and compared, and each table
is shown that has rows: how many, and whether all values are equal; -o json has
their hashes. Until all are equal, every other command refuses the copy.

Whatever ends it, the same command goes on. The source can be read meanwhile.
What is written there is not in the copy: end pm serve, and wait for jobs. If
the source has changed before the clone could go on, begin again with --anew.

A place that holds records is refused. Where sites have worked on a server,
their history gets new numbers in a file, in the same order.`;

async function clone(context: Context, fromText: string, toText: string, options: Options): Promise<number> {
  checkFlags(options);
  const { sideNamed, openSource, destinationAt, TABLES } = await import('../clone/sides.ts');
  const { copiedTables } = await import('../../engine/store/clone/tables.ts');
  const { checkOrigin, countTables } = await import('../../engine/store/clone/clone.ts');
  const { io } = context;
  const from = sideNamed(fromText, 'source', io);
  const to = sideNamed(toText, 'target', io);
  if (from.command === to.command) throw new ServiceError('usage', 'the source and the target are the same place');
  const destination = destinationAt(to, io);
  const found = await destination.find();
  const source = await openSource(from, io);
  try {
    await checkQuiet(source, from);
    const counted = await countTables(source, copiedTables(TABLES.resources, TABLES.computed));
    if (context.settings.dryRun) {
      if (found && !options.anew) checkOrigin(destination.place, found, originOf(source, from, destination));
      return await rehearse(context, { source, destination }, counted, fateOf(found, options));
    }
    if (found && options.anew) await destination.clear();
    return await run(context, { source, from, to, destination }, counted);
  } finally {
    await source.close();
  }
}

interface Ends {
  readonly source: Source;
  readonly from: NamedSide;
  readonly destination: Destination;
}

const originOf = ({ state }: Source, from: NamedSide, { place }: Destination): Origin => ({
  source: from.command,
  target: place,
  state,
});

/** Throws `usage` for flags that say where other commands look. */
function checkFlags({ profile, database, site, as }: Options): void {
  const given = Object.entries({ profile, database, site, as }).find(([, value]) => value !== undefined);
  if (!given) return;
  throw new ServiceError('usage', `pm clone takes no --${given[0]}: it copies all sites of the places that it names`, {
    hint: 'Write it as pm clone <from> <to>',
  });
}

/** Throws `busy` where a job is running in the source: the clone would have a part of it. */
async function checkQuiet(source: Source, { flags }: NamedSide): Promise<void> {
  const { runningJobs } = await import('../../engine/store/clone/clone.ts');
  const [job, ...others] = await runningJobs(source);
  if (job === undefined) return;
  const all = others.length === 0 ? `job ${job} is` : `${others.length + 1} jobs, as ${job}, are`;
  const takeOver = flags === undefined ? '' : ` If no pm runs it any more: pm jobs resume ${job} --takeover ${flags}`;
  throw new ServiceError('busy', `${all} running in ${source.place}`, { hint: `Wait until it ends.${takeOver}` });
}

/** The fate of a clone that is under way there, in words. */
function fateOf(found: Unfinished | undefined, { anew }: Options): string {
  if (!found) return '';
  return anew ? '; the unfinished clone there would be deleted' : '; the unfinished clone there would go on';
}

function rehearse(
  context: Context,
  { source, destination }: Pick<Ends, 'source' | 'destination'>,
  counted: readonly Counted[],
  fate: string,
): Promise<number> {
  announce(context, source.place, destination.place, counted, ` (dry run: nothing is copied${fate})`);
  const rows = counted.filter(({ rows }) => rows > 0).map(({ table, rows }) => ({ Table: table.name, Rows: rows }));
  return context.print({ shape: PLAN, rows });
}

function announce(context: Context, from: string, to: string, counted: readonly Counted[], end = ''): void {
  const rows = counted.reduce((sum, one) => sum + one.rows, 0);
  context.note(`▲ ${from} → ${to} – ${inWords(rows, 'row')}${end}`);
}

async function run(
  context: Context,
  { source, from, to, destination }: Ends & { readonly to: NamedSide },
  counted: readonly Counted[],
): Promise<number> {
  const engine = await import('../../engine/store/clone/clone.ts');
  announce(context, source.place, destination.place, counted);
  const watch = watchOf(context);
  const tables = counted.map(({ table }) => table);
  let compared: readonly Compared[];
  try {
    compared = await engine.clone(
      { source, origin: originOf(source, from, destination), destination, tables, watch },
      counted,
    );
  } finally {
    watch.end();
  }
  await context.print({
    shape: REPORT,
    rows: compared.map(({ table, rows, copied, isEqual, sha256 }) => ({
      ...{ Table: table, Rows: rows, Copied: copied, Equal: isEqual, Sha256: sha256 },
    })),
  });
  checkEqual(compared, from, to);
  context.note(`Both are equal.${to.flags === undefined ? '' : ` To look at it: pm whoami ${to.flags}`}`);
  if (await source.isChanged())
    context.note(`warning: ${source.place} was written meanwhile; that is not in the clone.`);
  return 0;
}

/** Throws `conflict`. */
function checkEqual(compared: readonly Compared[], from: NamedSide, to: NamedSide): void {
  const different = compared.filter(({ isEqual }) => !isEqual).map(({ table }) => table);
  if (different.length === 0) return;
  throw new ServiceError('conflict', `the clone differs from its source in ${different.join(', ')}`, {
    hint: 'It stays marked as not whole.',
    next: { do: 'clone', from: from.command, to: to.command, anew: true },
  });
}

/** One bar for each part of the work. Who listens is not ended by a signal: the clone stops between two pages. */
function watchOf({ io, settings }: Context): Watch & { end(): void } {
  let bar: Progress | undefined;
  const listen = (): void => undefined;
  io.stopped?.addEventListener('abort', listen);
  return {
    stopped: io.stopped,
    begin(title, total, done) {
      bar?.done();
      bar = progress(io, { title, total, quiet: !settings.progress });
      if (done > 0) bar.tick(done);
    },
    done: (rows) => bar?.tick(rows),
    end() {
      bar?.done();
      io.stopped?.removeEventListener('abort', listen);
    },
  };
}
