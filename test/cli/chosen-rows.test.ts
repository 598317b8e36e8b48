// --rows reads only the rows of a file that fit a filter over its columns, also over those that are no fields.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

function sheet(text: string, name = 'sheet.csv'): string {
  writeFileSync(join(pm.home, name), text);
  return `import individuals ${name} --ignore-unknown --yes`;
}

const titles = async (): Promise<unknown> =>
  (await pm('individuals list -o json --fields UserName,PrimaryTitle').rows())
    .filter(({ UserName }) => UserName !== 'admin')
    .map(({ PrimaryTitle }) => PrimaryTitle);

describe('--rows', () => {
  const ROWS = 'UserName,Title,Valid?,Job Status\nann,Chief, 1 ,Active\nbob,Gone,0,Left\nnobody,N/D,1,\n';

  it('leaves out the rows that do not fit, and counts them', async () => {
    const line = sheet(ROWS);
    await pm([...line.split(' '), '--rows', "Valid = 1 and JobStatus = 'Active'"]).says(
      'left out by --rows: 2 rows',
      '1 update',
    );
    expect(await titles()).toEqual(['Chief', 'Member']);
  });

  it('takes blank cells for null, and may be given several times', async () => {
    const line = sheet(ROWS);
    await pm([...line.split(' '), '--rows', 'JobStatus is not null', '--rows', "Title != 'Chief'"]).says('1 update');
    expect(await titles()).toEqual(['Member', 'Gone']);
  });

  it('reads members of JSON, too', async () => {
    const line = sheet(
      '[{"UserName":"ann","Title":"Chief","active":true},{"UserName":"bob","active":false}]',
      'a.json',
    );
    await pm([...line.split(' '), '--rows', "active = 'true'"]).says('1 update', 'left out by --rows: 1 row');
  });

  it('with a column that is not there is refused before anything is read, with the nearest one', async () => {
    await pm.refuses([...sheet(ROWS).split(' '), '--rows', 'Vald = 1'], 2, 'there is no field "Vald" here', 'valid');
  });

  it('goes into a recipe', async () => {
    const line = sheet(ROWS);
    await pm([...line.split(' '), '--rows', "JobStatus = 'Active'", '--save-recipe', 'hr.pm']).says('1 update');
    sheet('UserName,Title,Job Status\nann,Head,Left\nbob,Boss,Active\n');
    await pm('import hr.pm sheet.csv --yes').says('left out by --rows: 1 row', '1 update');
    expect(await titles()).toEqual(['Chief', 'Boss']);
  });
});
