// pm seed: a sample fills an empty site once; asked for again, it is there already.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { individual } from './company.ts';

const pm = usingPm();
const LARGE = 'seed --sample large --individuals 30';

it('makes a new site without telling how to fill it', async () => {
  rmSync(join(pm.home, 'local.db'));
  const { err } = await pm(LARGE).says(
    'a new site; the user name of its administrator is admin.',
    'Made 150 accountabilities',
  );
  expect(err).not.toContain('To fill it');
});

it.each([
  ['seed', `${LARGE} -n`, 'large sample of 30 individuals'],
  ['another command', 'departments create --name Sales --rank 1 --parent Local -n', '1 create'],
])('a dry run of %s makes no database', async (_what, line, said) => {
  const [home, temp] = [join(pm.home, 'new'), join(pm.home, 'temp')];
  mkdirSync(temp);
  vi.stubEnv('TMPDIR', temp);
  const { err } = await pm(line, { env: { PM_HOME: home } }).says(said, 'and a dry run makes none');
  expect(err).not.toContain('Made');
  expect(existsSync(home)).toBe(false);
  expect(readdirSync(temp)).toEqual([]);
  vi.unstubAllEnvs();
});

it('a dry run refuses what the command refuses', async () => {
  const env = { PM_HOME: join(pm.home, 'new') };
  await pm(`${LARGE} --site Other -n`, { env }).fails(6, 'Other');
  await pm('seed --sample large --individuals 0 -n', { env }).fails(2, '--individuals');
  expect(existsSync(env.PM_HOME)).toBe(false);
});

it('makes it once', async () => {
  const line = `${LARGE} --random-seed 7`;
  await pm(line).says('Made');
  const whole = pm.dump();
  await pm(line).says('The site holds this sample already', 'Nothing was made.');
  await pm(`${line} -n`).says('The site holds this sample already');
  expect(pm.dump()).toEqual(whole);
});

it('refuses a site with people of other origin', async () => {
  await pm(individual('ann', 'Ann Smith', 'Local', 'me')).prints();
  await pm.refuses(LARGE, 7, 'the site has individuals already', 'PM_HOME');
});

it('makes nothing in a dry run', async () => {
  const before = pm.dump();
  await pm(`${LARGE} -n`).says('large sample of 30 individuals, random seed 1 (dry run: nothing is made)');
  expect(pm.dump()).toEqual(before);
});

it('is done by the embedded engine alone', async () => {
  await pm('profiles add prod --url http://127.0.0.1:9 --allow-http').says();
  await pm.refuses('seed --sample small -p prod', 2, 'seed is done by the embedded engine alone');
  await pm.refuses(
    'passwd ann -p prod',
    2,
    'On a service: pm individuals update ann -p prod --new-password-file <file>',
  );
  await pm.refuses('individuals list --out -', 2, '--out - names no file');
});

describe('the small sample', () => {
  const pm = usingPm(async (run) => {
    await run('seed --sample small').says('Made');
  });

  it('is made once, and known again after its people were changed and deleted', async () => {
    const whole = pm.dump();
    await pm('seed --sample small').says('The site holds this sample already: small sample.', 'Nothing was made.');
    expect(pm.dump()).toEqual(whole);
    await pm('individuals delete ingrid.halvorsen --yes').says();
    await pm('individuals update klara.svoboda --suffix Dr').says();
    await pm('seed --sample small').says('The site holds this sample already: small sample.');
  });

  it('has memberships that are listed with their departments', async () => {
    await pm('department-members list --individual klara.svoboda -o table').prints('Battery Laboratory');
  });

  it('lies in the past, so that what came since then is none of it', async () => {
    const [history] = (await pm('doctor -o json').rows()).filter(({ Check }) => Check === 'history');
    expect(String(history?.Found)).toMatch(/since 2024-/);
    await pm('log --since -12h').says('Nothing happened.');
    await pm('undo --by ylva.sandstrom --since -12h').fails(7, 'there is nothing to take back');
    await pm('individuals update klara.svoboda --suffix Dr').says();
    expect(await pm('log --since -12h -o json').rows()).toMatchObject([{ What: 'update', Fields: 'Suffix' }]);
  });
});

describe('the large sample', () => {
  const pm = usingPm(async (run) => {
    await run(LARGE).says('Made');
  });

  it.each([
    ['of another size', 'seed --sample large --individuals 25'],
    ['of a larger size', 'seed --sample large --individuals 31'],
    ['of another random seed', `${LARGE} --random-seed 2`],
    ['of another kind', 'seed --sample small'],
  ])('refuses a sample %s beside it, and says what to do', async (_how, line) => {
    await pm.refuses(line, 7, 'the site has individuals already', `then: pm ${line}`, 'PM_HOME');
  });

  it('leaves room for a site of its own beside it', async () => {
    await pm('sites create Sample --admin sample.admin').says();
    await pm('seed --sample small --site Sample').says('Made');
    await pm('seed --sample small --site Sample').says('The site holds this sample already');
    await pm('sites create Third --admin third.admin').says();
    await pm.refuses(`${LARGE} --site Third`, 7, 'is in this database already');
  });

  it('is no job, and says so', async () => {
    await pm('undo').fails(7, 'there is nothing to undo');
    await pm('seed --help').prints(/It\s+is\s+no job, so\s+that\s+pm undo\s+does\s+not\s+take it/);
  });
});
