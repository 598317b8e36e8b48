// pm help: the help of a command, a topic, or the list of commands.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { resources } from '../../contract/index.ts';
import { didYouMean } from '../../text/spelling.ts';
import type { Run, RunLine } from '../command.ts';
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
  flags: async () => (await import('./flags.ts')).flagsTopic(),
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
  scale, serve, where.

To begin:
  pm demo                        a walk through a throw-away site
  pm seed --sample small         fill the local site
  pm individuals list --where "LastName ~ '^S'"`;
