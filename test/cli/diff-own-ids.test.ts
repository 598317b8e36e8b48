// pm diff and its plan on a service that gives new records IDs of its own.
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { ignoringIDs } from '../support/ignoring-ids.ts';
import { usingPm } from '../support/pm.ts';
import { serve } from '../support/served.ts';
import { company } from './company.ts';

const pm = usingPm(company);

/** Keeps the site as it is now in a file. */
function kept(name = 'then.db'): string {
  const database = openDatabase(join(pm.home, 'local.db'));
  database.prepare('VACUUM INTO ?').run(join(pm.home, name));
  database.close();
  return name;
}

describe('a service that gives IDs of its own', () => {
  const served = usingPm(async (one) => {
    await one('passwd --new-password-stdin', { stdin: 'Correct-horse-1' }).says('is set');
  });
  it('becomes like a site by a plan: references are those of the service', async () => {
    const there = (line: string) => served(`${line} -p prod`, { env: { PM_PASSWORD: 'Correct-horse-1' } });
    await serve(served, { over: ignoringIDs });
    const period = await pm('periods create --start-date 2027-01-01 --end-date 2027-03-31 -o id').id();
    const measures = [1, 2, 3, 4, 5].map((n) => `--measure${n} m${n}`).join(' ');
    await pm(
      `commitments create --individual bob --name Grow --due-date 2027-02-01 --period ${period} ${measures}`,
    ).prints();
    await pm('permissions set bob allow read,update department Sales --yes').prints();
    await pm('individuals update bob --primary-title Boss').prints();
    const wanted = join(pm.home, kept());
    await there(`diff ${wanted} --out fill.plan`).says('to add');
    await there('apply fill.plan --yes').says('Undo: ');
    await there(`diff ${wanted}`).says('they do not differ');
  });
});
