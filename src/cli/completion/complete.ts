// Answers Tab: the words that a shell shows for an unfinished command line. It loads no command, and says nothing of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../engine/store/sqlite/driver.ts';
import { textKey } from '../../text/text-key.ts';
import { configHomeOf, databaseIn, homeOf } from '../profiles/home.ts';
import type { CommandEntry } from '../usage/command-list.ts';

/** The value of a flag, or an argument. */
export type Value =
  /** One of these words. */
  | readonly string[]
  /** A record of these resources, by their names. `gone`: a deleted one. */
  | { readonly of: readonly string[]; readonly gone?: true }
  /** A word of a kind; the fields are those of the resource, by its command. */
  | 'file'
  | 'profile'
  | 'job'
  | 'command'
  | 'command or file'
  | 'text';

/** The value is null for a flag that takes none. */
type FlagWords = readonly [flag: string, short: string | null, value: Value | null, doc: string];

export interface CommandWords extends Pick<CommandEntry, 'Doc'> {
  readonly Flags: readonly FlagWords[];
  readonly Arguments: readonly Value[];
  /** The last argument may be given several times. */
  readonly Several: boolean;
  /** It has flags of every command. */
  readonly Globals: boolean;
}

/** Where the names of a resource are in the database: its columns, each with the one of its key, which may be in a side table. */
export interface NameColumns {
  readonly table: string;
  readonly columns: readonly (readonly [column: string, key: string, sideTable?: string])[];
  readonly soft: boolean;
}

/** All commands, written to a file when pm is built, so that Tab loads no command. */
export interface WordsTable {
  /** By the words that call them. No words call pm itself, which has the flags of every command. */
  readonly commands: Readonly<Record<string, CommandWords>>;
  /** The commands by their other names. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, NameColumns>>;
}

/** It stands for the names of files, which the shell itself completes. */
const FILES = ':files\n';

/**
 * The lines for a shell: `bash <line> <breaks>`, where breaks are the signs at which readline breaks words; or
 * `<shell> <words...> =<word at the cursor>`. Nothing where anything is wrong. `file` holds the table.
 */
export function complete(argv: readonly string[], env: NodeJS.ProcessEnv, file: string): string {
  try {
    const table = JSON.parse(readFileSync(file, 'utf8')) as WordsTable;
    const [shell, ...rest] = argv;
    if (shell === 'bash') {
      const [line = '', breaks = ''] = rest;
      const { words, open } = openLineOf(line);
      return suggested(table, words.slice(1), open.text, env, ([word]) => inReadline(word, open, breaks));
    }
    const written = (rest.at(-1) ?? '').slice(1);
    // Fish hands over the word at the cursor as it is written.
    const text = shell === 'fish' ? openLineOf(written).open.text : written;
    return suggested(table, rest.slice(0, -1), text, env, ([word, doc]) => `${word}\t${doc}`);
  } catch {
    return '';
  }
}

function suggested(
  table: WordsTable,
  words: readonly string[],
  text: string,
  env: NodeJS.ProcessEnv,
  lineOf: (suggestion: Suggestion) => string,
): string {
  const wanted = wantedAt(table, words, text);
  if ('value' in wanted && wanted.value === 'file') return FILES;
  const found = 'words' in wanted ? wanted.words : valuesOf(table, words, wanted, env);
  const begin = textKey(text);
  const fitting = found.filter(([word]) => textKey(word).startsWith(begin) && !/\p{C}/u.test(word));
  if (fitting.length === 0 && 'value' in wanted && wanted.value === 'command or file') return FILES;
  return fitting.map((one) => `${lineOf(one)}\n`).join('');
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
  if (value === 'command' || value === 'command or file')
    return below(table, '').flatMap(([name, doc]) =>
      table.commands[`${name} get`] ? [[before + name, doc] as const] : [],
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

type Suggestion = readonly [word: string, doc: string];

/** One of these words is wanted at the cursor, or a value that begins with `text`; `before` is kept in front of it. */
type Wanted =
  | { readonly words: readonly Suggestion[] }
  | { readonly value: Value; readonly text: string; readonly before: string };

const NOTHING: Wanted = { words: [] };

/** `text` is written so far behind these words of pm. */
function wantedAt(table: WordsTable, words: readonly string[], text: string): Wanted {
  // Behind -- another command begins, as in pm each.
  const own = words.slice(words.lastIndexOf('--') + 1);
  const cursor = cursorBehind(table, own);
  if (cursor.flag) return { value: cursor.flag, text, before: '' };
  if (text.startsWith('-')) return flagsAt(cursor.flags, text);
  const { Arguments, Several } = cursor.command;
  if (cursor.given === 0 && Arguments.length === 0) return { words: below(table, cursor.path) };
  const at = Math.min(cursor.given, Arguments.length - 1);
  const value = cursor.given > at && !Several ? undefined : Arguments[at];
  return value === undefined ? NOTHING : { value, text, before: '' };
}

/** The commands right below the one that `path` calls, by their last word. */
const below = ({ commands }: WordsTable, path: string): readonly Suggestion[] =>
  Object.entries(commands).flatMap(([key, { Doc }]) => {
    const [, above = '', name = ''] = /^(?:(.*) )?(\S+)$/.exec(key) ?? [];
    return name !== '' && above === path ? [[name, Doc] as const] : [];
  });

function flagsAt(flags: readonly FlagWords[], text: string): Wanted {
  const [name = '', ...rest] = text.split('=');
  const value = flagValue(flags, name);
  if (rest.length > 0) return value ? { value, text: rest.join('='), before: `${name}=` } : NOTHING;
  return { words: flags.map(([flag, , , doc]) => [flag, doc]) };
}

const flagValue = (flags: readonly FlagWords[], word: string): Value | null =>
  flags.find(([flag, short]) => word === flag || word === short)?.[2] ?? null;

/** The command at the cursor, the number of arguments before it, and the value of a flag that is wanted there. */
function cursorBehind({ commands, aliases }: WordsTable, words: readonly string[]) {
  const pm = commands[''] as CommandWords;
  let [path, command, flags] = ['', pm, pm.Flags];
  let flag: Value | null = null;
  let given = 0;
  for (const word of words) {
    if (flag !== null) flag = null;
    else if (word.startsWith('-')) flag = word.includes('=') ? null : flagValue(flags, word);
    else {
      const called = `${path} ${word}`.trim();
      const known = [called, aliases[called] ?? ''].find((one) => one !== '' && Object.hasOwn(commands, one));
      if (known !== undefined && given === 0) [path, command] = [known, commands[known] as CommandWords];
      else given++;
      flags = [...command.Flags, ...(command.Globals ? pm.Flags : [])];
    }
  }
  return { path, command, given, flag, flags };
}

const MOST = 200;

/** The names of records that begin with `text`, of the first column that has any. `gone`: of deleted ones. */
export function recordNames(names: NameColumns, text: string, env: NodeJS.ProcessEnv, gone = false): readonly string[] {
  const begin = textKey(text);
  return withDatabase(env, (all) => {
    for (const [column, key, sideTable] of text === '' ? names.columns.slice(0, 1) : names.columns) {
      const live = names.soft ? ` AND row."Deleted" = ${gone ? 1 : 0}` : '';
      const [from, isOf, where] =
        sideTable === undefined
          ? ['site', 'row."SiteID" = site."ID"', `row."${key}"`]
          : [`"${sideTable}" AS side`, 'row."SiteID" = side."SiteID" AND row."ID" = side."ID"', `side."${key}"`];
      const sql = `SELECT DISTINCT row."${column}" AS name FROM ${from} CROSS JOIN "${names.table}" AS row ON ${isOf}
        WHERE ${where} >= ? AND ${where} < ?${live} LIMIT ${MOST}`;
      // A record that is called so would make the scripts offer files.
      const found = all(sql, begin, `${begin}\u{10ffff}`).filter((name) => name !== FILES.trim());
      if (found.length > 0) return found;
    }
    return [];
  });
}

/** The IDs of the newest jobs, as pm shows them. */
const jobNames = (env: NodeJS.ProcessEnv): readonly string[] =>
  withDatabase(env, (all) => all(`SELECT substr(ID, 1, 8) AS name FROM job ORDER BY Sequence DESC LIMIT 30`));

/** The profiles that are kept, and the one of the embedded engine. */
function profileNames(env: NodeJS.ProcessEnv): readonly string[] {
  const { profiles = {}, databases = {} } = config(env) as { profiles?: object; databases?: object };
  return ['local', ...Object.keys(profiles), ...Object.keys(databases)];
}

/** Is the embedded engine the one that is meant, unless a flag says otherwise? */
const isLocal = (env: NodeJS.ProcessEnv): boolean => {
  const { profile } = config(env) as { profile?: string };
  return (env.PM_PROFILE || (env.PM_DATABASE || env.PM_URL ? '' : (profile ?? 'local'))) === 'local';
};

function config(env: NodeJS.ProcessEnv): object {
  try {
    return JSON.parse(readFileSync(join(configHomeOf({ env }), 'config.json'), 'utf8')) as object;
  } catch {
    return {};
  }
}

type All = (sql: string, ...values: readonly string[]) => readonly string[];

/** A missing file stays missing. A connection that could only read would leave the log of the database behind. */
function withDatabase(env: NodeJS.ProcessEnv, work: (all: All) => readonly string[]): readonly string[] {
  const database = openDatabase(databaseIn(homeOf({ env })), { fileMustExist: true, timeout: 200 });
  try {
    return work((sql, ...values) =>
      (database.prepare(sql).all(...values) as { name: unknown }[]).map(({ name }) => String(name)),
    );
  } finally {
    database.close();
  }
}

interface OpenWord {
  /** Its meaning so far. */
  readonly text: string;
  /** As it is written; behind an opening quote, from there. */
  readonly raw: string;
  /** How much of `text` stands in front of `raw`. */
  readonly before: number;
  /** The quote that is open at the cursor. */
  readonly quote: '' | '"' | "'";
}

const NO_WORD: OpenWord = { text: '', raw: '', before: 0, quote: '' };

/** A sign behind a backslash, words in quotes, which may be open at the end, blanks, a sign that ends a command, and the rest. */
const PARTS =
  /\\(?<escaped>.)|'(?<single>[^']*)(?<end>'?)|"(?<double>(?:\\.|[^"\\])*)(?<close>"?)|(?<blank>[ \t]+)|(?<separator>[|&;()\n])|[^\s\\'"|&;()]+/gsu;

type Parts = NonNullable<RegExpMatchArray['groups']>;

/** The last command of a line that ends at the cursor, as bash passes it: its whole words, and the one that is being written. */
export function openLineOf(line: string): { readonly words: readonly string[]; readonly open: OpenWord } {
  let words: string[] = [];
  let open: OpenWord | undefined;
  for (const { 0: part, groups = {} } of line.matchAll(PARTS)) {
    if (groups.blank === undefined && groups.separator === undefined) {
      open = joined(open ?? NO_WORD, wordOf(part, groups));
      continue;
    }
    if (open) words.push(open.text);
    if (groups.separator !== undefined) words = [];
    open = undefined;
  }
  return { words, open: open ?? NO_WORD };
}

function wordOf(part: string, { escaped, single, end, double, close }: Parts): OpenWord {
  if (escaped !== undefined) return { ...NO_WORD, text: escaped, raw: part };
  if (single !== undefined) return quotedWord(single, part, end === '' ? "'" : '');
  if (double !== undefined) return quotedWord(double.replaceAll(/\\(["\\$`])/g, '$1'), part, close === '' ? '"' : '');
  return { ...NO_WORD, text: part, raw: part };
}

const quotedWord = (text: string, part: string, quote: OpenWord['quote']): OpenWord => ({
  ...NO_WORD,
  text,
  raw: quote === '' ? part : part.slice(1),
  quote,
});

const joined = (first: OpenWord, second: OpenWord): OpenWord =>
  second.quote === ''
    ? { ...second, text: first.text + second.text, raw: first.raw + second.raw }
    : { ...second, text: first.text + second.text, before: first.text.length };

/** Readline puts it in the place of its own word, which begins at an open quote or behind one of the `breaks`. */
export function inReadline(candidate: string, { raw, before, quote }: OpenWord, breaks: string): string {
  if (quote === "'") return candidate.slice(before).replaceAll("'", "'\\''");
  if (quote === '"') return candidate.slice(before).replaceAll(/["\\$`]/g, '\\$&');
  return candidate.slice(brokenAt(raw, breaks)).replaceAll(/[^\p{L}\p{M}\p{N}_@%+=:,./^-]/gu, '\\$&');
}

/** Readline's own word begins with these breaks themselves, and behind all others. */
const KEPT = ['@', '$'];

/** How much of the meant text stands in front of readline's own word: up to the last break that is not escaped. */
function brokenAt(raw: string, breaks: string): number {
  const signs = [...raw.matchAll(/\\.|[^\\]/gsu)].map(([sign]) => sign);
  const last = signs.findLastIndex((sign) => sign.length === 1 && breaks.includes(sign));
  return signs
    .slice(0, KEPT.includes(signs[last] ?? '') ? last : last + 1)
    .join('')
    .replaceAll(/\\(.)/gsu, '$1').length;
}
