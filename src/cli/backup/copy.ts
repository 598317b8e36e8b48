// What pm backup and pm restore do: copy a whole database, from a file to a server or back.
import type { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { boolean } from '../../contract/field.ts';
import type { Compared } from '../../engine/store/clone/compare.ts';
import type { Origin, Unfinished } from '../../engine/store/clone/mark.ts';
import type { Counted, Destination, Source, Watch } from '../../engine/store/clone/sides.ts';
import { counted as inWords } from '../../text/thousands.ts';
import { actionOf, changing, type Run } from '../command.ts';
import type { Context } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { type Progress, progress } from '../output/progress.ts';
import { integers, type Shape, shapeFrom, texts } from '../output/result.ts';
import type { NamedSide } from './sides.ts';

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

type Name = 'backup' | 'restore';

/** The command of this name, without its arguments. */
export const copyingCommand = (run: Run, name: Name, doc: string): Command =>
  changing(name, doc)
    .option('--anew', 'delete the unfinished copy that is there, and begin again')
    .action(
      actionOf(run, (context, from: string, to: string, options: Options) => copy(context, name, from, to, options)),
    );

interface Ends {
  readonly source: Source;
  readonly from: NamedSide;
  readonly to: NamedSide;
  readonly destination: Destination;
  readonly origin: Origin;
}

async function copy(context: Context, name: Name, fromText: string, toText: string, options: Options): Promise<number> {
  checkFlags(name, options);
  const { sideNamed, openSource, destinationAt, TABLES } = await import('./sides.ts');
  const { copiedTables } = await import('../../engine/store/clone/tables.ts');
  const { checkOrigin, countTables } = await import('../../engine/store/clone/clone.ts');
  const { io } = context;
  const from = sideNamed(fromText, 'source', io);
  const to = sideNamed(toText, 'target', io);
  if (from.command === to.command) throw new ServiceError('usage', 'the source and the target are the same place');
  const destination = destinationAt(to, io);
  const unfinished = await destination.find();
  const source = await openSource(from, io);
  try {
    await checkQuiet(source, from);
    const counted = await countTables(source, copiedTables(TABLES.resources, TABLES.computed));
    const origin: Origin = { source: from.command, target: destination.place, state: source.state, by: name };
    const ends: Ends = { source, from, to, destination, origin };
    if (context.settings.dryRun) {
      if (unfinished && !options.anew) checkOrigin(destination.place, unfinished, origin);
      return await rehearse(context, ends, counted, fateOf(unfinished, options));
    }
    if (unfinished && options.anew) await destination.clear();
    return await run(context, ends, counted);
  } finally {
    await source.close();
  }
}

/** Throws `usage` for flags that say where other commands look. */
function checkFlags(name: Name, { profile, database, site, as }: Options): void {
  const given = Object.entries({ profile, database, site, as }).find(([, value]) => value !== undefined);
  if (!given) return;
  throw new ServiceError(
    'usage',
    `pm ${name} takes no --${given[0]}: it copies all sites of the places that it names`,
    {
      hint: `Write it as pm ${name} <from> <to>`,
    },
  );
}

/** Throws `busy` where a job is running in the source: the copy would have a part of it. */
async function checkQuiet(source: Source, { flags }: NamedSide): Promise<void> {
  const { runningJobs } = await import('../../engine/store/clone/clone.ts');
  const [job, ...others] = await runningJobs(source);
  if (job === undefined) return;
  const all = others.length === 0 ? `job ${job} is` : `${others.length + 1} jobs, as ${job}, are`;
  const takeOver = flags === undefined ? '' : ` If no pm runs it any more: pm jobs resume ${job} --takeover ${flags}`;
  throw new ServiceError('busy', `${all} running in ${source.place}`, { hint: `Wait until it ends.${takeOver}` });
}

/** The fate of a copy that is under way there, in words. */
function fateOf(unfinished: Unfinished | undefined, { anew }: Options): string {
  if (!unfinished) return '';
  return anew ? '; the unfinished copy there would be deleted' : '; the unfinished copy there would go on';
}

function rehearse(context: Context, ends: Ends, counted: readonly Counted[], fate: string): Promise<number> {
  announce(context, ends, counted, ` (dry run: nothing is copied${fate})`);
  const rows = counted.filter(({ rows }) => rows > 0).map(({ table, rows }) => ({ Table: table.name, Rows: rows }));
  return context.print({ shape: PLAN, rows });
}

function announce(context: Context, { source, destination }: Ends, counted: readonly Counted[], end = ''): void {
  const rows = counted.reduce((sum, one) => sum + one.rows, 0);
  context.note(`▲ ${source.place} → ${destination.place} – ${inWords(rows, 'row')}${end}`);
}

async function run(context: Context, ends: Ends, counted: readonly Counted[]): Promise<number> {
  const { source, from, to, destination, origin } = ends;
  const engine = await import('../../engine/store/clone/clone.ts');
  announce(context, ends, counted);
  const watch = watchOf(context);
  const tables = counted.map(({ table }) => table);
  let compared: readonly Compared[];
  try {
    compared = await engine.clone({ source, origin, destination, tables, watch }, counted);
  } finally {
    watch.end();
  }
  await context.print({
    shape: REPORT,
    rows: compared.map(({ table, rows, copied, isEqual, sha256 }) => ({
      Table: table,
      Rows: rows,
      Copied: copied,
      Equal: isEqual,
      Sha256: sha256,
    })),
  });
  checkEqual(compared, origin.by, from, to);
  context.note(`Both are equal.${to.flags === undefined ? '' : ` To look at it: pm whoami ${to.flags}`}`);
  if (await source.isChanged())
    context.note(`warning: ${source.place} was written meanwhile; that is not in the copy.`);
  return 0;
}

/** Throws `conflict`. */
function checkEqual(compared: readonly Compared[], by: Name, from: NamedSide, to: NamedSide): void {
  const different = compared.filter(({ isEqual }) => !isEqual).map(({ table }) => table);
  if (different.length === 0) return;
  throw new ServiceError('conflict', `the copy differs from its source in ${different.join(', ')}`, {
    hint: 'It stays marked as not whole.',
    next: { do: by, from: from.command, to: to.command, anew: true },
  });
}

/** One bar for each part of the work. Who listens is not ended by a signal: the copy stops between two pages. */
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
