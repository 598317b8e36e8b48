// The flags and arguments of a command, read off its definition: for help, for completion and for programs.
import type { Command, Option } from 'commander';
import { isGlobalOption } from '../command.ts';

/** The flags that its help shows, those of every command too. */
export const visibleFlags = (command: Command): readonly Option[] =>
  command.options.filter(({ hidden, long }) => !hidden && long !== undefined && long !== '--help');

export const ownFlags = (command: Command): readonly Option[] =>
  visibleFlags(command).filter((option) => !isGlobalOption(option));

/** The name of its value, as in `--key <fields>`; undefined for a flag that takes none. */
export const valueName = ({ flags }: Option): string | undefined => /[<[]([^<>[\]]*)/.exec(flags)?.[1];

/** The words that it takes; undefined if it takes others, or no value. */
export function closedValues(option: Option): readonly string[] | undefined {
  const name = valueName(option);
  return option.argChoices ?? (name?.includes('|') ? name.split('|') : undefined);
}

/** Does the command change something: records, jobs, profiles, files of pm? Its help offers a dry run then. */
export const isChanging = (command: Command): boolean => visibleFlags(command).some(({ long }) => long === '--dry-run');

/** A command with the words that call it: `departments update`. */
type Leaf = readonly [path: string, command: Command];

/** A command and all below it, each in front of its own. */
export const treeOf = (command: Command, path = command.name()): readonly Leaf[] => [
  [path, command],
  ...command.commands.flatMap((below) => treeOf(below, `${path} ${below.name()}`)),
];

/** The commands that do something themselves, also those below a group. */
export const leavesOf = (command: Command): readonly Leaf[] =>
  treeOf(command).filter(
    ([, { commands, registeredArguments }]) => commands.length === 0 || registeredArguments.length > 0,
  );
