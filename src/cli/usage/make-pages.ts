// Makes the pages of help that the build writes into files.
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { toStream } from '../output/printing.ts';
import { commandsOfProgram, run } from '../program.ts';
import type { Streams } from '../streams.ts';
import { PAGE_WIDTH, pageFile } from './written-pages.ts';

/** The page of `--help` of pm and of each command, by the name of its file. */
export async function makePages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  for (const words of [[], ...(await commandsOfProgram()).flatMap((command) => callsOf(command, []))])
    pages.set(pageFile(words), await pageOf(words));
  return pages;
}

function callsOf(command: Command, above: readonly string[]): readonly (readonly string[])[] {
  const words = [...above, command.name()];
  return [words, ...command.commands.flatMap((below) => callsOf(below, words))];
}

async function pageOf(words: readonly string[]): Promise<string> {
  const written: string[] = [];
  const page = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  // Help touches nothing else of a process.
  const io = toStream({ columns: PAGE_WIDTH, env: {} } as Streams, page);
  const exit = await run([...words, '--help'], io, '');
  if (exit !== 0) throw new Error(`pm ${words.join(' ')} --help ended with ${exit}`);
  return written.join('');
}
