// pm import --on-error rollback on a remote service: what was done before a row was refused is taken back.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usingServedCompany } from './served-company.ts';

const { pm, remote } = usingServedCompany((one) => one('sites create Elsewhere --admin taken.there').prints());

/** The user name belongs to an individual of another site, which only the service can say. */
const ROWS = ['ID,PrimaryTitle,UserName', '@admin,Chief,', '@bob,,taken.there', ''];

it('leaves the service as it was, and says so', async () => {
  const file = join(pm.home, 'titles.csv');
  const people = await pm('individuals list -o json -p local').rows();
  const idOf = (name: string): string => String(people.find(({ UserName }) => UserName === name)?.ID);
  writeFileSync(
    file,
    ROWS.join('\n').replaceAll(/@(\w+)/g, (_, name: string) => idOf(name)),
  );
  const [before, after] = [join(pm.home, 'before.csv'), join(pm.home, 'after.csv')];
  await pm(`export individuals --out ${before} -p local`).says('individuals');
  const how = '--key ID --on-error rollback --concurrency 1 --yes';
  await remote(`import individuals ${file} ${how}`).fails(3, 'taken.there', 'Taken back: 1 of 1 change');
  await pm(`export individuals --out ${after} -p local`).says('individuals');
  expect(readFileSync(after, 'utf8')).toBe(readFileSync(before, 'utf8'));
});
