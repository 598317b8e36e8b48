// pm commands: every command with its arguments, flags and traits, for programs that call pm.
import type { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { boolean } from '../../contract/field.ts';
import type { Row } from '../../contract/resource.ts';
import { type AllCommands, actionOf, type Run, type RunLine, reading } from '../command.ts';
import { type Context, formatOf } from '../context.ts';
import { type Format, type Shape, shapeFrom, texts } from '../output/result.ts';
import type { Streams } from '../streams.ts';
import { type CommandEntry, commandList } from '../usage/command-list.ts';

const SHAPE: Shape = {
  ...shapeFrom(
    'Command',
    {
      ...texts('Command'),
      Writes: boolean('read-only'),
      Repeatable: boolean('read-only'),
      Undoable: boolean('read-only'),
      ...texts('Doc', 'Arguments', 'Flags', 'GlobalFlags', 'Exits'),
    },
    ['Command', 'Writes', 'Repeatable', 'Undoable', 'Doc'],
  ),
  id: 'Command',
  whole: ['Command'],
};

export function build(run: Run, _io: Streams, _runLine: RunLine, all: AllCommands): Command {
  return reading('commands', 'Every command, with what it takes and does, for programs (-o json).')
    .argument('[words...]', 'only those that begin with these words')
    .addHelpText('after', HELP)
    .action(actionOf(run, (context: Context, words: readonly string[]) => list(context, words, all)));
}

const HELP = `
With -o json, ndjson or yaml each has its Arguments, its Flags with the Values
that they take, the GlobalFlags that it has (the entry of pm itself says what
they mean), and the codes with which it can end, Exits (pm help exit-codes).
Writes: it changes records, jobs, profiles or credentials. Repeatable: given
twice, it has the effect of once. Undoable: pm undo takes it back. Of the last
two, null is: that depends on what it is given, or there is nothing to undo.`;

async function list(context: Context, words: readonly string[], all: AllCommands): Promise<number> {
  const prefix = ['pm', ...words].join(' ');
  const entries = commandList(await all());
  const found = entries.filter(({ Command }) => Command === prefix || Command.startsWith(`${prefix} `));
  if (found.length === 0)
    throw new ServiceError('not_found', `no command begins with "${words.join(' ')}"`, {
      hint: 'pm commands lists them all.',
    });
  const rows = isNested(context) ? found : found.map(flat);
  return context.print({ shape: SHAPE, rows: rows as readonly unknown[] as readonly Row[] });
}

/** These formats write lists in a row as they are. */
const NESTED: readonly Format[] = ['json', 'ndjson', 'yaml'];

const isNested = (context: Context): boolean =>
  context.settings.jmespath !== undefined || NESTED.includes(formatOf(context));

/** In other formats a list is a text. */
const flat = ({ Arguments, Flags, GlobalFlags, Exits, ...entry }: CommandEntry): Row => ({
  ...entry,
  Arguments: Arguments.map(({ Argument }) => Argument).join(' '),
  Flags: Flags.map(({ Flag }) => Flag).join(' '),
  GlobalFlags: GlobalFlags.join(' '),
  Exits: Exits.join(' '),
});
