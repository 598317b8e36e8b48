// A narrow terminal: texts and drawings are no wider than it, and a rehearsal keeps what changes, from what to what.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(async (one) => {
  await company(one);
  await one('individuals update bob --primary-title "Head of the development laboratory"').prints();
});
const at = (columns: number) => ({ columns, env: { PM_COLOR: 'never' } });
const widest = (out: string): number => Math.max(...out.split('\n').map((line) => line.length));

describe('pm apply <folder> -n', () => {
  const rehearsed = async (columns: number): Promise<string> => {
    await pm('export --dir site').says();
    const file = join(pm.home, 'site', 'individuals', 'bob.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Head of', 'The new head of'));
    return pm('apply site -n', at(columns)).prints();
  };

  it('shows at 80 columns what was before and what comes after, and leaves out the file', async () => {
    const out = await rehearsed(80);
    expect(out).toMatch(/^Operation +Name +Field +Before +After$/m);
    expect(out).toMatch(/^update +Bob Stone +PrimaryTitle +Head of the +The new head of/m);
    expect(out).toContain('File, Line, Resource left out');
    expect(widest(out)).toBeLessThanOrEqual(80);
  });

  it('shows at 40 columns all of it', async () => {
    const out = await rehearsed(40);
    expect(out).toMatch(/^File +bob.yaml\n[\s\S]*^Before +Head of the[\s\S]*^After +The new head/m);
    expect(widest(out)).toBeLessThanOrEqual(40);
  });
});

describe('pm can --why', () => {
  const asked = async (columns: number): Promise<string> => {
    await pm('permissions set bob deny update department Sales/EMEA').prints();
    return (await pm('can bob update department Sales/EMEA --why', at(columns)).fails(5)).out;
  };

  it('leaves the IDs of the rows out at 80 columns, and says where they are', async () => {
    const out = await asked(80);
    expect(out).toMatch(/^department "EMEA" +Deny +Bob Stone +decides$/m);
    expect(out).toContain('Row left out: a wider window shows it, and | cat');
    expect(widest(out)).toBeLessThanOrEqual(80);
    expect((await pm('can bob update department Sales/EMEA --why').fails(5)).out).toMatch(/decides +[\w-]{36}$/m);
  });

  it('is a block for each step at 40 columns', async () => {
    const out = await asked(40);
    expect(out).toMatch(/^At +department "EMEA"\nSays +Deny\nTo +Bob Stone\n +decides\nRow +/m);
    expect(widest(out)).toBeLessThanOrEqual(40);
  });
});

it('a tree goes on below the beginning of a long line', async () => {
  const out = await pm('individuals tree', at(40)).prints();
  expect(out).toContain('\n    └── Bob Stone (bob) – Head of the\n        development laboratory, EMEA\n');
  expect(widest(out)).toBeLessThanOrEqual(40);
  expect(await pm('individuals tree').prints()).toContain('Head of the development laboratory, EMEA\n');
});

it('pm alone has its meanings below the commands', async () => {
  const out = await pm([], at(40)).prints();
  expect(out).toContain('  pm departments tree\n      how it is built\n');
});
