// The pages of help that the build has written: each is shown without the program, as fast as the version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The width of a page, in character cells. On a narrower terminal the page is narrower. */
export const PAGE_WIDTH = 80;

/** The file of a page in the folder of pages; `words` call its command; none call pm itself. */
export const pageFile = (words: readonly string[]): string => `${['pm', ...words].join(' ')}.txt`;

const HELP = '--help';
const WORD = /^[a-z][a-z-]*$/;

/** The page that `argv` asks for by `--help` alone, on `columns` cells; undefined if none is written, as in the sources. */
export function writtenPage(argv: readonly string[], columns: number): string | undefined {
  const words = argv.slice(0, -1);
  if (argv.at(-1) !== HELP || columns < PAGE_WIDTH || !words.every((word) => WORD.test(word))) return undefined;
  try {
    return readFileSync(join(import.meta.dirname, 'pages', pageFile(words)), 'utf8');
  } catch {
    return undefined;
  }
}
