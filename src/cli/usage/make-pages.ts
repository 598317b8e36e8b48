// Makes the pages of help that the build writes into files.
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { toStream } from '../output/printing.ts';
import { commandsOfProgram, runLine } from '../program.ts';
import type { Streams } from '../streams.ts';
import { treeOf } from './flags-of.ts';
import { PAGE_WIDTH, pageFile } from './written-pages.ts';

/** The page of `--help` of pm and of each command, by the name of its file. */
export async function makePages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const calls = (await commandsOfProgram()).flatMap((command) => treeOf(command).map(([path]) => path.split(' ')));
  for (const words of [[], ...calls]) pages.set(pageFile(words), await pageOf(words));
  return pages;
}

async function pageOf(words: readonly string[]): Promise<string> {
  const page = new PassThrough();
  const written = text(page);
  // Help touches nothing else of a process.
  const io = toStream({ columns: PAGE_WIDTH, env: {} } as Streams, page);
  const exit = await runLine([...words, '--help'], io, '');
  if (exit !== 0) throw new Error(`pm ${words.join(' ')} --help ended with ${exit}`);
  page.end();
  return written;
}
