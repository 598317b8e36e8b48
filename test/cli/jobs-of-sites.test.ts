// A job belongs to a site: beside it a record of the same number may be another one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();
const coral = ['Name,Rank,Code', 'Coral,7,ff7f50'].join('\n');
const gold = ['Name,Rank,Code', 'Gold,8,ffd700', 'Silver,9,c0c0c0'].join('\n');
const namesIn = async (site: string): Promise<readonly unknown[]> =>
  (await pm(`colors list${site} -o json`).rows()).map(({ Name }) => Name);

beforeEach(async () => {
  await pm('sites create North --admin nora').prints('North');
  writeFileSync(join(pm.home, 'coral.csv'), coral);
  writeFileSync(join(pm.home, 'gold.csv'), gold);
  await pm('import colors coral.csv --yes').says('Undo: pm undo');
});

describe('a job of another site', () => {
  it('is not taken back here, where its numbers are those of other records', async () => {
    await pm('import colors gold.csv --site North --yes').prints();
    const [here, there] = [await namesIn(''), await namesIn(' --site North')];
    await pm('undo --yes').fails(7, 'is about site', '--site');
    await pm(`undo -n`).fails(7, 'is about site');
    expect(await namesIn('')).toEqual(here);
    expect(await namesIn(' --site North')).toEqual(there);
    await pm('undo --site North --yes').says('2 deletes');
    expect(await namesIn('')).toEqual(here);
    expect(await namesIn(' --site North')).toEqual(there.filter((name) => name !== 'Gold' && name !== 'Silver'));
  });

  it('is not gone on with here either', async () => {
    const { err } = await pm('import colors gold.csv --site North --yes');
    const [, job = ''] = /Undo: pm undo (\w+)/.exec(err) ?? [];
    await pm(`jobs retry ${job} --yes`).fails(7, 'is about site');
  });

  it('is settled in its site, and its rows have no names of records that are here', async () => {
    const { err } = await pm('colors update 1 --rank 20 --site North');
    const [, job = ''] = /Undo: pm undo (\w+)/.exec(err) ?? [];
    await pm(`jobs settle ${job} --row 1 --done --yes`).fails(7, 'is about site');
    const named = async (site: string) => (await pm(`jobs show ${job} --rows -o table${site}`)).out.includes('Below');
    expect([await named(''), await named(' --site North')]).toEqual([false, true]);
  });

  it('is named with its site in the command that takes it back', async () => {
    const { err } = await pm('import colors gold.csv --site North --yes');
    expect(err).toMatch(/Undo: pm undo \w{8} --site North$/m);
  });
});
