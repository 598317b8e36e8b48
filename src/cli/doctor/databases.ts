// The doctor's look at the database and the journal, and at what lies beside them. Neither is migrated by it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FileKind } from '../../engine/store/sqlite/file-version.ts';
import type { FileState } from '../../engine/store/sqlite/files.ts';
import { openLocal, placeOf } from '../backend.ts';
import type { Context } from '../context.ts';
import { homeOf } from '../profiles/home.ts';
import { bad, type Finding, faultOf, ok } from './finding.ts';

export async function lookAtDatabases(context: Context): Promise<readonly Finding[]> {
  const { DATABASE, JOURNAL } = await import('../../engine/store/schema/versions.ts');
  const home = homeOf(context.io);
  return [
    ...(await lookAt('database', join(home, 'local.db'), DATABASE, () => opens(context))),
    ...(await lookAt('journal', join(home, 'journal.db'), JOURNAL)),
  ];
}

async function lookAt(
  check: string,
  file: string,
  kind: FileKind,
  open?: () => Promise<void>,
): Promise<readonly Finding[]> {
  if (!existsSync(file)) return [];
  const { stateOf } = await import('../../engine/store/sqlite/files.ts');
  try {
    const state = stateOf(file, kind);
    if (state.version === state.newest) await open?.();
    return [versionFound(check, file, state), ...besides(file, state)];
  } catch (error) {
    return [faultOf(check, error)];
  }
}

async function opens(context: Context): Promise<void> {
  const { backend } = await openLocal(placeOf(context.io));
  await backend.close();
}

function versionFound(check: string, file: string, { version, newest }: FileState): Finding {
  if (version === newest) return ok(check, `${file} can be used; its tables have version ${version}`);
  const found = `${file} is of an older pm: its tables have version ${version}, this pm makes ${newest}`;
  return bad(check, 'warning', found, 'The next command that uses it migrates it, and puts a copy of it aside.');
}

const besides = (file: string, { copies, drafts }: FileState): readonly Finding[] => [
  ...copies.map((copy) => ({
    ...ok('copy', `${copy} is ${file} as it was before a migration`),
    Advice: 'Delete it when you are sure that you do not want to go back.',
  })),
  ...drafts.map((draft) =>
    bad('draft', 'warning', `${draft} was left by a process that ended too early`, `rm '${draft}'`),
  ),
];
