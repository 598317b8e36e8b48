// The table of next steps: each as a command and a sentence.
import type { Advised } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Next } from '../../contract/next.ts';
import { defined } from '../../text/defined.ts';
import { kindFlag } from '../names.ts';
import { ENVIRONMENT } from '../profiles/profiles.ts';
import { type Calling, inShell, repeated, type Shell } from './calling.ts';

/** A word that the user fills in. */
interface Blank {
  readonly blank: string;
}
type Word = string | Blank;

interface Way {
  /** The words behind `pm`. If the first is a flag, it is added to the command that failed. */
  readonly argv: readonly Word[];
  /** The sentence around the command; without it the command is printed alone. */
  readonly say?: (command: string) => string;
  /** `jobs`: repeats --journal. `any profile`: repeats no profile. */
  readonly on?: 'jobs' | 'any profile';
}

const blank = (blank: string): Blank => ({ blank });
const commandOf = (resource: string): string => resourceNamed(resource).command;

const copying = ({ do: name, from, to, anew }: Next & { readonly do: 'backup' | 'restore' }): Way =>
  way(
    [name, from ?? blank('from'), to ?? blank('to'), ...(anew ? ['--anew'] : [])],
    after(anew ? 'To begin again' : 'To go on with it'),
    'any profile',
  );

/** The list of a resource, in words. */
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

const way = (argv: readonly Word[], say?: Way['say'], on?: Way['on']): Way => defined<Way>({ argv, say, on });
const onJobs = (argv: readonly string[], say?: Way['say']): Way => way(argv, say, 'jobs');
/** What variables say of a service is no profile: one with its address can be made. */
function toProfile(profile: string | undefined, flags: readonly Word[], words: string): Way {
  const address = profile !== ENVIRONMENT || flags.includes('--url') ? [] : ['--url', blank('url')];
  const name = profile === ENVIRONMENT || profile === undefined ? blank('profile') : profile;
  return way(['profiles', 'add', name, ...address, ...flags], after(words), 'any profile');
}

const WAYS: { readonly [D in Next['do']]: (next: Next & { readonly do: D }) => Way } = {
  undelete: ({ resource, id }) => way([commandOf(resource), 'undelete', id]),
  get: ({ resource, id }) => way([commandOf(resource), 'get', id], shows('it')),
  'get-deleted': ({ resource, id }) => way([commandOf(resource), 'get', id, '--deleted', '2'], shows('it')),
  list: ({ resource, within }) => {
    if (!within && !resourceNamed(resource).operations.list?.routes.plain) return listHelp(resource);
    const owner = within ? [`--${kindFlag(within.resource)}`, within.id] : [];
    return way([commandOf(resource), 'list', ...owner], shows(LISTED[resource] ?? 'what is there'));
  },
  move: ({ resource, id, below }) => way([commandOf(resource), 'update', id, '--parent', below], after('To move it')),
  'name-owner': ({ owners: [first = '', ...more], orID }) =>
    way(
      [`--${kindFlag(first)}`, blank('ref')],
      (flag) => `Say so with ${[flag, ...more.map(ownerFlag)].join(' or ')}${orID ? ', or give the ID' : ''}.`,
    ),
  'list-users': () => way(['individuals', 'list', '--fields', 'UserName,FullName'], shows('who there is')),
  'grant-global': () =>
    way(
      ['sites', 'grant-global', blank('user')],
      (command) => `${command} makes a global administrator of the embedded engine.`,
    ),
  'name-administrator': () =>
    way(
      ['individuals', 'update', blank('user name'), '--is-admin', 'true'],
      after('Make somebody else an administrator first'),
    ),
  'make-primary': () =>
    way(
      ['department-members', 'update', blank('id'), '--primary', 'true'],
      after('Make another membership primary first'),
    ),
  'log-in': ({ profile }) =>
    way(['login'], after(profile === ENVIRONMENT ? 'Check PM_USER and PM_PASSWORD; without PM_PASSWORD' : 'Log in')),
  'explain-rights': ({ who, action, resource, id, within }) => {
    const owner = within ? ['in', ...objectWords(within.resource, within.id)] : [];
    return way(['can', who, action, ...objectWords(resource, id), ...owner, '--why']);
  },
  'act-as': ({ role }) => way(['--as', blank('user name')], (flag) => `${ROLES[role][0]}: ${flag}${ROLES[role][1]}.`),
  'switch-on': ({ feature }) =>
    way(['sites', 'update', blank('site'), FEATURES[feature][1], 'true'], after(FEATURES[feature][0])),
  'take-archive': () => way(['archives', 'take', '--help'], after('The embedded engine takes one'), 'any profile'),
  'check-address': ({ name }) =>
    way(
      ['profiles', 'show', name ?? blank('profile')],
      (command) => `Is that the address of the service? ${command}`,
      'any profile',
    ),
  'set-address': ({ name }) => toProfile(name, ['--url', blank('url')], 'If that is the service, set its address'),
  'set-route': ({ name, route, is }) =>
    toProfile(name, ['--route', `${route}=${is}`], 'If it has another address, put that after the ='),
  'allow-http': ({ name }) => toProfile(name, ['--url', blank('url'), '--allow-http'], 'If the network is safe anyway'),
  'trust-authority': ({ name }) =>
    toProfile(name, ['--ca-file', blank('file')], 'If the service has a certificate of your own authority'),
  'drop-unknown': ({ name }) =>
    toProfile(name, ['--drop-unknown'], 'For one command --drop-unknown leaves that out, for every command'),
  'find-trouble': () => way(['doctor'], (command) => `${command} shows what is wrong.`),
  'slow-down': () => way(['--concurrency', blank('n')], after('Wait, then try again; if it was many, fewer at once')),
  'use-engine': () => way(['-p', 'local']),
  'use-profile': ({ name }) => way(['-p', name], after('Or run it there')),
  'use-database': ({ address }) => way(['--database', address], after('Or run it there')),
  'overwrite-drift': ({ job }) => {
    const [flags, say] = [['--on-drift', 'overwrite'], after('To do it anyway')];
    return job === undefined ? way(flags, say) : onJobs(['jobs', 'retry', job, ...flags], say);
  },
  'make-plan': () => way(['plan', '--help'], shows('how one is made'), 'any profile'),
  request: () => way(['api', 'GET', blank('path')], shows('it')),
  'switch-wire': ({ wire }) => way(['--wire', wire], after('Try the other syntax')),
  'list-jobs': () => onJobs(['jobs', 'list'], shows('the jobs there are')),
  'show-job': ({ job }) => onJobs(['jobs', 'show', job]),
  'retry-job': ({ job }) => onJobs(['jobs', 'retry', job], after('To try again what failed')),
  'resume-job': ({ job }) => onJobs(['jobs', 'resume', job], after('To go on with it')),
  'agree-to-job': ({ job }) => onJobs(['jobs', 'resume', job], after('To see what it is, and agree to it')),
  'settle-job': ({ job }) => onJobs(['jobs', 'resume', job], after('Settle them first')),
  'settle-row': ({ job, row, id }) =>
    onJobs(
      ['jobs', 'settle', job, '--row', String(row), '--done', ...(id === undefined ? [] : ['--id', id])],
      (command) => `When you know what became of it: ${command}, or --not-done.`,
    ),
  'take-over-job': ({ job }) => onJobs(['jobs', 'resume', job, '--takeover'], after('If no pm runs it any more')),
  'undo-job': ({ job }) => onJobs(['undo', job], after('To take back the rest')),
  'take-back-job': ({ job }) => onJobs(['undo', job], after('To take it back')),
  'redo-job': ({ job }) => onJobs(['undo', job], after('To do it again')),
  backup: copying,
  restore: copying,
  'look-back': ({ at }) => way(['--at', at], after('As far back as it goes')),
  'prune-job': ({ job }) => onJobs(['jobs', 'prune', job], after('To forget the job')),
};

const ownerFlag = (owner: string): string => `--${kindFlag(owner)} <ref>`;

/** The way for a list that needs an owner, or that does not exist. */
const listHelp = (resource: string): Way =>
  way(
    [commandOf(resource), ...(resourceNamed(resource).operations.list ? ['list'] : []), '--help'],
    shows('how to look for it'),
    'any profile',
  );

function objectWords(resource: string, id: string | undefined): readonly string[] {
  const { aliases, command } = resourceNamed(resource);
  return [aliases[0] ?? command, ...(id === undefined ? [] : [id])];
}

/** The words of the next command, with the flags it repeats; undefined for a step that only a newer pm knows. */
export function argvOf(next: Next, calling: Omit<Calling, 'shell'> = {}): readonly Word[] | undefined {
  const way = wayOf(next);
  if (!way || isFlag(way.argv)) return way?.argv;
  const { profile, database } =
    next.profile !== undefined || way.on === 'any profile' ? { ...next, database: undefined } : calling;
  return [...way.argv, ...repeated({ ...calling, profile, database }, way.on === 'jobs')];
}

const isFlag = ([first]: readonly Word[]): boolean => typeof first === 'string' && first.startsWith('-');

const wayOf = (next: Next): Way | undefined => (WAYS[next.do] as ((next: never) => Way) | undefined)?.(next as never);

/** The hint and the next command, which runs as printed; undefined if there is neither. */
export function adviceOf({ hint, next }: Advised, calling: Calling): string | undefined {
  const words = [hint, next && sentenceOf(next, calling)].filter((one) => one !== undefined);
  return words.length === 0 ? undefined : words.join(' ');
}

function sentenceOf(next: Next, calling: Calling): string | undefined {
  const argv = argvOf(next, calling);
  if (!argv) return undefined;
  const words = argv.map((word) => written(word, calling.shell)).join(' ');
  const command = isFlag(argv) ? words : `pm ${words}`;
  return wayOf(next)?.say?.(command) ?? command;
}

const written = (word: Word, shell: Shell): string =>
  typeof word === 'string' ? inShell(word, shell) : `<${word.blank}>`;
