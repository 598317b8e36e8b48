// A job belongs to a site of a service: beside it a record of the same number may be another one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openServing } from '../../src/cli/serving.ts';
import { openServer } from '../../src/server/index.ts';
import { NOW, usingPm } from '../support/pm.ts';

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

describe('a job of another service', () => {
  const PASSWORD = 'Correct-horse-1';
  const onService = (line: string) => pm(`${line} -p r`, { env: { PM_PASSWORD: PASSWORD } });

  it('is not taken back, gone on with or settled where the profile has another address by now', async () => {
    await pm('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
    const serving = await openServing({ home: pm.home, owner: 'admin', clock: () => NOW });
    const serve = () => openServer({ backend: serving.backend, clock: () => NOW, log: () => undefined });
    const [one, other] = [await serve(), await serve()];
    onTestFinished(async () => {
      for (const { close } of [one, other, serving]) await close();
    });
    await pm(`profiles add r --url ${one.url} --user admin`).says('Added');
    const { err } = await onService('colors update 1 --rank 20');
    const [, job = ''] = /Undo: pm undo (\w+)/.exec(err) ?? [];
    await pm(`profiles add r --url ${other.url}`).says('Changed');
    const why = [`is about ${one.url}, not about r (${other.url})`, `pm profiles add r --url ${one.url}`];
    for (const line of ['undo --yes', `undo ${job} -n`, `jobs resume ${job}`, `jobs retry ${job}`])
      await onService(line).fails(7, ...why);
    await onService(`jobs settle ${job} --row 1 --done --yes`).fails(7, ...why);
    await onService(`jobs show ${job} --rows`).prints('done');
    await pm(`profiles add r --url ${one.url}/`).says('Changed');
    await onService('undo --yes').prints();
    await pm(`profiles add r --url ${other.url}`).says('Changed');
    await onService(`undo ${job} -n`).fails(7, `pm profiles add r --moved-from ${one.url}`);
    await pm.refuses('profiles add r --moved-from there', 2, '--moved-from is "there", not a URL');
    await pm(`profiles add r --moved-from ${one.url}`).says(`2 jobs of ${one.url} go with the service`);
    const [{ Job } = {}] = await onService('jobs list -o json').rows();
    await onService(`undo ${String(Job)} --yes`).says('Undo of');
  });
});

describe('a job of another site', () => {
  it('is not taken back here, where its numbers are those of other records', async () => {
    await pm('import colors gold.csv --site North --yes').prints();
    const [here, there] = [await namesIn(''), await namesIn(' --site North')];
    const [{ Job } = {}] = await pm('jobs list -o json --site North').rows();
    await pm(`undo ${Job} --yes`).fails(7, 'is about the site North', '--site North');
    await pm(`undo ${Job} -n`).fails(7, 'is about the site North');
    expect(await namesIn('')).toEqual(here);
    expect(await namesIn(' --site North')).toEqual(there);
    await pm('undo --site North --yes').says('2 deletes');
    expect(await namesIn('')).toEqual(here);
    expect(await namesIn(' --site North')).toEqual(there.filter((name) => name !== 'Gold' && name !== 'Silver'));
  });

  it('is passed by where the newest one is taken back', async () => {
    await pm('import colors gold.csv --site North --yes').prints();
    await pm('undo --yes').says('Undo of', 'coral.csv');
    expect(await namesIn('')).not.toContain('Coral');
    expect(await namesIn(' --site North')).toContain('Gold');
  });

  it('is not gone on with here either', async () => {
    const { err } = await pm('import colors gold.csv --site North --yes');
    const [, job = ''] = /Undo: pm undo (\w+)/.exec(err) ?? [];
    await pm(`jobs retry ${job} --yes`).fails(7, 'is about the site');
  });

  it('is settled in its site, and shown there alone', async () => {
    const { err } = await pm('colors update 1 --rank 20 --site North');
    const [, job = ''] = /Undo: pm undo (\w+)/.exec(err) ?? [];
    await pm(`jobs settle ${job} --row 1 --done --yes`).fails(7, 'is about the site');
    await pm(`jobs show ${job} --rows`).fails(7, 'is about the site North', '--site North');
    await pm(`jobs show ${job} --rows -o table --site North`).prints('Below');
  });

  it('is named with its site in the command that takes it back', async () => {
    const { err } = await pm('import colors gold.csv --site North --yes');
    expect(err).toMatch(/Undo: pm undo \w{8} --site North$/m);
  });

  describe('stays out of sight', () => {
    const inNorth = (line: string) => pm(`${line} --site North --as nora`);
    const jobsIn = async (run: typeof inNorth) => (await run('jobs list -o json').rows()).map(({ Title }) => Title);

    it('in the list, whoever asks', async () => {
      await inNorth('departments create --name Ops --rank 1').prints();
      expect(await jobsIn(inNorth)).toEqual(['departments create Ops']);
      expect(await jobsIn(pm)).not.toContain('departments create Ops');
    });

    it('by its ID, also in what forgets and reports it', async () => {
      const [{ Job } = {}] = await pm('jobs list -o json').rows();
      for (const verb of ['show', 'report', 'prune --yes'])
        await inNorth(`jobs ${verb} ${Job}`).fails(7, 'is about the site', 'not about this one');
      expect(await jobsIn(pm)).toHaveLength(2);
    });

    it('of those that are forgotten by their age', async () => {
      await inNorth('jobs prune --older-than 0d --yes').says('Forgot 0 jobs');
      expect(await jobsIn(pm)).toHaveLength(2);
      await pm('jobs prune --older-than 0d --yes', { now: () => new Date(NOW.getTime() + 1000) }).says('Forgot 2 jobs');
    });
  });
});
