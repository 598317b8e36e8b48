// The commands with which pm help scale begins, run one after the other on an empty one.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inLong } from '../support/long.ts';
import { usingPm, words } from '../support/pm.ts';
import { usingPostgres } from '../support/postgres.ts';

const pm = usingPm();
const ROWS = inLong(600, 2_500);
const SCALE = readFileSync(join(import.meta.dirname, '../../src/cli/help/scale.md'), 'utf8');
const [, block = ''] = SCALE.split('\n\n');
const lines = block.split('\n').map((line) => line.trim().replace(/ {2,}.*/, ''));
/** `pm serve` goes on until it is ended: several-servers.test.ts runs it. */
const commands = lines.filter((line) => line.startsWith('pm ') && !line.startsWith('pm serve'));

describe('the commands of pm help scale on a database', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  it('start, seed, import and take back', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'pm-readme-'));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    const env = { PM_DATABASE: await server().newDatabase() };
    const rows = Array.from({ length: ROWS }, (_, i) => `grace.achieng,${i},Keeps promise ${i},As it was agreed`);
    writeFileSync(join(cwd, 'many.csv'), ['Individual,Rank,Name,Description', ...rows].join('\n'));
    const count = async () =>
      (await pm('find "Keeps promise" --limit 5000 -o id', { env, cwd })).out.split('\n').length;
    const counts: number[] = [];
    for (const command of commands) {
      const { exit, err } = await pm(words(command).slice(1), { env, cwd });
      expect(`${command}: ${exit}${exit === 0 ? '' : err}`).toBe(`${command}: 0`);
      counts.push(await count());
    }
    expect(commands).toHaveLength(4);
    expect(counts).toEqual([1, 1, ROWS + 1, 1]);
  });
});
