// -o xlsx and pm export to .xlsx: files that Excel opens as they are meant, and that pm import reads again.
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sheetsOf } from '../../src/changes/files/index.ts';
import { zipEntries } from '../../src/changes/files/zip.ts';
import { pmIn, usingPm, written } from '../support/pm.ts';
import { company } from './company.ts';

const HARD = ['00042', '=1+1', "'x", '1/2', 'true', '<null>', 'two\nlines', '_x0041_', '+49 30 12'];

const pm = usingPm(async (run) => {
  await company(run);
  for (const [at, text] of HARD.entries())
    await run(
      [
        ...['individuals', 'create', '--user-name', `hard${at}`, '--first-name', 'H', '--last-name', `N${at}`],
        ...['--email', `h${at}@example.org`, '--primary-organization', 'Labs', '--primary-title', 'Member'],
        ...['--primary-reports-to', 'me', '--from', '-', '--hire-date', `190${at}-03-01`],
      ],
      { stdin: JSON.stringify({ UserDefined1: text }) },
    ).prints();
});

const bytesOf = (name: string): Buffer => readFileSync(join(pm.home, name));
const partOf = (name: string, wanted: string): string =>
  zipEntries(bytesOf(name))
    .find((entry) => entry.name.endsWith(wanted))
    ?.bytes()
    .toString() ?? '';

describe('a list as an Excel file', () => {
  it('is read by an import as it is', async () => {
    await pm('individuals list --out people.xlsx').says('Written: people.xlsx');
    await pm('import individuals people.xlsx -n').says('12 unchanged');
  });

  it('goes to stdout for a pipe, and to no terminal', async () => {
    expect(await pm('individuals list -o xlsx').prints()).toMatch(/^PK/);
    for (const line of ['individuals list -o xlsx', 'find ann -o xlsx', 'export individuals --form xlsx'])
      await pm(line, { columns: 100 }).fails(2, 'which a terminal cannot show', '> people.xlsx');
    await pm('individuals list -o xlsx --out seen.xlsx', { columns: 100 }).says('Written: seen.xlsx');
  });

  it('holds the chosen fields, with days, truths and texts', async () => {
    await pm(`individuals list --fields UserName,HireDate,IsAdmin --where "UserName = 'hard0'" --out one.xlsx`).says();
    const sheet = partOf('one.xlsx', 'sheet1.xml');
    expect(sheet).toMatch(/<c r="A2" s="2" t="inlineStr"><is><t xml:space="preserve">hard0<\/t>/);
    expect(sheet).toMatch(/<c r="B2" s="\d+"><v>61<\/v>/);
    expect(sheet).toMatch(/<c r="C2" s="\d+" t="b"><v>0<\/v>/);
  });

  it('has what --jmespath makes, and no header with --no-header', async () => {
    await pm(['individuals', 'list', '--jmespath', '[].{Who: UserName}', '--no-header', '--out', 'who.xlsx']).says();
    expect(partOf('who.xlsx', 'sheet1.xml')).toContain('<row r="1"><c r="A1" s="2"');
    await pm(['individuals', 'list', '--jmespath', 'length(@)', '-o', 'xlsx']).fails(2, '-o xlsx cannot show');
  });

  it('shows the history by name', async () => {
    await pm(['departments', 'update', 'EMEA', '--parent', 'Labs', '--yes']).prints();
    const env = { PM_HOME: pm.home, USER: 'admin' };
    const { parts } = await written(['log', '--limit', '1', '-o', 'xlsx'], { cwd: pm.home, env });
    writeFileSync(join(pm.home, 'log.xlsx'), Buffer.concat(parts.flatMap(({ chunks }) => chunks)));
    const csv = await pm('log --limit 1 --fields Changes -o csv --no-header').prints('Labs');
    expect(partOf('log.xlsx', 'sheet1.xml')).toContain(`>${csv.trimEnd()}<`);
  });
});

describe('an export as an Excel file', () => {
  it('has a sheet for each resource, which are applied as one job', async () => {
    await pm('export --out site.xlsx').says(/site\.xlsx: \d+ records in \d+ sheets/);
    expect(await sheetsOf(join(pm.home, 'site.xlsx'))).toContain('individuals');
    await pm('apply site.xlsx --yes').says('Nothing to change');
  });

  it('of some resources goes to another site by name', async () => {
    await pm('export departments individuals accountabilities --names --out some.xlsx').says('in 3 sheets');
    const home = mkdtempSync(join(tmpdir(), 'pm-excel-'));
    const other = pmIn(() => home);
    writeFileSync(join(home, 'some.xlsx'), bytesOf('some.xlsx'));
    await other('apply some.xlsx --yes').says();
    const line = 'individuals list --fields UserName,HireDate,UserDefined1,PrimaryTitle --sort UserName -o json';
    expect(await other(line).rows()).toEqual(await pm(line).rows());
  });

  it('is the same bytes while the site is the same', async () => {
    await pm('export --out once.xlsx').says();
    await pm('export --out again.xlsx').says();
    expect(bytesOf('once.xlsx').equals(bytesOf('again.xlsx'))).toBe(true);
  });

  it('is whole or not there', async () => {
    await pm(['departments', 'update', 'Labs', '--focus', 'x'.repeat(32_768)]).prints();
    await pm('export departments --out long.xlsx').fails(2, '32768 characters in the cell', '.csv');
    expect(existsSync(join(pm.home, 'long.xlsx'))).toBe(false);
    expect(readdirSync(pm.home).filter((name) => name.endsWith('.part'))).toEqual([]);
    await pm('export departments --out long.csv').says('long.csv: 4 departments');
  });

  it('is no folder', () =>
    pm.refuses('export --dir site --form xlsx', 2, '--dir writes no Excel files', 'pm export --out site.xlsx'));
});
