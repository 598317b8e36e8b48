// Every command has it: the global flags, and an action that is run in a context.
import { Command, Option } from 'commander';
import { ServiceError } from '../contract/errors.ts';
import { oncePer } from '../text/once-per.ts';
import type { Context } from './context.ts';
import { GLOBAL_FLAGS, type GlobalFlag, type GlobalValues, longName } from './globals.ts';
import type { Streams } from './streams.ts';
import { pathOf } from './usage/usage-error.ts';

/** Runs the action of a command with a context, and closes the context. */
export type Run = (values: GlobalValues, action: (context: Context) => Promise<number>) => Promise<void>;

/** Runs another command line. Answers its exit code. */
export type RunLine = (argv: readonly string[], io: Streams) => Promise<number>;

/** Takes the arguments of a command, and behind them its options. Answers the exit code. */
type Work = (context: Context, ...given: never[]) => Promise<number>;

/** The action of a command, for commander. */
export const actionOf =
  (run: Run, work: Work) =>
  (...given: readonly unknown[]): Promise<void> => {
    // The last one is the command itself.
    const handed = given.slice(0, -1);
    return run(handed.at(-1) as GlobalValues, (context) => work(context, ...(handed as never[])));
  };

/** Like `actionOf`, for work that is loaded when it is called. */
export const lateAction = (run: Run, load: () => Promise<Work>) =>
  actionOf(run, async (...given) => (await load())(...given));

/** Builds every command, to be described. */
export type AllCommands = () => Promise<readonly Command[]>;

/** A hand-written command: adds itself to the program. */
export interface HandwrittenCommand {
  readonly build: (run: Run, io: Streams, runLine: RunLine, all: AllCommands) => Command;
}

/** The flags that name an output file, by commander's option keys. */
export const WRITTEN: readonly string[] = ['out', 'saveRecipe', 'html', 'trace'];

const CHOICE_FLAGS = GLOBAL_FLAGS.filter(({ group }) => group === 'choosing');
const OTHER_FLAGS = GLOBAL_FLAGS.filter(({ group }) => group !== 'choosing');

const GLOBAL_OPTIONS = new WeakSet<Option>();

/** Is it one of the flags of every command? */
export const isGlobalOption = (option: Option): boolean => GLOBAL_OPTIONS.has(option);

/** Each is made when a command needs it, and all commands share it. */
const optionOf = oncePer(newOption);
const hiddenOptionOf = oncePer((flag: GlobalFlag) => newOption(flag).hideHelp());

/** Of commands whose changes are rehearsed with -n. */
export const PLAN_OUT = new Option('--out <plan>', 'with -n: write what it shows to this plan, for pm apply');

export const REASSIGN_DOC = 'give reports, tasks and places in project teams to this individual, in the same job';

/** Reads a flag that may be given several times. */
export function collectValues(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function newOption({ flags, doc, many, variable }: GlobalFlag): Option {
  const option = new Option(flags, variable ? `${doc} [${variable}]` : doc);
  GLOBAL_OPTIONS.add(option);
  return many ? option.argParser(collectValues) : option;
}

/** Adds the global flags to a command that reads. A script may give each command those of changes: they are taken, not shown. */
export const withGlobals = (command: Command): Command =>
  withOptions(command, [
    ...CHOICE_FLAGS.map(optionOf),
    ...OTHER_FLAGS.map((flag) => (flag.group === 'changing' ? hiddenOptionOf(flag) : optionOf(flag))),
  ]);

const AT = new Option('--at <when>', 'as it was then: 2026-11-01, -7d, or just before a job: 3f2a');

/** Adds the flag that shows records as they were. */
export const withAt = (command: Command): Command => command.addOption(AT);

export const reading = (name: string, doc: string): Command => withGlobals(new Command(name).description(doc));

/** The hint for a refused flag such as `--where`; undefined if the flag can only be left out. */
export type Instead = (flag: string) => string | undefined;

/**
 * Adds the global flags to a command that writes. A flag that chooses among records would choose printed ones alone:
 * it is refused while the command line is parsed.
 */
export const withChange = (command: Command, instead?: Instead): Command => withoutChoosing(command, [], instead);

/** A command that writes, with the global flags. */
export const changing = (name: string, doc: string, instead?: Instead): Command =>
  withChange(new Command(name).description(doc), instead);

/** As `changing`, of records: what the dry run shows can be kept. */
export const rehearsing = (name: string, doc: string, instead?: Instead): Command =>
  changing(name, doc, instead).addOption(PLAN_OUT);

/** As `withChange`, but accepts the `taken` flags. */
export function withoutChoosing(command: Command, taken: readonly string[], instead?: Instead): Command {
  const choosing = CHOICE_FLAGS.map((flag) =>
    taken.includes(longName(flag)) ? optionOf(flag) : refusedOption(flag, command, instead),
  );
  return withOptions(command, [...choosing, ...OTHER_FLAGS.map(optionOf)]);
}

function withOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option);
  return command;
}

const refusedOption = (flag: GlobalFlag, command: Command, instead?: Instead): Option =>
  new Option(flag.flags).hideHelp().argParser(() => {
    throw choiceRefused(longName(flag), pathOf(command), instead);
  });

/** The error for a flag that would choose printed records alone. */
export const choiceRefused = (flag: string, path: string, instead?: Instead): ServiceError =>
  new ServiceError('usage', `${path} takes no ${flag}: that chooses what a list shows`, {
    hint: instead?.(flag) ?? `Leave ${flag} out; -o, --fields and --jmespath shape what is printed.`,
  });
