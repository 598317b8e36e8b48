// Two people with one e-mail are allowed and mostly a mistake: pm warns of the second one, and names the first.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company, individual } from './company.ts';

const pm = usingPm(company);
const HEADER = 'UserName;FirstName;LastName;Email;PrimaryTitle;PrimaryReportsTo;PrimaryOrganizationID';

function people(...rows: readonly (readonly [userName: string, email: string])[]): string {
  const lines = rows.map(([userName, email]) => `${userName};Eve;Lee;${email};Member;me;Sales`);
  writeFileSync(join(pm.home, 'new.csv'), `${[HEADER, ...lines].join('\n')}\n`);
  return 'import individuals new.csv --yes -o none';
}

const newOne = (userName: string, email: string): string =>
  individual(userName, 'Eve Lee', 'Sales', 'me').replace(`${userName}@example.org`, email);

it('is said of a new individual, of a changed one and of a dry run', async () => {
  const warning = 'Warning: the e-mail "Ann@example.org" is also that of ann.';
  await pm(`${newOne('eve', 'Ann@example.org')} -n`).says(warning);
  await pm(newOne('eve', 'Ann@example.org')).says(warning);
  await pm('individuals update bob --email Ann@example.org').says(
    'Warning: the e-mail "Ann@example.org" is also that of ann, eve.',
  );
  await pm('individuals update ann bob --email both@example.org').says(
    'Warning: the e-mail "both@example.org" is also that of another one who gets it now.',
  );
});

it('is not said of an e-mail that stays, nor of one that was free, nor with -q', async () => {
  const silent = [
    'individuals update ann --email ANN@example.org',
    'individuals update ann --suffix Jr',
    newOne('eve', 'eve@example.org'),
    `${newOne('ivy', 'ann@example.org')} -q`,
  ];
  for (const line of silent) expect((await pm(line).says()).err).not.toContain('Warning');
});

it('is said of a deleted individual, who may come back, to a new one alone', async () => {
  await pm('individuals delete bob --yes').prints();
  expect((await pm('individuals update ann --email bob@example.org').says()).err).not.toContain('Warning');
  await pm('undo --yes').says();
  await pm(newOne('bob2', 'bob@example.org')).says('is also that of bob (deleted: an undelete brings that one back)');
});

it('is said of the rows of a file, with their lines', async () => {
  const line = people(['eve', 'ann@example.org'], ['ivy', 'new@example.org'], ['joy', 'NEW@example.org ']);
  const { err } = await pm(line).says(
    'Warning: line 2, the e-mail "ann@example.org" is also that of ann (--key Email changes that one instead of making another).',
    'Warning: line 4, the e-mail "NEW@example.org" is also that of line 3.',
    '1 cell trimmed',
  );
  expect(err.match(/Warning/g)).toHaveLength(2);
  // Nothing changes any more.
  expect((await pm(line).says('3 unchanged, 1 cell trimmed')).err).not.toContain('Warning');
});

it('is said of texts that are no address, in a file and of one record', async () => {
  const line = people(['eve', 'eve at example.org'], ['ivy', 'ivy(at)example.org'], ['joy', 'joy@example.org']);
  await pm(line).says('Warning: not an e-mail address: "eve at example.org" (line 2), "ivy(at)example.org" (line 3).');
  await pm(people(...['a', 'b', 'c', 'd'].map((name): [string, string] => [name, name]))).says('"c" (line 4), 1 more.');
  await pm('individuals update ann --email ann@').says('Warning: not an e-mail address: "ann@".');
  await pm(people(['kit', 'kit@example.org.'])).says('Warning: not an e-mail address: "kit@example.org."');
});

it('is that of a cell as mail programs write it', async () => {
  const line = people(
    ['eve', 'mailto:eve@example.org'],
    ['ivy', '<ivy@example.org>'],
    ['joy', 'Joy <joy@example.org>'],
  );
  expect((await pm(line).says('3 creates')).err).not.toContain('Warning');
  for (const one of ['eve', 'ivy', 'joy'])
    expect(await pm(`individuals get ${one} -o json`).row()).toMatchObject({ Email: `${one}@example.org` });
  expect((await pm(`${line} --key Email`).says('3 unchanged')).err).not.toContain('Warning');
});

it('is said of the first twenty rows, and how many more there are', async () => {
  const line = people(...Array.from({ length: 25 }, (_, n): [string, string] => [`eve${n}`, 'ann@example.org']));
  const { err } = await pm(line).says('… and 5 more');
  expect(err.match(/Warning/g)).toHaveLength(20);
});

it('is a fault of a new row whose user name somebody with another e-mail has, deleted or not, with the way back', async () => {
  writeFileSync(join(pm.home, 'again.csv'), 'UserName,FirstName,LastName,Email\nbob,Bob,Stone,other@example.org\n');
  const line = 'import individuals again.csv --key Email --set Title=x --set Department=Sales --set Manager=ann';
  await pm('individuals delete bob --yes').prints();
  const { err } = await pm.refuses(
    `${line} -n`,
    7,
    'line 2 is new, but "bob" is a deleted individual with another e-mail',
  );
  await pm(/pm (individuals undelete \S+)/.exec(err)?.[1] ?? '').prints();
  await pm.refuses(`${line} -n`, 7, 'is somebody with another e-mail', 'change the e-mail on the site first');
  await pm('individuals update bob --email other@example.org').prints();
  await pm(`${line} --yes`).says('1 update');
});
