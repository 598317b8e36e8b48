// Lists and their output: which format, which records, which fields, in which order, how many.
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const names = async (flags: string): Promise<readonly unknown[]> =>
  (await pm(`individuals list -o json ${flags}`).rows()).map((row) => row.UserName);

describe('the format', () => {
  it('is a table on a terminal', () => pm('individuals list', { columns: 100 }).prints('─────', 'Ann Smith'));

  it('is tsv of the columns of the table in a pipe', async () => {
    const out = await pm('departments list').prints();
    expect(out.split('\n')[0]).toBe('DisplayRank\tName\tRowType\tFocus');
    expect(out).toBe(await pm('departments list -o tsv --fields DisplayRank,Name,RowType,Focus').prints());
  });

  it('is one line for each record in a pipe', async () => {
    await pm(['accountabilities', 'update', 'Sell', '--individual', 'ann', '--description', '"a"\tb\nC:\\']).prints();
    expect(await pm('accountabilities list --individual ann').prints()).toContain('"a"\\tb\\nC:\\\\\n');
  });

  it('is what PM_OUTPUT says, and --output before that', async () => {
    await pm('departments list', { env: { PM_OUTPUT: 'json' } }).prints(/^\[\n/);
    await pm('departments list -o csv', { env: { PM_OUTPUT: 'json' } }).prints(/^ID,/);
    await pm('departments list', { env: { PM_OUTPUT: 'jsn' } }).fails(2, 'PM_OUTPUT is "jsn"', 'Did you mean json?');
  });

  it('holds the same records, whichever it is', async () => {
    const rows = await pm('departments list -o json').rows();
    const ids = rows.map((row) => row.ID);
    const lines = (text: string): readonly string[] => text.trimEnd().split(/\r?\n/);
    expect(lines(await pm('departments list -o ndjson').prints()).map((line) => JSON.parse(line))).toEqual(rows);
    expect(parseYaml(await pm('departments list -o yaml').prints())).toEqual(rows);
    expect(lines(await pm('departments list -o id').prints())).toEqual(ids);
    for (const format of ['csv --fields ID', 'tsv --fields ID'])
      expect(lines(await pm(`departments list -o ${format}`).prints()).slice(1)).toEqual(ids);
    const xml = await pm('departments list -o xml').prints('<ArrayOfOrganization');
    expect([...xml.matchAll(/<ID>(.*?)<\/ID>/g)].map(([, id]) => id)).toEqual(ids);
    const md = lines(await pm('departments list -o md --fields ID').prints()).slice(2);
    expect(md.map((line) => line.replaceAll(/[| ]/g, ''))).toEqual(ids);
    expect(await pm('departments list -o none').prints()).toBe('');
  });

  it('of one record is an object, of several a list', async () => {
    await pm('individuals get ann -o json').prints(/^\{/);
    await pm('individuals get ann bob -o json').prints(/^\[/);
    await pm('individuals get ann -o xml').prints('<Individual ');
  });

  it('of no records is still a whole document', async () => {
    expect(await pm('individuals list --where "UserName = \'x\'" -o json').rows()).toEqual([]);
    await pm('individuals list --where "UserName = \'x\'"').says('No individuals.');
  });
});

describe('the choice of records', () => {
  it('is made by --where, more than once', async () => {
    expect(await names('--where "LastName ~ \'^S\'"')).toEqual(['ann', 'bob']);
    expect(await names('--where "LastName ~ \'^S\'" --where "UserName != \'ann\'"')).toEqual(['bob']);
  });

  it('is ordered by --sort', async () => {
    expect(await names('--sort UserName')).toEqual(['admin', 'ann', 'bob']);
    expect(await names('--sort -UserName')).toEqual(['bob', 'ann', 'admin']);
  });

  it('is cut by --limit, which says so', async () => {
    expect(await names('--limit 2 --sort UserName')).toEqual(['admin', 'ann']);
    await pm('individuals list --limit 2').says('Only the first 2 are shown; there are more.');
    const told = await pm('individuals list --limit 3').says();
    expect(told.err).toBe('');
  });

  it('is made with words or numbers of --deleted', async () => {
    await pm('individuals delete bob --yes').prints();
    expect(await names('')).toEqual(['admin', 'ann']);
    for (const word of ['0', 'exclude']) expect(await names(`--deleted ${word}`)).toEqual(['admin', 'ann']);
    for (const word of ['1', 'only']) expect(await names(`--deleted ${word}`)).toEqual(['bob']);
    for (const word of ['2', 'include']) expect(await names(`--deleted ${word}`)).toEqual(['admin', 'ann', 'bob']);
  });

  it('refuses --deleted where the service takes none', () =>
    pm.refuses('comments list --individual ann --deleted 1', 2, 'takes no --deleted'));

  it('is made by owner, and refuses flags that do not go together', async () => {
    await pm('individuals list --department Sales').prints('Ann Smith');
    await pm('accountabilities list --individual bob').prints('Keep promises');
    await pm.refuses(
      'individuals list --department Sales --project x',
      2,
      '--department <ref>, or --organization <ref>, or --project <ref>',
    );
  });

  it('of permissions is of the site, where nothing else is said', () => pm('permissions list').says('No permissions.'));

  it('can be organizations only', async () => {
    expect((await pm('departments list --organizations -o json').rows()).map((row) => row.Name)).toEqual(['Local']);
    await pm('organizations list --site Local --organizations -o json').prints('Local');
  });
});

describe('the shape of records', () => {
  it('is made by --fields, in their order and in any case', () =>
    pm('individuals get ann --fields lastname,USERNAME').prints('LastName\tUserName\nSmith\tann\n'));

  it('writes dates in the zone of --tz, or PM_TZ', async () => {
    await pm('individuals get ann -o json --tz +05:30').prints('2026-03-31T17:30:00.000+05:30');
    await pm('individuals get ann -o json --tz Europe/Berlin').prints('2026-03-31T14:00:00.000+02:00');
    await pm('individuals get ann -o json', { env: { PM_TZ: '+05:30' } }).prints('T17:30:00.000+05:30');
  });

  it('never lets a text steer the terminal', async () => {
    await pm(['individuals', 'update', 'ann', '--user-defined1', 'S\u200bmith\u202e']).prints();
    const out = await pm('individuals get ann --fields UserDefined1', { columns: 80 }).prints();
    expect(out).not.toMatch(/[\u200b\u202e]/);
  });
});
