// The words of a command line, before commander reads them: global flags behind the command, names in any case, pm <command> help.
import type { Command } from 'commander';
import { GLOBAL_FLAGS, takesValue } from '../globals.ts';
import { unknownGlobalFlag } from './usage-error.ts';

/**
 * Moves global flags that stand in front of the command, or between it and its verb, to the end, as commander needs them.
 * Throws `usage` for an unknown one in front.
 */
export function globalFlagsLast(argv: readonly string[]): { name: string | undefined; args: readonly string[] } {
  const at = flagsFrom(argv, isChecked);
  const leading = argv.slice(0, at).filter((word) => word !== '--');
  const [name, ...rest] = argv.slice(at);
  // Other flags are those of the command, and stay.
  const verb = flagsFrom(rest, (word) => word !== '--' && isGlobal(word));
  const moved = [...rest.slice(0, verb), ...leading];
  const words = rest.slice(verb);
  const end = words.indexOf('--');
  const args = end < 0 ? [...words, ...moved] : [...words.slice(0, end), ...moved, ...words.slice(end)];
  return { name, args: name === undefined ? args : [name, ...args] };
}

/** Where the flags end that come first, with their values. */
function flagsFrom(words: readonly string[], isTaken: (word: string) => boolean): number {
  let at = 0;
  for (let word = words[at]; word?.startsWith('-') && isTaken(word); word = words[at]) at += takesValue(word) ? 2 : 1;
  return at;
}

const KNOWN = [
  '--',
  '-h',
  '--help',
  '--version',
  ...GLOBAL_FLAGS.flatMap(({ flags }) => flags.match(/--?[a-z-]+/g) ?? []),
];

/** Is it a global flag: alone, with a value behind `=`, or several short flags in one word? */
const isGlobal = (word: string): boolean => KNOWN.includes(nameIn(word));

const nameIn = (word: string): string => (word.startsWith('--') ? word.replace(/=.*$/s, '') : word.slice(0, 2));

/** Throws `usage` for any other flag. */
function isChecked(word: string): true {
  if (!isGlobal(word)) throw unknownGlobalFlag(nameIn(word));
  return true;
}

/**
 * The words as the commands below `program` are called: `Individuals List` in lower case, and `individuals help list` as
 * `individuals list --help`.
 */
export function asCalled(program: Command, args: readonly string[]): readonly string[] {
  const words = [...args];
  let command: Command | undefined = program;
  for (let at = 0; command && command.commands.length > 0 && at < words.length; at++) {
    const below: Command | undefined = namedBelow(command, words[at] ?? '');
    if (below) words[at] = below.name();
    else if (command !== program && words[at] === 'help')
      return [...words.slice(0, at), ...words.slice(at + 1), '--help'];
    command = below;
  }
  return words;
}

const namedBelow = ({ commands }: Command, word: string): Command | undefined =>
  commands.find((one) => one.name() === word) ?? commands.find((one) => one.name() === word.toLowerCase());
