// pm check: all faults of a folder, each at its file and line, without a site.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pmIn, usingPm } from '../support/pm.ts';
import { siteFolder } from '../support/site-folder.ts';
import { company } from './company.ts';

const pm = usingPm(company);

it('finds no fault in an exported site, and makes no site for it', async () => {
  await pm('export --dir site').says();
  const empty = pmIn(() => siteFolder(join(pm.home, 'empty'), {}));
  const { err } = await empty(`check ${join(pm.home, 'site')}`).says('records, and no fault.');
  expect(readdirSync(empty.home)).toEqual([]);
  await pm('apply site -n').says(`${/(\S+) records/.exec(err)?.[1]} unchanged`);
});

it('says of a name that no file has what to do where the site has it', async () => {
  await pm('export --dir site').says();
  siteFolder(join(pm.home, 'site'), { 'individuals/bob.yaml': ['UserName: bob', 'PrimaryOrganizationID: Nowhere'] });
  const { err } = await pm.refuses('check site', 7, 'there is no department "Nowhere"');
  expect(err).toContain('No file of site has it; pm apply site -n looks at your site, too.\n');
});

it('does not say so of a name that two files have', async () => {
  await pm('export --dir site').says();
  siteFolder(join(pm.home, 'site'), {
    'individuals/other.yaml': ['UserName: bob', 'FirstName: Rob'],
    'individuals/ann.yaml': ['UserName: ann', 'Permissions:', '- ChildType: any', '  PrincipalID: bob'],
  });
  const { err } = await pm.refuses(
    'check site',
    7,
    'several rows of the folder have this name: "bob"',
    'Give what tells them apart',
  );
  expect(err).not.toContain('No file of site has it');
});

it('tells what the rules of the engine refuse, and prints no row, whatever the form', async () => {
  siteFolder(join(pm.home, 'site'), { 'periods.yaml': ['- StartDate: 2031-05-01', '  EndDate: 2031-01-01'] });
  for (const form of ['table', 'json', 'csv'])
    await pm.refuses(`check site -o ${form}`, 7, /^error: line 1: .* before the first day 2031-05-01\n$/);
});

it('tells all faults at once, and leaves the site that is there as it is', async () => {
  await pm('export --dir site').says();
  siteFolder(join(pm.home, 'site'), {
    'individuals/eve.yaml': ['UserName: eve', 'LastName: Young'],
    'individuals/zoe.yaml': ['UserName: "zoe'],
    'core-values.yaml': ['- Name: Care', '  Rank: high'],
  });
  await pm.refuses('check site', 7, 'individuals/eve.yaml:1', 'individuals/zoe.yaml:', 'core-values.yaml:');
});
