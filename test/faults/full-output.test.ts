// A disk that is full while a file is written: the command says so, and leaves nothing behind.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pmIn } from '../support/pm.ts';
import { importing, usingGround } from './ground.ts';
import { mountMemory } from './mounts.ts';

const ROWS = 2_500;
/** Less than the files of so many rows need. */
const KIB = 32;
let colors = '';
const ground = usingGround(async (pm) => {
  colors = ground.colors(ROWS);
  await pm(importing(colors)).says();
});

describe('on a full disk', { tags: 'memory' }, () => {
  it.each([
    ['an export', () => 'export colors --out disk/colors.csv'],
    ['a folder of tables', () => 'export colors core-values --dir disk/site'],
    ['a site as files', () => 'export --dir disk/site'],
    ['a plan', () => `plan colors ${colors} --mode delete --out disk/colors.plan`],
  ])('%s leaves nothing behind', async (_what, line) => {
    const home = ground.home();
    const disk = join(home, 'disk');
    mkdirSync(disk);
    const unmount = mountMemory(disk, KIB);
    try {
      writeFileSync(join(disk, 'mine'), '');
      await pmIn(() => home)(line()).fails(10, 'cannot be written: ENOSPC', 'Make room');
      expect(readdirSync(disk)).toEqual(['mine']);
    } finally {
      unmount();
    }
  });
});
