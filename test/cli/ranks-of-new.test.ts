// A new record without a rank comes at the end of its list.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

const departments = (...lines: readonly string[]): void =>
  writeFileSync(join(pm.home, 'departments.csv'), `${lines.join('\n')}\n`);

const rankOf = async (name: string): Promise<unknown> => (await pm(`departments get ${name} -o json`).row()).Rank;

it('as a command makes it', async () => {
  await pm('departments create --name Quay --parent Local').says('1 create');
  expect(await rankOf('Quay')).toBe(3);
  await pm('accountabilities create --individual ann --name Tell --description All').says('1 create');
  expect((await pm('accountabilities get Tell -o json').row()).Rank).toBe(3);
});

it('as the rows of a file make it, behind the ranks that rows before it say', async () => {
  departments('Name,Parent,Rank', 'Quay,Local,', 'Dock,Local,40', 'Pier,Local,', 'Crane,Quay,', 'Rope,Quay,');
  await pm('import departments.csv --yes').says('5 creates');
  const ranks = await Promise.all(['Quay', 'Dock', 'Pier', 'Crane', 'Rope'].map(rankOf));
  expect(ranks).toEqual([3, 40, 41, 1, 2]);
});

it('also without a column of ranks; one that is there keeps its own', async () => {
  departments('Name,Parent', 'Labs,Local', 'Quay,Local');
  await pm('import departments.csv --yes').says('1 create', '1 unchanged');
  expect([await rankOf('Labs'), await rankOf('Quay')]).toEqual([2, 3]);
  await pm('import departments.csv --yes').says('2 unchanged');
});

it('not a color, whose rank is a level', () =>
  pm.refuses('colors create --name Sky --code 0000ff', 2, 'needs --rank <n>'));

it('what else is missing is still asked for, without the rank', async () => {
  const { err } = await pm('departments create --parent Local').fails(2, 'needs --name');
  expect(err).not.toContain('--rank');
});
