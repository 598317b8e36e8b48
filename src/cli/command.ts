// What every command is made with: the global flags, and the way its action is run.
import { type Command, Option } from 'commander';
import type { Context } from './context.ts';
import { GLOBAL_FLAGS, type GlobalValues } from './globals.ts';
import type { Streams } from './streams.ts';

/** Runs an action of a command with its context, and closes what the action opened. */
export type Run = (values: GlobalValues, action: (context: Context) => Promise<number>) => Promise<void>;

/** A hand-written command: adds itself to the program. */
export interface Handmade {
  readonly build: (run: Run, io: Streams) => Command;
}

/** Made once: every command shares them. */
const GLOBAL_OPTIONS: readonly Option[] = GLOBAL_FLAGS.map(({ flags, doc, many, variable }) => {
  const option = new Option(flags, variable ? `${doc} [${variable}]` : doc).helpGroup('Flags of every command:');
  return many ? option.argParser((value: string, before: readonly string[] = []) => [...before, value]) : option;
});

/** Adds the flags that every command knows. */
export function withGlobals(command: Command): Command {
  for (const option of GLOBAL_OPTIONS) command.addOption(option);
  return command;
}
