// The errors of a command line that cannot be parsed: its fault, and how it is written.
import type { Command, CommanderError } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import type { Resource } from '../../contract/resource.ts';
import { nearest } from '../../text/spelling.ts';
import { GLOBAL_FLAGS, longName } from '../globals.ts';
import { kebab } from '../names.ts';
import { commandMeant, foreignCommand, foreignFlag, foreignResource, meantVerb } from './foreign-words.ts';

/** The words that call a command: `pm individuals list`. */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** The error for a command line that `command` cannot parse. */
export function usageError(error: CommanderError, command: Command): ServiceError {
  const path = pathOf(command);
  if (error.code === 'commander.help') return missingVerb(command, path);
  // Commander's own suggestions stand in further lines.
  const [message = ''] = error.message.replace(/^error: /, '').split('\n');
  const [, flag = ''] = /^unknown option '(--?[\w-]+)/.exec(message) ?? [];
  if (/password|secret|token/i.test(flag)) return secretFlag(command, flag);
  const flagsAre =
    command.commands.length > 0
      ? `Flags of a verb come after it: ${path} <verb> [flags].`
      : `${path} --help shows its flags.`;
  if (flag !== '') return unknownFlag(message, flag, flagsOf(command), flagsAre);
  const [, verb] = /^unknown command '(.*)'/.exec(message) ?? [];
  if (verb !== undefined) return unknownVerb(message, verb, command);
  const [, missing] = /^required option '(.*)' not specified/.exec(message) ?? [];
  if (missing !== undefined) return missingFlag(command, path, missing);
  const hint = message.startsWith('too many arguments') ? hintOnMore(command, path) : undefined;
  const ofJob = message.endsWith("argument 'job'")
    ? `pm jobs list shows them: ${path} <ID, or its first digits>`
    : undefined;
  return new ServiceError('usage', wording(message, path), {
    hint: hint ?? ofJob ?? `${path} --help shows how it is written.`,
  });
}

/** Where a name stands behind a verb that takes none. */
function hintOnMore(command: Command, path: string): string | undefined {
  if (command.name() === 'list') {
    const verbs = command.parent?.commands.map((verb) => verb.name()) ?? [];
    // Of a resource, which has `get`, the verb that was asked for is built alone.
    const one = verbs.length === 1 ? 'get' : ['get', 'show'].find((verb) => verbs.includes(verb));
    return one && `For one: ${path.replace(/list$/, one)} <id or name>. To search: pm find <text>.`;
  }
  const name = ['--name', '--user-name', '--group'].find((flag) => flagsOf(command).includes(flag));
  return name === undefined ? undefined : `Write: ${path} ${name} <text>; ${path} --help shows its other flags.`;
}

function missingFlag(command: Command, path: string, flags: string): ServiceError {
  const { argChoices } = command.options.find((one) => one.flags === flags) ?? {};
  const [flag = ''] = flags.split(' ');
  return new ServiceError('usage', `${path} needs ${flags}`, {
    hint: argChoices
      ? `Write ${argChoices.map((choice) => `${path} ${flag} ${choice}`).join(', or: ')}`
      : `${path} --help shows how it is written.`,
  });
}

/** The error for a flag in front of the command that is none of every command. */
export const unknownGlobalFlag = (flag: string): ServiceError =>
  unknownFlag(
    `unknown option '${flag}'`,
    flag,
    GLOBAL_FLAGS.map(longName),
    'Flags of one command come after it: pm <resource> <verb> [flags].',
  );

/** The error for a first word that is neither a resource nor one of `commands`. `words` are the whole line. */
export function unknownCommand(
  words: readonly string[],
  resources: readonly Resource[],
  commands: readonly string[],
): ServiceError {
  const [name = '', second = ''] = words;
  return new ServiceError('usage', `there is no command "${name}"`, {
    hint: meantLine(name.toLowerCase(), second.toLowerCase(), resources) ?? nearCommand(name, resources, commands),
  });
}

/** The words of pm instead of two words of other programs; also with the verb in front, as in: delete user ann. */
export function meantLine(first: string, second: string, resources: readonly Resource[]): string | undefined {
  const [leading, following] = [resourceMeant(first, resources), resourceMeant(second, resources)];
  const resource = leading ?? following;
  const verb = resource && meantVerb(leading ? second || 'list' : first, verbsOf(resource));
  if (resource && verb) return `To ${verb.to}: pm ${resource.command} ${verb.line}`;
  if (leading) return `Write: pm ${leading.command}; pm ${leading.command} --help shows its verbs.`;
  const line = foreignCommand(first);
  if (line !== undefined) return `Write: ${line}`;
  const alone = meantVerb(first, VERBS);
  return alone && `To ${alone.to}: pm <resource> ${alone.line}; pm --help lists the resources.`;
}

const VERBS = ['list', 'get', 'create', 'update', 'delete', 'undelete'];

const verbsOf = ({ operations }: Resource): readonly string[] => ['get', ...Object.keys(operations).map(kebab)];

const resourceMeant = (word: string, resources: readonly Resource[]): Resource | undefined =>
  resources.find(({ command, aliases }) => command === (foreignResource(word) ?? word) || aliases.includes(word));

function nearCommand(name: string, resources: readonly Resource[], commands: readonly string[]): string {
  const known = [...resources.flatMap((one) => [one.command, ...one.aliases]), ...commands];
  const near = nearest(name, known);
  return near === undefined ? 'pm --help lists the commands.' : `Did you mean: pm ${near}?`;
}

function unknownVerb(message: string, word: string, command: Command): ServiceError {
  const path = pathOf(command);
  const verbs = command.commands.map((below) => below.name());
  const meant = meantVerb(word.toLowerCase(), verbs);
  const hint = commandMeant(word.toLowerCase()) ?? (meant && `To ${meant.to}: ${path} ${meant.line}`);
  if (hint !== undefined) return new ServiceError('usage', `${path} has no verb "${word}"`, { hint });
  const near = nearest(word, verbs);
  return new ServiceError('usage', message, {
    hint: near === undefined ? `${path} --help shows how it is written.` : `Did you mean: ${path} ${near}?`,
  });
}

/** The hint names a flag that other programs call by this word, else a flag that ends with it, else one spelled almost like it. */
function unknownFlag(message: string, flag: string, flags: readonly string[], otherwise: string): ServiceError {
  const meant = foreignFlag(flag, flags);
  if (meant !== undefined) return new ServiceError('usage', message, { hint: `Write ${meant}.` });
  const ending = flag.startsWith('--') ? flags.filter((one) => one.endsWith(flag.slice(1))) : [];
  const near = ending.length > 0 ? ending.slice(0, 3).join(' or ') : nearFlag(flag, flags);
  return new ServiceError('usage', message, { hint: near === undefined ? otherwise : `Did you mean ${near}?` });
}

/** The dashes are no letters: they would make short words look alike. */
function nearFlag(flag: string, flags: readonly string[]): string | undefined {
  const bare = flag.replace(/^-+/, '');
  const words = bare.length > 1 ? flags.map((one) => one.slice(2)) : [];
  const near = nearest(bare, words);
  return near && `--${near}`;
}

const flagsOf = (command: Command): readonly string[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);

function wording(message: string, path: string): string {
  const [, argument] = /^missing required argument '(.+)'/.exec(message) ?? [];
  if (argument !== undefined) return `${path} needs <${argument}>`;
  return message.startsWith('too many arguments') ? `${path}: ${message}` : message;
}

function missingVerb(command: Command, path: string): ServiceError {
  const verbs = command.commands.map((below) => below.name());
  return new ServiceError('usage', `${path} needs a verb: ${verbs.join(', ')}`, {
    hint: `${path} --help says what each one does.`,
  });
}

/** Other users could read it in the list of processes. */
function secretFlag(command: Command, option: string): ServiceError {
  const takes = (flag: string): boolean => command.options.some((one) => one.long === flag);
  return new ServiceError('usage', `${option}: a secret is never written on the command line`, {
    hint: takes('--new-password-stdin')
      ? 'Give it with --new-password-stdin or --new-password-file <file>.'
      : takes('--password-stdin')
        ? 'Give it with --password-stdin, --password-file <file> or PM_PASSWORD.'
        : 'pm login --password-stdin logs in; pm passwd <who> --new-password-stdin sets a password.',
  });
}
