// The catalogue of commands: the arguments, flags, traits and exit codes of each, for programs and for completion.
import { type Argument, Command, Option } from 'commander';
import { canUndo } from '../../changes/plan/cautions.ts';
import { EXIT } from '../../contract/errors.ts';
import { everyResource } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import { isGlobalOption } from '../command.ts';
import { GLOBAL_FLAGS } from '../globals.ts';
import { kebab } from '../names.ts';
import { closedValues, isChanging, leavesOf, ownFlags, valueName, visibleFlags } from './flags-of.ts';

export interface FlagEntry {
  readonly Flag: string;
  readonly Short: string | null;
  /** The name of its value; null for a flag without one. */
  readonly Value: string | null;
  /** The words that it takes; null where it takes others. */
  readonly Values: readonly string[] | null;
  readonly Required: boolean;
  readonly Default: string | number | null;
  /** Does it make a command write that only reads without it? */
  readonly Writes: boolean;
  readonly Doc: string;
}

export interface ArgumentEntry extends Pick<FlagEntry, 'Required' | 'Values' | 'Doc'> {
  readonly Argument: string;
  readonly Several: boolean;
}

export interface CommandEntry {
  readonly Command: string;
  /** Does it change something: records, jobs, profiles, credentials? A file that a flag names does not count. */
  readonly Writes: boolean;
  /** Has it, given twice, the effect of once? null: that depends on its arguments. */
  readonly Repeatable: boolean | null;
  /** Does pm undo take it back? null: that depends on its arguments, or there is nothing to take back. */
  readonly Undoable: boolean | null;
  readonly Doc: string;
  readonly Arguments: readonly ArgumentEntry[];
  readonly Flags: readonly FlagEntry[];
  /** Those of the flags of every command that it has; the entry of pm alone describes them. */
  readonly GlobalFlags: readonly string[];
  readonly Exits: readonly number[];
}

/** The entry of pm itself with the flags of every command, and one for each command that does something. */
export const commandList = (commands: readonly Command[]): readonly CommandEntry[] => [
  entryOf('', program()),
  ...commands.flatMap((command) => leavesOf(command).map(([path, leaf]) => entryOf(path, leaf))),
];

/** pm without a command: it shows its help. */
export function program(): Command {
  const pm = new Command().description('Shows the help; the flags are those of every command.');
  for (const { flags, doc, choices } of GLOBAL_FLAGS) {
    const option = new Option(flags, doc);
    pm.addOption(choices ? option.choices(choices) : option);
  }
  return pm;
}

const { ok, usage, partly, unauthorized, forbidden, notFound, rejected, unreachable, unknown, storage } = EXIT;
const { different, confirmation, defect, hungUp, interrupted, readerGone, terminated } = EXIT;

export function entryOf(path: string, command: Command): CommandEntry {
  const traits = traitsOf(path, command);
  const Flags = ownFlags(command).map((option) => flagEntry(option, WRITING_FLAGS[path] === option.long));
  const GlobalFlags = visibleFlags(command)
    .filter(isGlobalOption)
    .map(({ long }) => long ?? '');
  // A command without global flags opens no database, and asks no service.
  const opens = GlobalFlags.length > 0;
  const compares = path === 'doctor' || Flags.some(({ Flag }) => Flag === '--exit-code');
  return {
    Command: `pm ${path}`.trim(),
    ...traits,
    Doc: command.description(),
    Arguments: command.registeredArguments.map(argumentEntry),
    Flags,
    GlobalFlags,
    Exits: [
      ...[ok, usage, defect, hungUp, interrupted, readerGone, terminated],
      ...(opens ? [partly, unauthorized, forbidden, notFound, rejected, unreachable, storage] : []),
      ...(traits.Writes || Flags.some((flag) => flag.Writes) ? [unknown, confirmation] : []),
      ...(compares ? [different] : []),
    ].sort((a, b) => a - b),
  };
}

const flagEntry = (option: Option, writes: boolean): FlagEntry => ({
  Flag: option.long ?? '',
  Short: option.short ?? null,
  Value: valueName(option) ?? null,
  Values: closedValues(option) ?? null,
  Required: option.mandatory,
  Default: ['string', 'number'].includes(typeof option.defaultValue) ? option.defaultValue : null,
  Writes: writes,
  Doc: option.description,
});

const argumentEntry = (argument: Argument): ArgumentEntry => ({
  Argument: argument.name(),
  Required: argument.required,
  Several: argument.variadic,
  Values: argument.argChoices ?? null,
  Doc: argument.description,
});

type Traits = Pick<CommandEntry, 'Writes' | 'Repeatable' | 'Undoable'>;

const READS: Traits = { Writes: false, Repeatable: true, Undoable: null };
const writing = (Repeatable: boolean | null, Undoable: boolean | null): Traits => ({
  Writes: true,
  Repeatable,
  Undoable,
});

/** The commands that write and are no operation of the contract. */
export const HANDWRITTEN_TRAITS: Readonly<Record<string, Traits>> = {
  seed: writing(true, false),
  import: writing(true, true),
  each: writing(null, true),
  apply: writing(true, true),
  clone: writing(true, true),
  api: writing(null, false),
  mcp: writing(true, null),
  undo: writing(false, true),
  'jobs resume': writing(true, true),
  'jobs retry': writing(true, true),
  'jobs settle': writing(true, false),
  'jobs prune': writing(true, false),
  'history prune': writing(true, false),
  backup: writing(true, false),
  restore: writing(true, false),
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

function traitsOf(path: string, command: Command): Traits {
  // pm itself shows its help, whatever the flags of every command do to others.
  const known = path === '' || FILES_ONLY.includes(path) ? READS : HANDWRITTEN_TRAITS[path];
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
