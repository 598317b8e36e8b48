// How pm was called, and how a word of a printed command is quoted for the user's shell.
import type { Settings } from '../settings.ts';
import type { Streams } from '../streams.ts';

export type Shell = 'posix' | 'powershell' | 'cmd';
type Env = Readonly<Record<string, string | undefined>>;

/** The modules that every Windows knows, in every shell; PowerShell puts its own in front of them. */
const MODULES_OF_ALL = 2;

/** The shell that the program was probably started from: no system tells for certain. */
export function shellOf(env: Env, platform: string = process.platform): Shell {
  const modules = env.PSModulePath;
  if (platform !== 'win32') return modules === undefined ? 'posix' : 'powershell';
  // Git Bash, MSYS2 and Cygwin.
  if (env.MSYSTEM !== undefined || env.SHELL !== undefined) return 'posix';
  return (modules?.split(';').filter((one) => one !== '').length ?? 0) > MODULES_OF_ALL ? 'powershell' : 'cmd';
}

/** What no shell takes for anything else. A comma and an @ at the beginning are signs of PowerShell. */
const PLAIN: Readonly<Record<Shell, RegExp>> = {
  posix: /^[\w.,:/=@+-]+$/,
  powershell: /^[\w./:\\+-][\w./:\\=@+-]*$/,
  cmd: /^[\w./:\\@+-]+$/,
};

const IN_QUOTES: Readonly<Record<Shell, (word: string) => string>> = {
  posix: (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
  // The curved ones are quotes there too.
  powershell: (word) => `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
  // A backslash counts only before a quote; a variable is replaced even inside quotes.
  cmd: (word) =>
    `"${word.replace(/(\\*)("|$)/g, (_, slashes, quote) => `${slashes}${slashes}${quote && '""'}`).replaceAll('%', '"^%"')}"`,
};

/** One word of a command line, in quotes where the shell would read something else. */
export const inShell = (word: string, shell: Shell): string =>
  PLAIN[shell].test(word) ? word : IN_QUOTES[shell](word);

export interface Calling {
  readonly shell: Shell;
  /** The profile, where somebody named it. */
  readonly profile?: string | undefined;
  /** The folder of --journal. */
  readonly journal?: string | undefined;
}

/** Without the settings, which may be what could not be read, only the shell is known. */
export function callingOf({ env }: Pick<Streams, 'env'>, settings?: Settings): Calling {
  const { profileNamed = false, profile, journal } = settings ?? {};
  return { shell: shellOf(env), profile: profileNamed ? profile : undefined, journal };
}

/** The flags to repeat; the journal is known to commands on jobs alone. */
export const repeated = ({ profile, journal }: Omit<Calling, 'shell'>, onJobs: boolean): readonly string[] => [
  ...(profile === undefined ? [] : ['-p', profile]),
  ...(onJobs && journal !== undefined ? ['--journal', journal] : []),
];
