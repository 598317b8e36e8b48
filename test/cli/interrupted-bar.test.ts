// Ctrl-C while a bar is shown: the lines that follow stand by themselves, nothing of the bar is left, and the cursor is there.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pmIn } from '../support/pm.ts';
import { onTerminal } from '../support/terminal.ts';
import { screenOf } from '../support/terminal-lines.ts';

/** Of a job that takes longer than it takes to type. */
const MANY = 12_000;
const SOME = 4_000;
const root = mkdtempSync(join(tmpdir(), 'pm-bar-'));
const home = join(root, 'home');
function fileOf(rows: number): string {
  const file = join(root, `${rows}.csv`);
  writeFileSync(file, `Rank,Name,Code\n${Array.from({ length: rows }, (_, at) => `${at},c${at},00ff00\n`).join('')}`);
  return file;
}
const importing = (rows: number): readonly string[] => ['import', 'colors', fileOf(rows), '--mode', 'create', '--yes'];
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Types Ctrl-C when the bar is there; answers the lines that are left. */
async function interrupted(line: readonly string[], at = home): Promise<readonly string[]> {
  const { out, exit } = await onTerminal(line, at, [['% ', '\u0003']]);
  expect(exit, out).toBe(130);
  const last = (sign: string): number => out.lastIndexOf(`\u001b[?25${sign}`);
  expect(last('h')).toBeGreaterThan(last('l'));
  const lines = screenOf(out);
  expect(lines.filter((one) => /%|\[[=-]+\]|\^C./.test(one))).toEqual([]);
  return lines;
}

const INTERRUPTED = 'Interrupted: pm finishes the running requests first.';

describe('Ctrl-C', { tags: 'terminal' }, () => {
  it('leaves nothing of the bar of an import, and of its resume', async () => {
    const imported = await interrupted(importing(MANY));
    expect(imported).toContain(INTERRUPTED);
    const job = await pmIn(() => home)('jobs list -o id').id();
    const again = `To go on: pm jobs resume ${job.slice(0, 8)}`;
    expect(imported).toContain(again);
    expect(await interrupted(['jobs', 'resume', job])).toEqual(expect.arrayContaining([INTERRUPTED, again]));
  });

  it('leaves nothing of the bar of an undo', async () => {
    const other = join(root, 'other');
    await pmIn(() => other)(importing(SOME)).says();
    expect(await interrupted(['undo', '--yes'], other)).toContain(INTERRUPTED);
  });

  it('leaves nothing of the bar of a sample, and nothing of the sample', async () => {
    const fresh = join(root, 'fresh');
    const lines = await interrupted(['seed', '--sample', 'large', '--individuals', '2000'], fresh);
    expect(lines).toContain('error: interrupted: nothing of the sample was made');
    const out = await pmIn(() => fresh)('individuals list -o tsv --fields UserName').prints();
    expect(out.trimEnd().split('\n')).toEqual(['UserName', 'admin']);
  });
});
