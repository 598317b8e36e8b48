// Which words can stand at the cursor of an unfinished command line.
import type { CommandEntry, FlagEntry, Value, WordsTable } from './words-table.ts';

/** A word with what it means. */
export type Suggestion = readonly [word: string, doc: string];

/** What is wanted at the cursor: words, or a value that begins with `text`; `before` is kept in front of it. */
export type Wanted =
  | { readonly words: readonly Suggestion[] }
  | { readonly value: Value; readonly text: string; readonly before: string };

const NOTHING: Wanted = { words: [] };

/** What is wanted behind these words of pm, where `text` is written so far. */
export function wantedAt(table: WordsTable, words: readonly string[], text: string): Wanted {
  // Behind -- another command begins, as in pm each.
  const own = words.slice(words.lastIndexOf('--') + 1);
  const place = placeOf(table, own);
  if (place.flag) return { value: place.flag, text, before: '' };
  if (text.startsWith('-')) return flagsAt(place.flags, text);
  const { command } = place;
  if (!command) return place.given === 0 ? { words: entries(table.commands) } : NOTHING;
  const below = place.given === 0 ? entries(command.below) : [];
  if (below.length > 0 && command.arguments.length === 0) return { words: below };
  const at = Math.min(place.given, command.arguments.length - 1);
  const value = place.given > at && !command.many ? undefined : command.arguments[at];
  return value === undefined ? NOTHING : { value, text, before: '' };
}

const entries = (commands: Readonly<Record<string, CommandEntry>>): readonly Suggestion[] =>
  Object.entries(commands).map(([name, { doc }]) => [name, doc]);

function flagsAt(flags: readonly FlagEntry[], text: string): Wanted {
  const [name = '', ...rest] = text.split('=');
  const value = flagValue(flags, name);
  if (rest.length > 0) return value ? { value, text: rest.join('='), before: `${name}=` } : NOTHING;
  return { words: flags.map(([words, , doc]) => [words.split(' ').at(-1) ?? '', doc]) };
}

const flagValue = (flags: readonly FlagEntry[], word: string): Value | null =>
  flags.find(([words]) => words.split(' ').includes(word))?.[1] ?? null;

/** Where the cursor is: in which command, behind how many arguments, and behind which flag that wants its value. */
interface Place {
  readonly command: CommandEntry | undefined;
  readonly given: number;
  readonly flag: Value | null;
  readonly flags: readonly FlagEntry[];
}

function placeOf(table: WordsTable, words: readonly string[]): Place {
  let command: CommandEntry | undefined;
  let flags: readonly FlagEntry[] = table.globals;
  let flag: Value | null = null;
  let given = 0;
  for (const word of words) {
    if (flag !== null) flag = null;
    else if (word.startsWith('-')) flag = word.includes('=') ? null : flagValue(flags, word);
    else {
      const below: CommandEntry | undefined = command ? command.below[word] : commandNamed(table, word);
      if (below && given === 0) command = below;
      else given++;
      flags = command ? [...command.flags, ...(command.globals ? table.globals : [])] : table.globals;
    }
  }
  return { command, given, flag, flags };
}

const commandNamed = ({ commands, aliases }: WordsTable, word: string): CommandEntry | undefined =>
  Object.hasOwn(commands, word) ? commands[word] : commands[aliases[word] ?? ''];
