// pm help: the help of a command, or a topic that is shipped with the program.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { nearest } from '../../text/spelling.ts';
import type { Run } from '../command.ts';
import { main } from '../main.ts';
import type { Streams } from '../streams.ts';

/** Beside the bundle; among the sources one folder up. */
const TOPICS = ['./help/', '../help/'].map((folder) => new URL(folder, import.meta.url)).find(existsSync) as URL;

/** Topics that are read off the contract. */
const DERIVED: Readonly<Record<string, () => Promise<string>>> = {
  coverage: async () => (await import('./coverage.ts')).coverage(),
};

export function build(_run: Run, io: Streams): Command {
  return new Command('help')
    .description('Show the help of a command or a topic.')
    .argument('[words...]', 'a command or a topic')
    .action((words: readonly string[]) => show(words, io));
}

async function show(words: readonly string[], io: Streams): Promise<void> {
  const files = (await readdir(TOPICS)).filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3));
  const topics = [...files, ...Object.keys(DERIVED)].sort();
  const [name] = words;
  if (name !== undefined && topics.includes(name)) {
    io.stdout.write((await DERIVED[name]?.()) ?? (await readFile(new URL(`${name}.md`, TOPICS), 'utf8')));
    return;
  }
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const exit = await main([...words, '--help'], { ...io, stderr: nowhere });
  if (exit === 0) return;
  const close = nearest(name ?? '', topics);
  throw new ServiceError('usage', `there is no help on "${words.join(' ')}"`, {
    hint: close ? `Did you mean: pm help ${close}?` : `Topics: ${topics.join(', ')}.`,
  });
}
