// pm dashboards get --period: the figures of that period, at every address, here and on a remote service.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (one) => {
  await company(one);
  await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

servedAsProd(pm);

describe.each(['local', 'prod'])('on %s', (profile) => {
  const say = (line: string) =>
    pm(`dashboards get ${line} -p ${profile} -o json --fields FromDate,ToDate`, { env: { PM_PASSWORD: PASSWORD } });

  describe.each(['--organization Local', '--department Sales', '--individual ann', '--individual me'])(
    '%s',
    (whose) => {
      it('shows the current period where none is named', async () =>
        expect(await say(whose).row()).toEqual({
          FromDate: '2026-01-01',
          ToDate: '2026-03-31',
        }));

      it.each(['3', '"2026-07-01 to 2026-09-30"'])('shows the period %s', async (period) =>
        expect(await say(`${whose} --period ${period}`).row()).toEqual({
          FromDate: '2026-07-01',
          ToDate: '2026-09-30',
        }),
      );

      it('refuses a period that does not exist', async () => {
        await say(`${whose} --period 99`).fails(6, 'there is no period 99');
        await say(`${whose} --period "2020-01-01 to 2020-03-31"`).fails(6, 'there is no period "2020-01-01');
      });
    },
  );
});
