// pm help: the help of a command, a topic, the list of commands, or the coverage of the interface.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { everyResource, resources } from '../../contract/index.ts';
import { addressOf, type Operation, sourceOf } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import { nearest } from '../../text/spelling.ts';
import type { Run, RunLine } from '../command.ts';
import { kebab } from '../names.ts';
import type { Streams } from '../streams.ts';

/** The folder of topics: beside the bundle, or one folder up in the sources. */
const TOPICS = ['./help/', '../help/'].map((folder) => new URL(folder, import.meta.url)).find(existsSync) as URL;

/** Topics that are derived from the contract. */
const DERIVED: Readonly<Record<string, () => string>> = { coverage };

export function build(_run: Run, io: Streams, runLine: RunLine): Command {
  return new Command('help')
    .description('Show the help of a command or a topic.')
    .argument('[words...]', 'a command or a topic')
    .action((words: readonly string[]) => show(words, io, runLine));
}

async function show(words: readonly string[], io: Streams, runLine: RunLine): Promise<void> {
  const files = (await readdir(TOPICS)).filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3));
  const topics = [...files, ...Object.keys(DERIVED)].sort();
  const [name] = words;
  if (name !== undefined && topics.includes(name)) {
    io.stdout.write(DERIVED[name]?.() ?? (await readFile(new URL(`${name}.md`, TOPICS), 'utf8')));
    return;
  }
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const exit = await runLine([...words, '--help'], { ...io, stderr: nowhere });
  if (exit === 0) return;
  const close = nearest(name ?? '', topics);
  throw new ServiceError('usage', `there is no help on "${words.join(' ')}"`, {
    hint: close ? `Did you mean: pm help ${close}?` : `Topics: ${topics.join(', ')}.`,
  });
}

const WIDTH = 22;

/** Describes the whole program without building any of its commands. */
export function describeAll(program: Command, handmade: readonly (readonly [string, string])[]): Command {
  const line = (name: string, doc: string): string => `  ${name.padEnd(WIDTH)}${doc}`;
  const records = [...resources]
    .sort((a, b) => (a.command < b.command ? -1 : 1))
    .map((one) => line(one.command, one.doc));
  const others = handmade.map(([name, doc]) => line(name, doc));
  program
    .usage('<resource> <verb> [ids...] [flags]')
    .description('Administers a performance-management service, and answers as one from a local file.')
    .addHelpText('after', `\nResources:\n${records.join('\n')}\n\nOther commands:\n${others.join('\n')}\n${TAIL}`)
    .action(() => program.outputHelp());
  return program;
}

const TAIL = `
Verbs: list, get, create, update, delete, undelete; pm <resource> --help shows which ones a resource has.
Topics: pm help benchmarks, changes, coverage, dashboards, decisions, environment, exit-codes, files,
  house, remote, rights, serve, where.

To begin:
  pm demo                                a walk through a throw-away site
  pm seed --sample small                 fill the local site
  pm individuals list --where "LastName ~ '^S'"`;

const HEAD = `OPERATIONS OF THE SERVICE

Each operation works on the embedded engine, over pm serve and from the command
line. Its source says where it is known from: the interface document, the help
pages of a deployed service, or inferred from its neighbours. A profile can
lead an operation that is not from the document to another address.
`;

const TITLES = ['Method', 'Path', 'Command', 'Label', 'Source'];
const SOURCES = ['document', 'help pages', 'inferred'];

/** The topic: one line for each address. */
function coverage(): string {
  const all = everyResource.flatMap(coverageOf);
  const counts = SOURCES.map((source) => `${all.filter((one) => one[4] === source).length} ${source}`);
  const widths = TITLES.map((_, at) => Math.max(...[TITLES, ...all].map((one) => one[at]?.length ?? 0)));
  const line = (one: readonly string[]): string =>
    `  ${one.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd();
  return `${HEAD}\n${all.length} operations: ${counts.join(', ')}.\n\n${[TITLES, ...all].map(line).join('\n')}\n`;
}

/** One row for each address, with the cells of `TITLES`. */
const coverageOf = (resource: Resource): readonly (readonly string[])[] =>
  Object.values(resource.operations).flatMap((operation) =>
    Object.entries(operation.routes).map(([name, route]) => {
      const { method, path } = addressOf(route);
      return [method, path, commandOf(resource, operation), operation.labels.join(' '), sourceOf(operation, name)];
    }),
  );

function commandOf(resource: Resource, operation: Operation): string {
  if (operation.verb === 'unsupported') return '(the service does not do this)';
  return resource.hidden ? `pm ${operation.name}` : `pm ${resource.command} ${kebab(operation.name)}`;
}
