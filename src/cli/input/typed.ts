// The answers of a dialog that failed, as a command line to repeat.

import { referencesOf } from '../../sites/state/references.ts';
import type { Context } from '../context.ts';
import { GLOBAL_FLAGS, longName } from '../globals.ts';
import { camel, choiceWord, kebab } from '../names.ts';
import { asTyped } from '../output/calling.ts';
import { say } from '../output/printing.ts';
import type { CommandInput } from '../selectors/owner-flags.ts';
import type { Answer } from './dialog.ts';

/** Prints the command with the flags that were given and those that the answers would be. Secrets are never asked for in a dialog. */
export async function printTyped(context: Context, asked: CommandInput, answers: readonly Answer[]): Promise<void> {
  const nameIt = await namesOf(context, asked);
  const typed = answers.flatMap(({ flag, value }) => {
    if (!flag) return [];
    const choice = flag.field.choices?.[Number(value)];
    return flagWords(flag.flag, choice ? choiceWord(choice) : String(nameIt(flag.name, value)));
  });
  const words = [asked.resource.command, kebab(asked.operation.name), ...givenWords(asked.options), ...typed];
  const line = words.map((word) => asTyped(word, context.io)).join(' ');
  say(context.io, `What was typed: pm ${line}`);
}

/** References by name; by ID where the names cannot be read any more. */
async function namesOf(
  context: Context,
  { resource }: CommandInput,
): Promise<Awaited<ReturnType<typeof referencesOf>>> {
  try {
    return await referencesOf(await context.session(), resource, true);
  } catch {
    return (_member, value) => value;
  }
}

/** Flags that switch something off, by commander's option keys: true means that they were not given. */
const SWITCHED_OFF = GLOBAL_FLAGS.map(longName).flatMap((name) =>
  name.startsWith('--no-') ? camel(name.slice(5)) : [],
);

function givenWords(options: CommandInput['options']): readonly string[] {
  return Object.entries(options).flatMap(([key, value]) => {
    const flag = kebab(key);
    if (SWITCHED_OFF.includes(key)) return value === false ? [`--no-${flag}`] : [];
    return value === true ? [`--${flag}`] : [value].flat().flatMap((one) => flagWords(flag, String(one)));
  });
}

/** A value that begins with a dash would be read as a flag. */
const flagWords = (flag: string, value: string): readonly string[] =>
  value.startsWith('-') ? [`--${flag}=${value}`] : [`--${flag}`, value];
