// pm apply <folder>: makes the site as its files declare it, as one job; and pm check, which does so on a throw-away site.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planner } from '../../changes/plan/planner.ts';
import { runChange } from '../../changes/run-change.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { counted } from '../../text/thousands.ts';
import { placeOf, withLocal } from '../backend.ts';
import { printFailures } from '../changes/failures.ts';
import type { RunFlags } from '../changes/flags.ts';
import { newJob } from '../changes/journal.ts';
import { runFileChanges } from '../changes/make-changes.ts';
import { runOptions } from '../changes/running.ts';
import type { Context } from '../context.ts';
import { declarationIn, type FolderFlags, folderChanges } from './folder-changes.ts';

/** Answers the exit code. Throws as `declarationIn`; `BadFile` with the faults of all files, and nothing was changed then. */
export async function applyFolder(
  context: Context,
  place: string,
  flags: RunFlags & FolderFlags & { readonly expect?: string },
): Promise<number> {
  if (flags.expect !== undefined)
    throw new ServiceError('usage', `--expect is the hash of a plan, and ${place} is not one`, {
      hint: `Make a plan of it: pm apply ${place} -n --out site.plan`,
    });
  const declaration = await declarationIn(context, place, flags);
  const { changes, counts } = folderChanges(context, declaration, flags);
  const command = { kind: 'import', title: `apply ${place}`, settings: declaration.settings, counts } as const;
  return runFileChanges(context, changes(), command, flags);
}

/**
 * Reads a folder, and rehearses what it declares on a site that is made for it, in a folder of its own. Answers the exit code. Throws
 * as `declarationIn`, and `BadFile` with the faults of all files.
 */
export async function checkFolder(context: Context, folder: string, flags: FolderFlags): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'pm-check-'));
  try {
    const place = { ...placeOf(context), home, database: undefined };
    return await withLocal(place, {}, (session) => checkIn(withSession(context, session), folder, flags));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const withSession = (context: Context, session: Session): Context => ({ ...context, session: async () => session });

async function checkIn(context: Context, folder: string, flags: FolderFlags): Promise<number> {
  const session = await context.session();
  const declaration = await declarationIn(context, folder, flags);
  const { changes, counts } = folderChanges(context, declaration, { ...flags, quiet: true, isCheck: true });
  const command = { kind: 'import', title: `check ${folder}`, settings: declaration.settings } as const;
  const job = newJob(context, session, command, {});
  const plan = planner(() => crypto.randomUUID());
  const options = runOptions(context, { secretOf: ({ number }) => plan.secrets.get(number) });
  let records = 0;
  const ui = {
    planned: async () => undefined,
    async rehearsed(rows: AsyncIterable<unknown>) {
      for await (const _ of rows) records++;
    },
    watch: (_total: number, work: (how: typeof options) => ReturnType<typeof runChange>) => work(options),
  };
  const summary = await runChange(
    { session, jobs: () => context.jobs() },
    { job, rows: plan.planAll(changes()), rehearse: true },
    ui as Parameters<typeof runChange>[2],
    options,
  );
  if (summary) await printFailures(context, summary);
  const exit = summary?.exit ?? 0;
  if (exit === 0)
    context.note(`${folder}: ${counted(records + plan.unchanged() + counts().unchanged, 'record')}, and no fault.`);
  return exit;
}
