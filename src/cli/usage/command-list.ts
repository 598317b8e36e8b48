// Every command as data, for programs: what it takes, what it does, and how it may end.
import type { Argument, Command, Option } from 'commander';
import { EXIT } from '../../contract/errors.ts';
import { isGlobalOption } from '../command.ts';
import { GLOBAL_FLAGS, longName } from '../globals.ts';
import { effectOf, makesWrite } from './effects.ts';
import { closedValues, leavesOf, ownFlags, valueName, visibleFlags } from './flags-of.ts';

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

export interface ArgumentEntry {
  readonly Argument: string;
  readonly Required: boolean;
  readonly Several: boolean;
  readonly Values: readonly string[] | null;
  readonly Doc: string;
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
  const Flags = own.map((option) => flagEntry(option, makesWrite(path, option.long)));
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
