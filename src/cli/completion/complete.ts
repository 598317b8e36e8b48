// Answers Tab: what a shell shows for an unfinished command line. It loads no command, and never says anything of its own.
import { readFileSync } from 'node:fs';
import { textKey } from '../../text/text-key.ts';
import { isLocal, jobNames, profileNames, recordNames } from './local-names.ts';
import { inReadline, openLineOf } from './shell-words.ts';
import { type Suggestion, type Wanted, wantedAt } from './wanted.ts';
import type { Value, WordsTable } from './words-table.ts';

/** What stands for the names of files, which the shell itself completes. */
const FILES = ':files\n';

/**
 * The lines for a shell: `bash <line> <breaks>`, where breaks are the signs at which readline breaks words; or
 * `<shell> <words...> =<word at the cursor>`. Nothing where anything is wrong. `file` holds the table.
 */
export function complete(argv: readonly string[], env: NodeJS.ProcessEnv, file: string): string {
  try {
    const table = JSON.parse(readFileSync(file, 'utf8')) as WordsTable;
    const [shell, ...rest] = argv;
    if (shell === 'bash') return forReadline(table, rest, env);
    const written = (rest.at(-1) ?? '').slice(1);
    // Fish hands over the word at the cursor as it is written.
    return forOthers(table, rest.slice(0, -1), shell === 'fish' ? openLineOf(written).open.text : written, env);
  } catch {
    return '';
  }
}

function forReadline(table: WordsTable, [line = '', breaks = '']: readonly string[], env: NodeJS.ProcessEnv): string {
  const { words, open } = openLineOf(line);
  const found = suggestions(table, words.slice(1), open.text, env);
  if (found === 'files') return FILES;
  return found.map(([word]) => `${inReadline(word, open, breaks)}\n`).join('');
}

function forOthers(table: WordsTable, words: readonly string[], text: string, env: NodeJS.ProcessEnv): string {
  const found = suggestions(table, words, text, env);
  if (found === 'files') return FILES;
  return found.map(([word, doc]) => `${word}\t${doc}\n`).join('');
}

function suggestions(
  table: WordsTable,
  words: readonly string[],
  text: string,
  env: NodeJS.ProcessEnv,
): readonly Suggestion[] | 'files' {
  const wanted = wantedAt(table, words, text);
  if ('value' in wanted && wanted.value === 'file') return 'files';
  const found = 'words' in wanted ? wanted.words : valuesOf(table, words, wanted, env);
  const begin = textKey(text);
  return found.filter(([word]) => textKey(word).startsWith(begin) && !/\p{C}/u.test(word));
}

function valuesOf(
  table: WordsTable,
  words: readonly string[],
  { value, text, before }: Extract<Wanted, { value: Value }>,
  env: NodeJS.ProcessEnv,
): readonly Suggestion[] {
  const plain = (names: readonly string[]): readonly Suggestion[] => names.map((name) => [before + name, '']);
  if (value === 'profile') return plain(profileNames(env));
  if (value === 'job') return plain(jobNames(env));
  if (value === 'command')
    return Object.entries(table.commands).flatMap(([name, { doc, below }]) =>
      below.get ? [[before + name, doc] as const] : [],
    );
  if (typeof value === 'string') return [];
  if (!('of' in value)) return plain(value);
  if (!ofLocal(words, env)) return [];
  const [, prefix = '', rest = text] = /^(name:)(.*)$/s.exec(text) ?? [];
  const names = value.of.flatMap((resource) => {
    const columns = table.names[resource];
    return columns ? recordNames(columns, rest, env, value.gone) : [];
  });
  return plain(names.filter((name) => !name.startsWith('-')).map((name) => prefix + name));
}

/** The records of a remote service are not known here. */
function ofLocal(words: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const at = words.findIndex((word) => /^(-p|--profile)$/.test(word));
  const given =
    at < 0 ? words.find((word) => word.startsWith('--profile='))?.slice('--profile='.length) : words[at + 1];
  return given === undefined ? isLocal(env) : given === 'local';
}
