// Many long texts that the sources make, each pinned by its hash. Where some differ, those of before are made anew, of
// the sources that the hashes were written with, so that the difference is seen.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

/** By name. */
export type Texts = ReadonlyMap<string, string>;

const ROOT = join(import.meta.dirname, '../..');

/** Each text has the hash that stands before its name in `file`, of test/snapshots; `make` gets the folder of the sources. */
export async function havePinnedHashes(file: string, make: (src: string) => Promise<Texts>): Promise<void> {
  const path = join(ROOT, 'test/snapshots', file);
  const texts = await make(join(ROOT, 'src'));
  const lines = [...texts].map(([name, text]) => `${hashOf(text)} ${name}\n`);
  try {
    await expect(lines.join('')).toMatchFileSnapshot(path);
  } catch (mismatch) {
    const pinned = readFileSync(path, 'utf8').split('\n');
    const isPinned = ([name, text]: readonly [string, string]): boolean => pinned.includes(`${hashOf(text)} ${name}`);
    const before = new Map([...(await textsBefore(path, make))].filter(isPinned));
    const unlike = (these: Texts, those: Texts): string =>
      [...these].map(([name, text]) => (those.get(name) === text ? '' : `${name}\n\n${text}\n`)).join('');
    const source = before.size === 0 ? 'git does not have the sources of these hashes' : 'see the difference';
    expect(unlike(texts, before), `the texts are not those of ${file}: ${source}`).toBe(unlike(before, texts));
    throw mismatch;
  }
}

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
