// What to do next, in words and as a command: the one table of both.
import type { ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Next } from '../../contract/next.ts';
import { inShell, type Shell } from './shell.ts';

/** A word that only people know. */
interface Blank {
  readonly blank: string;
}
type Word = string | Blank;

interface Way {
  /** Behind `pm`; one that begins with a flag belongs to the command that was given. */
  readonly argv: readonly Word[];
  /** The sentence that the command stands in; without it the command stands alone. */
  readonly say?: (command: string) => string;
}

const the = (blank: string): Blank => ({ blank });
const commandOf = (resource: string): string => resourceNamed(resource).command;

/** What the list of a resource shows, where there is more to say than that it is there. */
const LISTED: Readonly<Record<string, string>> = {
  site: 'the sites you can name',
  token: 'the tokens and their IDs',
};
const ROLES = {
  user: ['Name a user', ''],
  administrator: ['Call as an administrator', ''],
  'global administrator': ['Call as a global administrator', ', or over HTTP by a password or user token of one'],
} as const;
const FEATURES = {
  FeatureApi: ['Where the database is, an administrator switches it on', '--feature-api'],
  FeaturePerformance: ['An administrator switches it on', '--feature-performance'],
} as const;

const after =
  (words: string) =>
  (command: string): string =>
    `${words}: ${command}`;
const shows =
  (what: string) =>
  (command: string): string =>
    `${command} shows ${what}.`;

const WAYS: { readonly [D in Next['do']]: (next: Next & { readonly do: D }) => Way } = {
  undelete: ({ resource, id }) => ({ argv: [commandOf(resource), 'undelete', id] }),
  get: ({ resource, id }) => ({ argv: [commandOf(resource), 'get', id], say: shows('it') }),
  list: ({ resource, within }) => ({
    argv: [commandOf(resource), 'list', ...(within ? [`--${within.resource}`, within.id] : [])],
    say: shows(LISTED[resource] ?? 'what is there'),
  }),
  'list-users': () => ({
    argv: ['individuals', 'list', '--fields', 'UserName,FullName'],
    say: shows('who there is'),
  }),
  'grant-global': () => ({
    argv: ['sites', 'grant-global', the('user')],
    say: (command) => `${command} makes a global administrator of the embedded engine.`,
  }),
  'name-administrator': () => ({
    argv: ['individuals', 'update', the('user name'), '--is-admin', 'true'],
    say: after('Make somebody else an administrator first'),
  }),
  'make-primary': () => ({
    argv: ['department-members', 'update', the('id'), '--primary', 'true'],
    say: after('Make another membership primary first'),
  }),
  'log-in': () => ({ argv: ['login'], say: after('Log in') }),
  'explain-rights': ({ who, action, resource, id, within }) => ({
    argv: [
      'can',
      who,
      action,
      ...placed(resource, id),
      ...(within ? ['in', ...placed(within.resource, within.id)] : []),
      '--why',
    ],
  }),
  'act-as': ({ role }) => ({
    argv: ['--as', the('user name')],
    say: (flag) => `${ROLES[role][0]}: ${flag}${ROLES[role][1]}.`,
  }),
  'switch-on': ({ feature }) => ({
    argv: ['sites', 'update', the('site'), FEATURES[feature][1], 'true'],
    say: after(FEATURES[feature][0]),
  }),
  'take-archive': () => ({ argv: ['archives', 'take', '--help'], say: after('The embedded engine takes one') }),
  'check-address': ({ name }) => ({
    argv: ['profiles', 'show', ...named(name)],
    say: (command) => `Is that the address of the service? ${command}`,
  }),
  'set-address': ({ name }) => ({
    argv: ['profiles', 'add', ...named(name), '--url', the('url')],
    say: after('If that is the service, set its address'),
  }),
  'allow-http': ({ name }) => ({
    argv: ['profiles', 'add', ...named(name), '--url', the('url'), '--allow-http'],
    say: after('Where the way there is safe all the same'),
  }),
  'trust-authority': ({ name }) => ({
    argv: ['profiles', 'add', ...named(name), '--ca-file', the('file')],
    say: after('If the service has a certificate of your own authority'),
  }),
  'find-trouble': () => ({ argv: ['doctor'], say: (command) => `${command} looks what is wrong.` }),
  'slow-down': () => ({
    argv: ['--concurrency', the('n')],
    say: after('Wait, then try again; if it was many, fewer at once'),
  }),
  'use-engine': () => ({ argv: ['-p', 'local'] }),
  request: () => ({ argv: ['api', 'GET', the('path')], say: shows('it') }),
  'switch-wire': ({ wire }) => ({ argv: ['--wire', wire], say: after('Try the other syntax') }),
  'list-jobs': () => ({ argv: ['jobs', 'list'], say: shows('those there are') }),
  'show-job': ({ job }) => ({ argv: ['jobs', 'show', job] }),
  'take-over-job': ({ job }) => ({
    argv: ['jobs', 'resume', job, '--takeover'],
    say: after('If no pm runs it any more'),
  }),
  'prune-job': ({ job }) => ({ argv: ['jobs', 'prune', job], say: after('To forget the job') }),
};

const named = (profile: string | undefined): readonly Word[] => [profile ?? the('profile')];

function placed(resource: string, id: string | undefined): readonly string[] {
  const { aliases, command } = resourceNamed(resource);
  return [aliases[0] ?? command, ...(id === undefined ? [] : [id])];
}

/** The words of the command that does it; undefined for what a journal of a newer pm knows. */
export const argvOf = (next: Next): readonly Word[] | undefined => wayOf(next)?.argv;

function wayOf(next: Next): Way | undefined {
  const way = WAYS[next.do] as ((next: never) => Way) | undefined;
  const { argv, say } = way?.(next as never) ?? {};
  return argv && { argv: next.profile === undefined ? argv : [...argv, '-p', next.profile], ...(say ? { say } : {}) };
}

/** What the hint of an error says, and behind it what to do next, as a command for this shell; undefined where it has neither. */
export function adviceOf({ hint, next }: Advised, shell: Shell): string | undefined {
  const words = [hint, next && sentenceOf(next, shell)].filter((one) => one !== undefined);
  return words.length === 0 ? undefined : words.join(' ');
}

/** An error, or what a journal keeps of one. */
export type Advised = { readonly [M in 'hint' | 'next']?: ServiceError[M] | undefined };

function sentenceOf(next: Next, shell: Shell): string | undefined {
  const { argv, say } = wayOf(next) ?? {};
  if (!argv) return undefined;
  const isFlag = typeof argv[0] === 'string' && argv[0].startsWith('-');
  const command = [...(isFlag ? [] : ['pm']), ...argv.map((word) => written(word, shell))].join(' ');
  return say ? say(command) : command;
}

const written = (word: Word, shell: Shell): string =>
  typeof word === 'string' ? inShell(word, shell) : `<${word.blank}>`;
