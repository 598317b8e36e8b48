// The doctor names records with values that a rule of today would refuse; they hold up no change of other members.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

it('tells of such values, and of none where there are none', async () => {
  const values = async () => (await pm('doctor -o json').rows()).filter(({ Check }) => Check === 'values');
  expect(await values()).toEqual([expect.objectContaining({ State: 'ok' })]);
  const id = await pm('departments get Sales -o id').id();
  const setName = (name: string): void => {
    const database = openDatabase(join(pm.home, 'local.db'));
    database.prepare('UPDATE organization SET Name = ? WHERE ID = ?').run(name, id);
    database.close();
  };
  setName('n'.repeat(300));
  const Found = `the department ${id}: Name is 300 characters long; the limit is 100`;
  expect(await values()).toEqual([expect.objectContaining({ State: 'warning', Found })]);
  setName(' Sales\u00a0');
  expect(await values()).toEqual([
    expect.objectContaining({
      State: 'warning',
      Found: `the department ${id}: Name begins with the blank U+0020: " Sales\\u00a0"`,
    }),
  ]);
  await pm(`departments update ${id} --rank 7 --fields Rank`).prints('7');
});

it('tells of a title of white space, which an older program let in', async () => {
  const database = openDatabase(join(pm.home, 'local.db'));
  database.prepare("UPDATE individual SET PrimaryTitle = '  ' WHERE UserName = 'ann'").run();
  database.close();
  await pm('doctor -o json').prints('PrimaryTitle must not be null');
  await pm('individuals update ann --last-name Other --fields LastName').prints('Other');
});
