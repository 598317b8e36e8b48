// The words of a command line, before commander reads them: global flags behind the command, names in any case, pm <command> help.
import type { Command } from 'commander';
import { GLOBAL_FLAGS, takesValue } from '../globals.ts';
import { unknownGlobalFlag } from './usage-error.ts';

/** Moves global flags in front of the command behind it, as commander needs them. Throws `usage` for an unknown one. */
export function globalFlagsLast(argv: readonly string[]): { name: string | undefined; args: readonly string[] } {
  let at = 0;
  while (at < argv.length && argv[at]?.startsWith('-')) at += takesValue(checkedFlag(argv[at] ?? '')) ? 2 : 1;
  const leading = argv.slice(0, at).filter((word) => word !== '--');
  const rest = argv.slice(at);
  const end = rest.indexOf('--');
  const args = end < 0 ? [...rest, ...leading] : [...rest.slice(0, end), ...leading, ...rest.slice(end)];
  return { name: rest[0], args };
}

const KNOWN = [
  '--',
  '-h',
  '--help',
  '--version',
  ...GLOBAL_FLAGS.flatMap(({ flags }) => flags.match(/--?[a-z-]+/g) ?? []),
];

/** Checks a flag: alone, with a value behind `=`, or several short flags in one word. Throws `usage`. */
function checkedFlag(word: string): string {
  const name = word.startsWith('--') ? word.replace(/=.*$/s, '') : word.slice(0, 2);
  if (KNOWN.includes(name)) return word;
  throw unknownGlobalFlag(name);
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
