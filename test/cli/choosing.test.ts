// Flags that choose among records are refused where they would choose only what is printed, and the hint shows the way.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const where = `--where "UserName = 'ann'"`;

describe('a filter on a command that changes something', () => {
  it.each([
    [`individuals delete ann bob ${where} --yes`, 'pm individuals list --where … -o id | pm individuals delete -'],
    [`individuals delete ann bob ${where} -n`, 'pm individuals list --where … -o id | pm individuals delete -'],
    [
      'individuals update ann bob --last-name X --limit 1',
      'pm individuals list --limit … -o id | pm individuals update -',
    ],
    ['individuals undelete ann --sort ID', 'list --deleted 1 --sort … -o id | pm individuals undelete -'],
    ['accountabilities delete x --limit 1', 'pm accountabilities list --individual <ref> --limit … -o id |'],
    ['dialogs undelete x --limit 1', 'pm dialogs list --department <ref> --deleted 1 --limit … -o id |'],
    ['departments create --name X --limit 1', 'Leave --limit out'],
    ['individuals update ann --deleted 2 --last-name X', 'Leave --deleted out'],
    [`security-groups add-member Readers ann ${where}`, '$(pm individuals list --where … -o id)'],
    [`each people.csv ${where} -- individuals delete {ID}`, '| pm each - --form csv -- <resource> update {ID}'],
    [`each people.csv -- individuals delete {ID} ${where}`, '-o id | pm individuals delete -'],
    [`import individuals people.csv ${where}`, 'Leave the other rows out of the file.'],
    [`plan individuals people.csv --out x.plan ${where}`, 'Leave the other rows out of the file.'],
    [`export individuals ${where}`, 'pm <resource> list --where … -o csv'],
  ])('is refused: %s', async (line, way) => {
    writeFileSync(join(pm.home, 'people.csv'), 'ID,LastName\n1,X\n');
    await pm.refuses(line, 2, 'takes no --', way);
  });

  it('has a way that works', async () => {
    const stdin = await pm(`individuals list ${where} -o id`).prints();
    await pm('individuals delete - --yes', { stdin }).prints('ann');
    await pm.refuses('individuals get ann', 6, 'deleted');
    await pm('individuals get bob').prints('bob');
  });

  it('has a way that works for the rows of a file too', async () => {
    const stdin = await pm(`individuals list ${where} -o csv`).prints();
    await pm('each - --form csv --yes -- individuals update {ID} --primary-title Boss', { stdin }).says('1 update');
    expect((await pm('individuals get ann -o json').row()).PrimaryTitle).toBe('Boss');
  });

  it('is not listed in its help', async () => {
    expect(await pm('individuals delete --help').prints('--jmespath')).not.toMatch(/--(where|sort|limit|deleted)/);
    await pm('individuals list --help').prints('--where', '--sort', '--limit', '--deleted');
  });
});
