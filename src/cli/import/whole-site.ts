// pm import --dir: all files of an exported folder, in the order in which they name each other.
import { resolve } from 'node:path';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { agree } from '../agreement.ts';
import { checkNamed, targetWords } from '../announce.ts';
import type { Context } from '../context.ts';
import type { IntakeFlags, RunFlags } from '../jobs/flags.ts';
import { counted } from '../jobs/input.ts';
import { withJobs } from '../jobs/journal.ts';
import { reportFailures } from '../several.ts';
import { filesOf, type SiteFile } from './folder.ts';
import { type FileDone, importOne, type Way } from './one-file.ts';
import { exitOfAll, SITE_SUMMARY, tellSite } from './site-summary.ts';

type Flags = RunFlags & IntakeFlags;

/** Answers the exit code. On the embedded engine all files are one transaction: a file that cannot be read changes nothing. */
export async function importFolder(context: Context, dir: string, flags: Flags): Promise<number> {
  checkNamed(context);
  checkFlags(context, flags);
  await context.checkPrint(SITE_SUMMARY);
  const files = await filesOf(resolve(context.io.cwd, dir));
  const session = await context.session();
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  announceFolder(context, session, files.length, rows);
  if (rows === 0) return 0;
  if (!context.settings.dryRun) {
    const extent = { changes: rows, deletes: 0, finals: 0, verbs: new Map(), cautions: [] };
    await agree(context, extent, { kind: 'import' });
  }
  const { done, error } = session.local
    ? await together(context, session, files, flags)
    : await withJobs(context, flags.journal, (jobs) =>
        oneByOne({ context, session, jobs, flags, renamed: new Map() }, files),
      );
  await tellSite(context, done);
  const exit = exitOfAll(done);
  if (error === undefined) return exit;
  const some = done.some(({ summary }) => (summary?.counts.done ?? 0) > 0);
  const told = await reportFailures(context, [error], some ? 2 : 1);
  return exit === 0 ? told : exit;
}

function checkFlags({ settings }: Context, flags: Flags): void {
  const alone = (['key', 'map', 'form', 'sheet', 'delimiter', 'encoding', 'undoOut'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (alone !== undefined)
    throw new ServiceError('usage', `--${alone === 'undoOut' ? 'undo-out' : alone} is for one file, not for a folder`);
  if (flags.mode === 'delete' || flags.mode === 'undelete')
    throw new ServiceError('usage', `--mode ${flags.mode} is for one file, not for a folder`);
  if (!settings.remote) return;
  if (flags.onError === 'rollback')
    throw new ServiceError('usage', 'on a remote service a folder is imported file by file, and not taken back whole', {
      hint: 'Use --on-error stop; pm undo takes the files back one by one.',
    });
  if (settings.dryRun)
    throw new ServiceError('usage', 'a folder cannot be rehearsed on a remote service: its files name each other', {
      hint: 'Rehearse it on a profile of the embedded engine, or look at one file: pm import <resource> <file> -n',
    });
}

function announceFolder(context: Context, { me }: Session, files: number, rows: number): void {
  const rehearsed = context.settings.dryRun ? ' (dry run: nothing is changed)' : '';
  context.note(
    `▲ ${targetWords(context)} as ${me.userName} – ${counted(rows)} ${rows === 1 ? 'row' : 'rows'} in ${files} ${files === 1 ? 'file' : 'files'}${rehearsed}`,
  );
}

interface Ended {
  readonly done: readonly FileDone[];
  /** Why the later files were not begun. */
  readonly error?: unknown;
}

async function oneByOne(way: Way, files: readonly SiteFile[]): Promise<Ended> {
  const done: FileDone[] = [];
  for (const file of files) {
    try {
      const one = await importOne(way, file);
      done.push(one);
      if (endsHere(one, way.flags)) break;
    } catch (error) {
      return { done, error };
    }
  }
  return { done };
}

const endsHere = ({ summary }: FileDone, { onError = 'continue' }: Flags): boolean =>
  summary?.stopped !== undefined || (onError !== 'continue' && (summary?.exit ?? 0) !== 0);

class TakenBack extends Error {
  override readonly name = 'TakenBack';
}

async function together(context: Context, session: Session, files: readonly SiteFile[], flags: Flags): Promise<Ended> {
  let ended: Ended = { done: [] };
  const work = session.local?.transaction(async (inside) => {
    const jobs = inside.local?.jobs;
    if (!jobs) throw new Error('a transaction of the engine has its own doors');
    ended = await oneByOne({ context, session: inside, jobs, flags, renamed: new Map() }, files);
    const failed = flags.onError === 'rollback' && ended.done.some(({ summary }) => (summary?.exit ?? 0) !== 0);
    if (ended.error !== undefined) throw ended.error;
    if (context.settings.dryRun || failed) throw new TakenBack();
  });
  await work?.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error;
    ended = { done: ended.done.map(takenBack(context)) };
  });
  return ended;
}

/** Of a dry run the counts stay; of a rollback nothing was done. */
const takenBack =
  ({ settings }: Context) =>
  (one: FileDone): FileDone => {
    const { summary, ...rest } = one;
    if (!summary) return one;
    const { failed = 0, done = 0, skipped = 0, ...others } = summary.counts;
    const counts = settings.dryRun ? summary.counts : { ...others, failed, skipped: done + skipped };
    return { ...rest, summary: { ...summary, counts, rolledBack: summary } };
  };
