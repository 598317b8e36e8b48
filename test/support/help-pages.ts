// The pages of the help: of a command, and of all that stand below it.
import type { Pm } from './pm.ts';

/** What a page lists below a heading of commands, and what that of the program has by name alone. */
const LISTED = /^Commands:\n((?: .*\n)+)/gm;
const NAMED = /^ {2}(?:others|resources) ((?: .*\n)(?: {4}.*\n)*)/gm;

/** The page of this command and, by their names, those of all commands that it lists; '' is the program. */
export async function helpPages(pm: Pm, line = ''): Promise<ReadonlyMap<string, string>> {
  const page = await pm(`${line} --help`).prints();
  const listed = [...page.matchAll(LISTED)].flatMap(([, lines = '']) => lines.match(/^ {2}[\w-]+/gm) ?? []);
  const named = [...(line === '' ? page : '').matchAll(NAMED)].flatMap(
    ([, lines = '']) => lines.match(/[\w-]+/g) ?? [],
  );
  const names = [...listed, ...named].sort();
  const pages = new Map([[line, page]]);
  for (const name of names) {
    for (const [below, text] of await helpPages(pm, `${line} ${name.trim()}`.trim())) pages.set(below, text);
  }
  return pages;
}

/** The command lines below the heading of examples; a line that ends with a backslash goes on in the next one. */
export function examplesIn(page: string): readonly string[] {
  const [, block = ''] = /^Examples?, .*:\n((?: {2}.*\n)+)/m.exec(page) ?? [];
  return block
    .replaceAll(/ *\\\n */g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Runs a line as a shell does: what stands in $( ) is run first, and its answer put in its place. */
export async function runLine(pm: Pm, line: string): Promise<string> {
  let whole = line;
  for (let inner = INNER.exec(whole); inner; inner = INNER.exec(whole))
    whole = whole.replace(inner[0], () => '\0').replace('\0', (await runLine(pm, inner[1] ?? '')).trim());
  return pm(whole.replace(/^pm /, ''), { stdin: 'a long password of its own' }).prints();
}

const INNER = /\$\(([^()]*)\)/;
