// Reads the tables of facts that the laws compare the contract with.
import { readFileSync } from 'node:fs';

export type Fact = Readonly<Record<string, string>>;

/** The rows of a table under `test/facts`, each by the names in its first line. `-` stands for nothing. */
export function factsOf(file: string): readonly Fact[] {
  const text = readFileSync(new URL(`../facts/${file}`, import.meta.url), 'utf8');
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    if (cells.length !== names.length) throw new Error(`${file}: "${line}" has not ${names.length} columns`);
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}
