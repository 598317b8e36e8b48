// pm dashboards show, report and compare on the embedded engine: figures that were entered are the figures drawn.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const MEASURES = [1, 2, 3, 4, 5].map((number) => `--measure${number} none`).join(' ');

/** Ann has kept two of her three commitments. */
const pm = usingPm(async (pm) => {
  await company(pm);
  for (const name of ['Call', 'Visit', 'Write'])
    await pm(
      `commitments create --individual ann --name ${name} --due-date 2026-03-01 --completed ${name !== 'Write'} --period 1 ${MEASURES}`,
    ).prints();
});

describe('a dashboard of the embedded engine', () => {
  it('is drawn', () => pm('dashboards show ann').prints('Ann Smith', /Individuals .* 2 of 3 +66\.7 % +minimum/));

  it('is summed up in the departments above', () => pm('dashboards show Local/Sales').prints(/2 of 3 +66\.7 %/));

  it('is written as a page', async () => {
    await pm('dashboards report Local --html out.html').says('Wrote out.html', '4 departments and 3 individuals');
    const page = readFileSync(join(pm.home, 'out.html'), 'utf8');
    expect(page).toContain('aria-label="Commitments: 2 of 3, 66.7 %, minimum"');
    expect(page).toContain('by admin, on the site Local (the local file)');
    expect(page).toContain('<li>Write <span class="quiet">Ann Smith, due 2026-03-01</span></li>');
    expect(page).toContain('The period before is not shown: the site has none that ended before 2026-01-01.');
    await pm('dashboards report Local --html out.html').fails(2, 'the file exists already', '--overwrite');
    await pm.refuses('dashboards report ann', 2, '--html');
  });

  it('is compared', async () => {
    const rows = await pm('dashboards compare ann bob -o json --where "Difference < 0"').rows();
    expect(rows.map(({ Member, Difference }) => [Member, Difference])).toEqual([
      ['IndividualCommitmentsCompleted', -2],
      ['IndividualCommitmentsTotal', -3],
    ]);
  });
});
