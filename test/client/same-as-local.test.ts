// One database, asked directly and through a server: the same words come out, whichever way.
import { beforeEach, describe, expect, it } from 'vitest';
import { company } from '../cli/company.ts';
import { inLong } from '../support/long.ts';
import { type CommandResult, usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (pm) => {
  await company(pm);
  await pm('accountabilities delete Keep --individual bob --yes').prints();
  await pm('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

servedAsProd(pm);
beforeEach(() => pm('login -p prod --password-stdin', { stdin: PASSWORD }).says('Logged in'));

const READS = [
  'individuals list -o json',
  'individuals list -o xml',
  'individuals list -o csv --sort -LastName --limit 2',
  'individuals get ann -o json',
  'individuals get ann@example.org -o yaml',
  'individuals tree',
  'departments list -o json',
  'departments list --deleted 2 -o tsv',
  'departments get Sales/EMEA -o json',
  'departments tree',
  'accountabilities list --individual ann -o json',
  'accountabilities list --individual bob --deleted 1 -o json',
  'accountabilities list --mine -o json',
  'colors list -o json',
  'periods list -o ndjson',
  'sites list -o json',
  'individuals get ann bob -o json',
  'individuals list --deleted 2 -o json',
  'department-members list --department Sales -o json',
  'accountabilities get Keep --individual ann -o json',
  'comments list --individual ann -o json',
  'core-values list -o json',
  'site-settings get -o json',
];

describe.each(inLong(['json'], ['json', 'xml']))('with --wire %s', (wire) => {
  const remote = (line: string): Promise<CommandResult> => pm(`${line} -p prod --wire ${wire}`);

  it('every read prints the same', async () => {
    for (const line of READS) {
      const there = await remote(line);
      expect.soft({ line, ...there }).toEqual({ line, ...(await pm(`${line} -p local`)), exit: 0 });
      expect.soft(there.out, line).not.toBe('');
    }
  });
});
