// Commander's errors as errors of pm, with a command that helps.
import type { Command, CommanderError } from 'commander';
import { ServiceError } from '../contract/errors.ts';

/** The error for a command line that `command` cannot parse. */
export function usageError(error: CommanderError, command: Command): ServiceError {
  const path = pathOf(command);
  if (error.code === 'commander.help') return missingVerb(command, path);
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const [, option = ''] = /^unknown option '(--?[\w-]+)/.exec(first) ?? [];
  if (/password|secret|token/i.test(option)) return secretFlag(command, option);
  const suggestion = /\(Did you mean (.+?)\?\)/s.exec(rest.join(' '))?.[1];
  const meant = suggestion && error.code === 'commander.unknownCommand' ? `: ${path} ${suggestion}` : ` ${suggestion}`;
  return new ServiceError('usage', wording(first, path), {
    hint: suggestion ? `Did you mean${meant}?` : `${path} --help shows how it is written.`,
  });
}

/** The words that call a command: `pm individuals list`. */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

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
      ? 'Hand it over with --new-password-stdin or --new-password-file <file>.'
      : takes('--password-stdin')
        ? 'Hand it over with --password-stdin, --password-file <file> or PM_PASSWORD.'
        : 'pm login --password-stdin logs in; pm passwd <who> --new-password-stdin sets a password.',
  });
}
