// Input files for tests: written, opened, and read to their end.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { BadFile, type Cell, type InputFile, type OpenOptions, openInput } from '../../src/changes/files/index.ts';

/** A file of that content in a folder of its own, until the end of the test; answers its path. */
export function fileOf(name: string, content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'pm-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Opens a file of that content until the end of the test. */
export async function open(name: string, content: string | Uint8Array, options: OpenOptions = {}): Promise<InputFile> {
  const input = await openInput(fileOf(name, content), options);
  onTestFinished(() => input.close());
  return input;
}

export type ReadRecord = Readonly<Record<string, Cell>>;

/** All rows as objects. */
export async function recordsOf(input: InputFile): Promise<ReadRecord[]> {
  const records: ReadRecord[] = [];
  for await (const { names, cells } of input.rows())
    records.push(Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null])));
  return records;
}

/** All rows as cells, each behind its line. */
export async function linesOf(input: InputFile): Promise<(readonly Cell[])[]> {
  const lines: (readonly Cell[])[] = [];
  for await (const { line, cells } of input.rows()) lines.push([line, ...cells]);
  return lines;
}

/** What is wrong with a file of that content: `line 3, column Name: …`. */
export async function faultsOf(
  name: string,
  content: string | Uint8Array,
  options: OpenOptions = {},
): Promise<readonly string[]> {
  try {
    const input = await open(name, content, options);
    for await (const _ of input.rows());
    return [];
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    return error.found.map(
      ({ line, column, message }) => `line ${line}${column === undefined ? '' : `, column ${column}`}: ${message}`,
    );
  }
}
