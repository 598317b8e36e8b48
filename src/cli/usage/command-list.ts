// Every command as data, for programs: what it takes, what it does, and how it may end.
import type { Argument, Command, Option } from 'commander';
import { canUndo } from '../../changes/plan/cautions.ts';
import { EXIT } from '../../contract/errors.ts';
import { everyResource } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import { isGlobalOption } from '../command.ts';
import { GLOBAL_FLAGS, longName } from '../globals.ts';
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
  readonly Writes: boolean;
  readonly Repeatable: boolean | null;
  readonly Undoable: boolean | null;
  readonly Doc: string;
  readonly Arguments: readonly ArgumentEntry[];
  readonly Flags: readonly FlagEntry[];
  /** Those of the flags of every command that it has; the entry of pm alone says what they mean. */
  readonly GlobalFlags: readonly string[];
  readonly Exits: readonly number[];
}

/** The entry of pm itself with the flags of every command, and one for each command that does something. */
export function commandList(commands: readonly Command[]): readonly CommandEntry[] {
  const leaves = commands.flatMap((command) => leavesOf(command));
  return [program(), ...leaves.map(([path, command]) => entryOf(path, command))];
}

function entryOf(path: string, command: Command): CommandEntry {
  const { writes, repeatable, undoable } = effectOf(path, command);
  const own = ownFlags(command);
  const Flags = own.map((option) => flagEntry(option, WRITING_FLAGS[path] === option.long));
  const globals = visibleFlags(command).filter(isGlobalOption);
  return {
    Command: `pm ${path}`,
    Writes: writes,
    Repeatable: repeatable,
    Undoable: undoable,
    Doc: command.description(),
    Arguments: command.registeredArguments.map(argumentEntry),
    Flags,
    GlobalFlags: globals.map(({ long }) => long ?? ''),
    Exits: exitsOf({
      opens: globals.length > 0,
      writes: writes || Flags.some((flag) => flag.Writes),
      compares: path === 'doctor' || own.some(({ long }) => long === '--exit-code'),
    }),
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

/** pm without a command: it shows its help. */
const program = (): CommandEntry => ({
  Command: 'pm',
  Writes: false,
  Repeatable: true,
  Undoable: null,
  Doc: 'Shows the help; the flags are those of every command.',
  Arguments: [],
  Flags: GLOBAL_FLAGS.map((flag) => ({
    Flag: longName(flag),
    Short: /^-\w/.exec(flag.flags)?.[0] ?? null,
    Value: /<([^<>]*)>/.exec(flag.flags)?.[1] ?? null,
    Values: flag.choices ?? null,
    Required: false,
    Default: null,
    Writes: false,
    Doc: flag.doc,
  })),
  GlobalFlags: [],
  Exits: exitsOf({ opens: false, writes: false, compares: false }),
});

interface Ways {
  /** Does it open a database, or ask a service? */
  readonly opens: boolean;
  readonly writes: boolean;
  /** Has it --exit-code, or does it end so without: the doctor? */
  readonly compares: boolean;
}

const { ok, usage, partly, unauthorized, forbidden, notFound, rejected, unreachable, unknown, storage } = EXIT;
const { different, confirmation, defect, hungUp, interrupted, readerGone, terminated } = EXIT;

/** The codes with which a command can end. */
const exitsOf = ({ opens, writes, compares }: Ways): readonly number[] =>
  [
    ...[ok, usage, defect, hungUp, interrupted, readerGone, terminated],
    ...(opens ? [partly, unauthorized, forbidden, notFound, rejected, unreachable, storage] : []),
    ...(writes ? [unknown, confirmation] : []),
    ...(compares ? [different] : []),
  ].sort((a, b) => a - b);

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

function effectOf(path: string, command: Command): Effect {
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
