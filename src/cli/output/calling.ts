// How pm was called, and how a printed command is quoted for the user's shell.
import { inQuotes } from '../../text/escape.ts';
import { withoutTrailing } from '../../text/trailing.ts';
import type { Settings } from '../settings.ts';
import type { Streams } from '../streams.ts';

export type Shell = 'posix' | 'powershell' | 'cmd';
type Env = Readonly<Record<string, string | undefined>>;

/** The module folders that Windows sets for every shell. PowerShell adds its own. */
const MODULES_OF_ALL = 2;

/** The shell that probably started the program; no system says for certain. */
export function shellOf(env: Env, platform: string = process.platform): Shell {
  const modules = env.PSModulePath;
  if (platform !== 'win32') return modules === undefined ? 'posix' : 'powershell';
  // Git Bash, MSYS2 and Cygwin.
  if (env.MSYSTEM !== undefined || env.SHELL !== undefined) return 'posix';
  return (modules?.split(';').filter((one) => one !== '').length ?? 0) > MODULES_OF_ALL ? 'powershell' : 'cmd';
}

/** Words that need no quotes. PowerShell gives a comma and a leading @ a meaning. */
const PLAIN: Readonly<Record<Shell, RegExp>> = {
  posix: /^[\w.,:/=@+-]+$/,
  powershell: /^[\w./:\\+-][\w./:\\=@+-]*$/,
  cmd: /^[\w./:\\@+-]+$/,
};

const IN_QUOTES: Readonly<Record<Shell, (word: string) => string>> = {
  posix: inQuotes,
  // Curved quotes are quotes in PowerShell too.
  powershell: (word) => `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
  // A backslash escapes only before a quote; variables expand even in quotes.
  cmd: (word) => `"${word.split('"').map(withLastSlashesTwice).join('""').replaceAll('%', '"^%"')}"`,
};

const withLastSlashesTwice = (text: string): string => text + text.slice(withoutTrailing(text, '\\').length);

/** One word of a command line, quoted if the shell needs it. */
export const inShell = (word: string, shell: Shell): string =>
  PLAIN[shell].test(word) ? word : IN_QUOTES[shell](word);

/** One word of a command line, as it is typed in the shell from which pm was called. */
export const asTyped = (word: string, { env }: Pick<Streams, 'env'>): string => inShell(word, shellOf(env));

export interface Calling {
  readonly shell: Shell;
  /** The profile, if the user named it. */
  readonly profile?: string | undefined;
  readonly database?: string | undefined;
  readonly site?: string | undefined;
  readonly journal?: string | undefined;
  /** The moment that is shown. */
  readonly at?: string | undefined;
}

/** Without settings, for instance if they cannot be read, only the shell is known. */
export function callingOf({ env }: Pick<Streams, 'env'>, settings?: Settings): Calling {
  const { profileNamed = false, profile, databaseFlag: database, site, journal, at } = settings ?? {};
  const named = profileNamed && database === undefined ? profile : undefined;
  return { shell: shellOf(env), profile: named, database, site, journal, at };
}

/** The flags to repeat. Only commands on jobs take --journal, and a job goes on in its own site. */
export const repeated = (
  { profile, database, site, journal }: Omit<Calling, 'shell'>,
  onJobs: boolean,
): readonly string[] => [
  ...(profile === undefined ? [] : ['-p', profile]),
  ...(database === undefined ? [] : ['--database', database]),
  ...(onJobs && site !== undefined ? ['--site', site] : []),
  ...(onJobs && journal !== undefined ? ['--journal', journal] : []),
];
