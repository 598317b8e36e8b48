// pm apply <folder>: makes the site as its files declare it, as one job; and pm check, which does so on a throw-away site.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { counted } from '../../text/thousands.ts';
import { placeOf, withLocal } from '../backend.ts';
import type { RunFlags } from '../changes/flags.ts';
import { runFileChanges } from '../changes/make-changes.ts';
import type { Context } from '../context.ts';
import { asTyped } from '../output/calling.ts';
import { declarationIn, type FolderFlags, folderChanges } from './folder-changes.ts';

/** Answers the exit code. Throws as `declarationIn`; `BadFile` with the faults of all files, and nothing was changed then. */
export async function applyFolder(
  context: Context,
  place: string,
  flags: RunFlags & FolderFlags & { readonly expect?: string },
): Promise<number> {
  if (flags.expect !== undefined)
    throw new ServiceError('usage', `--expect is the hash of a plan, and ${place} is not one`, {
      hint: `Make a plan of it: pm apply ${asTyped(place, context.io)} -n --out site.plan`,
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
    return await withLocal(place, {}, (session) => checkIn(context, folder, flags, session));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A dry run, of which only its faults are printed. */
async function checkIn(asked: Context, folder: string, flags: FolderFlags, session: Session): Promise<number> {
  const settings = { ...asked.settings, dryRun: true };
  const context: Context = { ...asked, settings, session: async () => session };
  const declaration = await declarationIn(context, folder, flags);
  const { changes, counts } = folderChanges(context, declaration, { ...flags, quiet: true, isCheck: true });
  const silent: Pick<Context, 'note' | 'print'> = {
    note: () => undefined,
    async print({ rows }) {
      // A rehearsal goes on as its rows are read.
      for await (const _ of rows);
      return 0;
    },
  };
  const command = { kind: 'import', title: `check ${folder}`, settings: declaration.settings, counts } as const;
  const exit = await runFileChanges({ ...context, ...silent }, changes(), command, {});
  if (exit === 0) context.note(`${folder}: ${counted(counts().rows, 'record')}, and no fault.`);
  return exit;
}
