// pm help: the help of a command, a topic, or the list of commands.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { resources } from '../../contract/index.ts';
import { didYouMean } from '../../text/spelling.ts';
import type { Run, RunLine } from '../command.ts';
import { type FlagGroup, GLOBAL_FLAGS } from '../globals.ts';
import { muted, printText } from '../output/printing.ts';
import type { Streams } from '../streams.ts';
import { table } from '../usage/help-page.ts';
import { meantLine } from '../usage/usage-error.ts';
import { PAGE_WIDTH } from '../usage/written-pages.ts';

/** The folder of topics: beside the bundle, or one folder up in the sources. */
const topicsFolder = (): string =>
  ['help', '../help'].map((folder) => join(import.meta.dirname, folder)).find(existsSync) as string;

/** What stands in the place {…} of a topic, by the contract. */
const FILLED: Readonly<Record<string, () => Promise<string>>> = {
  coverage: async () => (await import('./coverage.ts')).coverage(),
  flags: async () => flagTables(),
};

export function build(_run: Run, io: Streams, runLine: RunLine): Command {
  return new Command('help')
    .description('Show the help of a command or a topic.')
    .argument('[words...]', 'a command or a topic')
    .action((words: readonly string[]) => show(words, io, runLine));
}

async function show(words: readonly string[], io: Streams, runLine: RunLine): Promise<void> {
  const topics = readdirSync(topicsFolder())
    .map((file) => file.slice(0, -3))
    .sort();
  const [name] = words;
  if (name !== undefined && topics.includes(name)) {
    const filling = (await FILLED[name]?.()) ?? '{…}';
    const text = readFileSync(join(topicsFolder(), `${name}.md`), 'utf8').replace('{…}', () => filling);
    printText(io, text);
    return;
  }
  const exit = await runLine([...words, '--help'], muted(io, 'stderr'));
  if (exit === 0) return;
  const near = didYouMean(name ?? '', topics, `Topics: ${topics.join(', ')}.`, ': pm help ');
  throw new ServiceError('usage', `there is no help on "${words.join(' ')}"`, {
    hint: meantLine(name ?? '', words[1] ?? '', resources) ?? near,
  });
}

/** The commands that `pm --help` describes; of all others it has the names. */
const EVERYDAY = 'demo seed find show import export apply undo log doctor'.split(' ');

/** Describes the whole program without building any of its commands. */
export async function describeAll(
  program: Command,
  handmade: readonly (readonly [string, string])[],
): Promise<Command> {
  for (const option of program.options) option.hideHelp();
  const [everyday, others] = [true, false].map((is) => handmade.filter(([name]) => EVERYDAY.includes(name) === is));
  const named = resources.map(({ command }) => command);
  const names: readonly [string, string][] = [
    ['others', (others ?? []).map(([name]) => name).join(', ')],
    ['resources', named.sort().join(', ')],
    ['verbs', 'list, get, create, update, delete, undelete: pm <resource> --help'],
    ['flags', '--version; those of every command: pm help flags'],
  ];
  const lists = [
    table('Commands', everyday ?? [], PAGE_WIDTH),
    table('By name', names, PAGE_WIDTH),
    table('Topics (pm help <topic>)', await topicsOfUsers(), PAGE_WIDTH),
  ];
  return program
    .usage('<resource> <verb> [ids...] [flags], or: pm <command> [flags]')
    .description('Administers a performance-management service; answers as one from a local file.')
    .addHelpText('after', `\n${lists.join('\n\n')}`)
    .action(() => program.outputHelp());
}

/** Their first lines say what they are about; those for developers, which have a topic of their own, begin with a bare title. */
async function topicsOfUsers(): Promise<readonly [string, string][]> {
  const rows: [string, string][] = [];
  for (const file of readdirSync(topicsFolder()).sort()) {
    const [, doc] = /^[^\n:]*: ([^\n]*)/.exec(readFileSync(join(topicsFolder(), file), 'utf8')) ?? [];
    if (doc !== undefined) rows.push([file.slice(0, -3), doc]);
  }
  return rows;
}

const HEADINGS: Readonly<Record<FlagGroup, string>> = {
  choosing: 'Which records are listed, or changed',
  output: 'What is printed, and how',
  changing: 'Before something is changed',
  place: 'Where, and as whom',
  service: 'How a remote service is asked',
};

/** For a terminal of 80 columns. */
const flagTables = (): string =>
  Object.entries(HEADINGS)
    .map(([group, heading]) => {
      const flags = GLOBAL_FLAGS.filter((flag) => flag.group === group);
      const rows = flags.map(({ flags, doc, variable }) => [flags, variable ? `${doc} [${variable}]` : doc] as const);
      return table(heading, rows, PAGE_WIDTH);
    })
    .join('\n\n');
