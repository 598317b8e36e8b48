// --make departments: the departments that the cells of a file name and that are not there are made with its rows, in one job.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

/** The command line that imports people p0, p1 … of these departments. */
function people(departments: readonly string[], flags: string): string {
  const rows = departments.map((name, at) => `p${at},P${at},Roe,p${at}@example.org,Clerk,"${name}",ann`);
  writeFileSync(
    join(pm.home, 'people.csv'),
    `${['UserName,FirstName,LastName,Email,Title,Department,Manager', ...rows].join('\n')}\n`,
  );
  return `import individuals people.csv ${flags}`;
}

const names = async (): Promise<readonly unknown[]> =>
  (await pm('departments list -o json').rows()).map(({ Name, DisplayRank }) => `${DisplayRank} ${Name}`);

const BEFORE = ['1 Local', '1.1 Sales', '1.1.1 EMEA', '1.2 Labs'];

describe('a department that is not there', () => {
  it('is made once, at the end of the list, whatever its letters and blanks; it is shown first, and taken back with the rows', async () => {
    const line = people(['Research & Development', 'research &  development', 'Labs'], '--make departments');
    const shown = await pm(`${line} -n -o json`).rows();
    expect(shown[0]).toMatchObject({ Operation: 'create', Name: 'Research & Development', Resource: 'departments' });
    await pm(`${line} --yes`).says('4 creates');
    expect(await names()).toEqual([...BEFORE, '1.3 Research & Development']);
    expect((await pm('individuals get p1 -o json').row()).PrimaryOrganizationName).toBe('Research & Development');
    await pm(`${line} --yes`).says('3 unchanged');
    expect(await names()).toHaveLength(5);
    await pm('undo --yes').prints();
    expect(await names()).toEqual(BEFORE);
  });

  it('is made at its path, with those above it', async () => {
    const line = people(['Sales/APAC', '/Yard/Dock', 'Yard/Pier', '/Sales/EMEA'], '--make departments --yes');
    await pm(line).says('8 creates');
    const made = ['1.1.2 APAC', '1.3 Yard', '1.3.1 Dock', '1.3.2 Pier'];
    expect(await names()).toEqual(expect.arrayContaining(made));
    expect((await pm('individuals get p3 -o json').row()).PrimaryOrganizationName).toBe('EMEA');
    await pm(line).says('4 unchanged');
  });

  it.each([
    ['Sales/Desk', 'Local/Sales/Desk', '/Local/Sales/Desk', 'sales / desk'],
    ['Sales/EMEA/X/Y', 'EMEA/X/Z', 'Local/Sales/EMEA/X'],
    ['New/Bay', 'Local/New/Bay', 'New', 'Bay'],
    ['Bay', 'Local/Bay'],
  ])('is made once, however its path is written: %s', async (...paths) => {
    const line = people(paths, '--make paths --below Local --yes');
    await pm(line).prints();
    const made = await names();
    expect(new Set(made.map((name) => String(name).split(' ')[1])).size).toBe(made.length);
    await pm(line).says(`${paths.length} unchanged`);
    expect(await names()).toEqual(made);
  });

  it('is asked for where the end of its path names another one, too', async () => {
    const both = 'Write its whole path in each row.';
    await pm.refuses(people(['Bay', 'Yard/Bay'], '--make paths --yes'), 7, 'another row says only "Bay"', both);
    await pm.refuses(
      people(['Yard/Bay', 'Dock/Bay', 'Bay'], '--make paths --yes'),
      7,
      'line 4, column Department fits several departments that the file makes',
      both,
    );
    await pm(people(['Local/Bay', 'Yard/Bay'], '--make paths --yes')).says('5 creates');
  });

  it('is none where the last level of a path is blank: the one above is meant', async () => {
    for (const how of ['departments', 'paths']) {
      await pm(people(['Sales/', 'Sales/ ', '/Sales'], `--make ${how} --yes`)).prints();
      expect(await names()).toEqual(BEFORE);
    }
    await pm(people(['Sales/EMEA/', 'Yard/'], '--make paths --yes')).prints();
    expect(await names()).toEqual([...BEFORE, '1.3 Yard']);
  });

  it('whose name has a slash is asked for, unless --make says how to read it', async () => {
    await pm.refuses(
      people(['IT/IS'], '--make departments --yes'),
      7,
      'one department, or a path that begins with IT',
      '--make names',
    );
    await pm(people(['IT/IS'], '--make names --yes')).says('2 creates');
    expect(await names()).toContain('1.3 IT/IS');
    await pm(people(['AB/CD'], '--make paths --yes')).says('2 creates', '1 update');
    expect(await names()).toContain('1.4.1 CD');
  });

  it('comes below the place that --below says', async () => {
    await pm(people(['Dock'], '--make departments --below Labs --yes')).says('2 creates');
    expect(await names()).toContain('1.2.1 Dock');
    await pm(people(['Pier'], '--make departments --below site --yes')).says('1 create', '1 update');
    await pm.refuses(people(['Quay', 'Crane'], '--make departments --yes'), 7, 'nothing says where', "--below 'Local'");
  });

  it('is no department for a word that --null reads as none, nor for a row of a bad name', async () => {
    await pm.refuses(people(['N/A'], '--make departments --null usual --yes'), 7, 'column Department');
    await pm.refuses(people(['x'.repeat(101)], '--make departments --yes'), 7, 'column Department Name');
    expect(await names()).toEqual(BEFORE);
  });

  it('is a fault without the flag, which the fault names', () =>
    pm.refuses(people(['Quay'], '--yes'), 7, 'there is no department', '--make departments'));

  it('is not made for rows that delete', async () => {
    writeFileSync(join(pm.home, 'gone.csv'), 'UserName,Department\nbob,Quay\n');
    await pm('import individuals gone.csv --mode delete --make departments --yes').fails(7, 'there is no department');
    expect(await names()).toEqual(BEFORE);
  });
});
