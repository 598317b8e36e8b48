// The words of a command line in the order in which commander wants them.
import { ServiceError } from '../contract/errors.ts';
import { nearest } from '../text/spelling.ts';
import { GLOBAL_FLAGS, longName, takesValue } from './globals.ts';

/** Global flags may stand in front of the command; commander wants them behind it. Throws `usage` for an unknown one. */
export function ordered(argv: readonly string[]): { name: string | undefined; args: readonly string[] } {
  let at = 0;
  while (at < argv.length && argv[at]?.startsWith('-')) at += takesValue(checked(argv[at] ?? '')) ? 2 : 1;
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

/** A flag alone, with its value behind `=`, or short ones in one word. */
function checked(word: string): string {
  const name = word.startsWith('--') ? word.replace(/=.*$/s, '') : word.slice(0, 2);
  if (KNOWN.includes(name)) return word;
  const close = nearest(name, GLOBAL_FLAGS.map(longName));
  throw new ServiceError('usage', `unknown option '${name}'`, {
    hint: close ? `Did you mean ${close}?` : 'Flags of one command stand behind it: pm <resource> <verb> [flags].',
  });
}
