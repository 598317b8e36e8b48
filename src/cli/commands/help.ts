// pm help: the help of a command, a topic, or the list of commands.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
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

/** Topics that are derived from the contract. */
const DERIVED: Readonly<Record<string, () => Promise<string>>> = {
  coverage: async () => (await import('./coverage.ts')).coverage(),
  flags: async () => flagsTopic(),
};

export function build(_run: Run, io: Streams, runLine: RunLine): Command {
  return new Command('help')
    .description('Show the help of a command or a topic.')
    .argument('[words...]', 'a command or a topic')
    .action((words: readonly string[]) => show(words, io, runLine));
}

async function show(words: readonly string[], io: Streams, runLine: RunLine): Promise<void> {
  const folder = topicsFolder();
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3));
  const topics = [...files, ...Object.keys(DERIVED)].sort();
  const [name] = words;
  if (name !== undefined && topics.includes(name)) {
    printText(io, (await DERIVED[name]?.()) ?? (await readFile(join(folder, `${name}.md`), 'utf8')));
    return;
  }
  const exit = await runLine([...words, '--help'], muted(io, 'stderr'));
  if (exit === 0) return;
  const near = didYouMean(name ?? '', topics, `Topics: ${topics.join(', ')}.`, ': pm help ');
  throw new ServiceError('usage', `there is no help on "${words.join(' ')}"`, {
    hint: meantLine(name ?? '', words[1] ?? '', resources) ?? near,
  });
}

/** Describes the whole program without building any of its commands. */
export function describeAll(program: Command, handmade: readonly (readonly [string, string])[]): Command {
  const records = [...resources]
    .sort((a, b) => (a.command < b.command ? -1 : 1))
    .map((one): [string, string] => [one.command, one.doc]);
  const lists = [table('Resources', records, PAGE_WIDTH), table('Other commands', handmade, PAGE_WIDTH), TAIL];
  return program
    .usage('<resource> <verb> [ids...] [flags]')
    .description('Administers a performance-management service, and answers as one from a local file.')
    .addHelpText('after', `\n${lists.join('\n\n')}`)
    .action(() => program.outputHelp());
}

const TAIL = `Verbs: list, get, create, update, delete, undelete; pm <resource> --help shows
which ones a resource has. Flags of every command: pm help flags.
Topics: pm help agents, benchmarks, changes, coverage, dashboards, decisions,
  environment, exit-codes, files, flags, house, install, naming, remote, rights,
  scale, serve, states, upgrade, where.

To begin:
  pm demo                        a walk through a throw-away site
  pm seed --sample small         fill the local site
  pm individuals list --where "LastName ~ '^S'"`;

const HEADINGS: Readonly<Record<FlagGroup, string>> = {
  choosing: 'Which records are listed, or changed',
  output: 'What is printed, and how',
  changing: 'Before something is changed',
  place: 'Where, and as whom',
  service: 'How a remote service is asked',
};

/** The text of the topic, for a terminal of 80 columns. */
function flagsTopic(): string {
  const parts = Object.entries(HEADINGS).map(([group, heading]) => {
    const flags = GLOBAL_FLAGS.filter((flag) => flag.group === group);
    return table(
      heading,
      flags.map(({ flags, doc, variable }) => [flags, variable ? `${doc} [${variable}]` : doc]),
      80,
    );
  });
  return [FLAGS_HEAD, ...parts, FLAGS_TAIL].join('\n\n');
}

const FLAGS_HEAD = `FLAGS OF EVERY COMMAND

They stand in front of the command or behind it. What a command has besides is
in its own help: pm <command> -h is short, pm <command> --help is all of it.`;

const FLAGS_TAIL = `What stands in brackets is the environment variable with the same effect:
pm help environment. A command that changes something takes of the first ones
only those by which it chooses what it changes. A value that begins with - is
written behind =, as in --sort=-Name.
`;
