// What a command does to what is there: whether it writes, may be given twice, and is taken back by pm undo.
import type { Command } from 'commander';
import { canUndo } from '../../changes/plan/cautions.ts';
import { everyResource } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import { kebab } from '../names.ts';
import { isChanging } from './flags-of.ts';

interface Effect {
  /** Does it change something: records, jobs, profiles, credentials? A file that a flag names does not count. */
  readonly writes: boolean;
  /** Has it, given twice, the effect of once? null: as what it is given. */
  readonly repeatable: boolean | null;
  /** Does pm undo take it back? null: as what it is given, or there is nothing to take back. */
  readonly undoable: boolean | null;
}

const READS: Effect = { writes: false, repeatable: true, undoable: null };
const writing = (repeatable: boolean | null, undoable: boolean | null): Effect => ({
  writes: true,
  repeatable,
  undoable,
});

/** The commands that write and are no operation of the contract. */
export const HANDWRITTEN_EFFECTS: Readonly<Record<string, Effect>> = {
  seed: writing(true, false),
  import: writing(true, true),
  each: writing(null, true),
  apply: writing(true, true),
  api: writing(null, false),
  mcp: writing(true, null),
  undo: writing(false, true),
  'jobs resume': writing(true, true),
  'jobs retry': writing(true, true),
  'jobs settle': writing(true, false),
  'jobs prune': writing(true, false),
  'history prune': writing(true, false),
  clone: writing(true, false),
  'permissions set': writing(true, true),
  'sites grant-global': writing(true, false),
  passwd: writing(true, false),
  login: writing(false, false),
  logout: writing(true, false),
  'tokens create': writing(false, false),
  'tokens revoke': writing(true, false),
  'profiles use': writing(true, false),
  'profiles delete': writing(true, false),
  'profiles add': writing(true, false),
  'completion install': writing(true, false),
};

/** They take the flags of changes, and write files alone. */
export const FILES_ONLY: readonly string[] = ['export', 'jobs report'];

/** Flags that make a command write which only reads without them. */
const WRITING_FLAGS: Readonly<Record<string, string>> = { doctor: '--probe' };

export const makesWrite = (path: string, flag: string | undefined): boolean => WRITING_FLAGS[path] === flag;

/** The effect of a command, by the words that call it. */
export function effectOf(path: string, command: Command): Effect {
  const known = FILES_ONLY.includes(path) ? READS : HANDWRITTEN_EFFECTS[path];
  if (known) return known;
  const [resource, operation] = operationOf(path) ?? [];
  if (resource && operation)
    return operation.writes ? writing(operation.repeatable, canUndo(resource, operation)) : READS;
  return isChanging(command) ? writing(null, null) : READS;
}

/** The operation of the contract that has this command. */
export function operationOf(path: string): readonly [Resource, Operation] | undefined {
  const [first, verb] = path.split(' ');
  const resource = everyResource.find(({ command, hidden }) => command === first && !hidden);
  const operation = Object.values(resource?.operations ?? {}).find(({ name }) => kebab(name) === verb);
  return resource && operation && [resource, operation];
}
