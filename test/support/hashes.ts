// Many long texts that the sources make, each pinned by its hash. Where some differ, those of before are made anew, of
// the sources that the hashes were written with, so that the difference is seen.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

type Text = readonly [name: string, text: string];
type Texts = ReadonlyMap<string, string>;

const ROOT = join(import.meta.dirname, '../..');

/** Each text has the hash that stands before its name in `file`, of test/snapshots; `make` gets the folder of the sources. */
export async function havePinnedHashes(file: string, make: (src: string) => Promise<Texts>): Promise<void> {
  const path = join(ROOT, 'test/snapshots', file);
  const texts = await make(join(ROOT, 'src'));
  const lines = [...texts].map(([name, text]) => `${hashOf(text)} ${name}\n`);
  try {
    await expect(lines.join('')).toMatchFileSnapshot(path);
  } catch (mismatch) {
    const pinned = new Set(readFileSync(path, 'utf8').split('\n'));
    const isPinned = ([name, text]: Text): boolean => pinned.has(`${hashOf(text)} ${name}`);
    const after = [...texts].filter((text) => !isPinned(text));
    const before = [...(await textsBefore(path, make))].filter((one) => isPinned(one) && texts.get(one[0]) !== one[1]);
    const names = new Set([...before, ...after].map(([name]) => name));
    const advice = `${file} has other hashes for: ${[...names].join(', ')}. Before is empty where git cannot tell it.`;
    expect(shown(after), advice).toBe(shown(before));
    throw mismatch;
  }
}

const shown = (texts: readonly Text[]): string => texts.map(([name, text]) => `${name}\n\n${text}\n`).join('\n');

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The texts of the commit that has last written the file; none where git cannot tell. */
async function textsBefore(path: string, make: (src: string) => Promise<Texts>): Promise<Texts> {
  const folder = mkdtempSync(join(tmpdir(), 'pm-before-'));
  try {
    const commit = git('log', '-1', '--format=%H', '--', path).toString().trim();
    execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit, 'src') });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return await make(join(folder, 'src'));
  } catch {
    return new Map();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const git = (...args: readonly string[]): Buffer => execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30 });
