// What every command shares: the global flags, how its action is run, and the errors of a command line.
import { Command, type CommanderError, Option } from 'commander';
import { ServiceError } from '../contract/errors.ts';
import type { Context } from './context.ts';
import { GLOBAL_FLAGS, type GlobalFlag, type GlobalValues, longName } from './globals.ts';
import type { Streams } from './streams.ts';

/** Runs the action of a command with a context, and closes the context. */
export type Run = (values: GlobalValues, action: (context: Context) => Promise<number>) => Promise<void>;

/** Runs another command line. Answers its exit code. */
export type RunLine = (argv: readonly string[], io: Streams) => Promise<number>;

/** What a command does with its arguments, and behind them its options. Answers the exit code. */
type Work = (context: Context, ...given: never[]) => Promise<number>;

/** The action of a command, for commander. */
export const actionOf =
  (run: Run, work: Work) =>
  (...given: readonly unknown[]): Promise<void> => {
    // The last one is the command itself.
    const handed = given.slice(0, -1);
    return run(handed.at(-1) as GlobalValues, (context) => work(context, ...(handed as never[])));
  };

/** As `actionOf`, with work that is loaded when it is called. */
export const lateAction = (run: Run, load: () => Promise<Work>) =>
  actionOf(run, async (...given) => (await load())(...given));

/** A hand-written command: adds itself to the program. */
export interface HandwrittenCommand {
  readonly build: (run: Run, io: Streams, runLine: RunLine) => Command;
}

/** The flags that name an output file, by commander's option keys. */
export const WRITTEN: readonly string[] = ['out', 'undoOut', 'html', 'trace', 'record'];

const CHOICE_FLAGS = GLOBAL_FLAGS.filter(({ chooses }) => chooses);

/** Created once and shared by all commands. */
const COMMON_OPTIONS: readonly Option[] = GLOBAL_FLAGS.filter(({ chooses }) => !chooses).map((flag) =>
  optionOf(flag).helpGroup('Flags of every command:'),
);
const CHOICE_OPTIONS: readonly Option[] = CHOICE_FLAGS.map((flag) =>
  optionOf(flag).helpGroup('Flags that choose among records:'),
);

/** Reads a flag that may be given several times. */
export function collectValues(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function optionOf({ flags, doc, many, variable }: GlobalFlag): Option {
  const option = new Option(flags, variable ? `${doc} [${variable}]` : doc);
  return many ? option.argParser(collectValues) : option;
}

/** Adds the global flags to a command that reads. */
export const withGlobals = (command: Command): Command => withOptions(command, [...CHOICE_OPTIONS, ...COMMON_OPTIONS]);

/** A command that reads, with the global flags. */
export const reading = (name: string, doc: string): Command => withGlobals(new Command(name).description(doc));

/** The hint for a refused flag such as `--where`; undefined if the flag can only be left out. */
export type Instead = (flag: string) => string | undefined;

/**
 * Adds the global flags to a command that writes. A flag that chooses among records would choose only what is printed:
 * it is refused while the command line is parsed.
 */
export const withChange = (command: Command, instead?: Instead): Command => withoutChoosing(command, [], instead);

/** A command that writes, with the global flags. */
export const changing = (name: string, doc: string, instead?: Instead): Command =>
  withChange(new Command(name).description(doc), instead);

/** As `withChange`, but accepts the `taken` flags. */
export function withoutChoosing(command: Command, taken: readonly string[], instead?: Instead): Command {
  const choosing = CHOICE_FLAGS.map((flag, at) =>
    taken.includes(longName(flag)) ? (CHOICE_OPTIONS[at] as Option) : refusedOption(flag, command, instead),
  );
  return withOptions(command, [...choosing, ...COMMON_OPTIONS]);
}

function withOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option);
  return command;
}

const refusedOption = (flag: GlobalFlag, command: Command, instead?: Instead): Option =>
  new Option(flag.flags).hideHelp().argParser(() => {
    throw choiceRefused(longName(flag), pathOf(command), instead);
  });

/** The error for a flag that would only choose what is printed. */
export const choiceRefused = (flag: string, path: string, instead?: Instead): ServiceError =>
  new ServiceError('usage', `${path} takes no ${flag}: that chooses what a list shows`, {
    hint: instead?.(flag) ?? `Leave ${flag} out; -o, --fields and --jmespath shape what is printed.`,
  });

/** The error for a command line that `command` cannot parse. */
export function usageError(error: CommanderError, command: Command): ServiceError {
  const path = pathOf(command);
  if (error.code === 'commander.help') return missingVerb(command, path);
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const [, option = ''] = /^unknown option '(--?[\w-]+)/.exec(first) ?? [];
  if (/password|secret|token/i.test(option)) return secretFlag(command, option);
  const suggestion = /\(Did you mean ([^()?]+)\?\)/.exec(rest.join(' '))?.[1];
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
