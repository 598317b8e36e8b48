// What the jobs of pm tell of a remote service, which shows no history: pm history and pm log.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usingServedCompany } from './served-company.ts';

const { pm, remote } = usingServedCompany();

const suffixes = async (): Promise<readonly unknown[]> =>
  (await remote('history bob -o json').rows()).map(({ Field, Before, After }) => [Field, Before, After]);

it('is told also where it was taken back, and an undo that finds all as it wants it is no change', async () => {
  await remote('individuals update bob --suffix jr').prints();
  const [{ Job: first = '' } = {}] = await remote('jobs list -o json').rows();
  await remote(`undo ${first} --yes`).says();
  expect(await suffixes()).toEqual([
    ['Suffix', 'jr', null],
    ['Suffix', null, 'jr'],
  ]);
  await remote('individuals update bob --suffix sr').prints();
  const [{ Job: last = '' } = {}] = await remote('jobs list -o json').rows();
  await pm('individuals update bob --clear Suffix -p local').prints();
  await remote(`undo ${last} --yes`).says();
  expect((await suffixes())[0]).toEqual(['Suffix', null, 'sr']);
});

it('names records that an update changed, or that are deleted, and not the secret that was set', async () => {
  await remote('individuals update bob --suffix jr').prints();
  writeFileSync(join(pm.home, 'new'), 'an-0ther-Secret-word');
  await remote(['individuals', 'update', 'bob', '--new-password-file', join(pm.home, 'new')]).prints();
  await remote('individuals delete bob --yes').prints();
  const lines = await remote('log --resource individuals --limit 3 -o json').rows();
  expect(lines.map(({ Name, Changes }) => [Name, Changes])).toEqual([
    ['Bob Stone', 'delete'],
    ['Bob Stone', 'Password set'],
    ['Bob Stone', 'Suffix jr'],
  ]);
});
