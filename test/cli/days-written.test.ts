// A day is written as people write it, and read again as the day that it was.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(async (run) => {
  await company(run);
  await run('individuals update ann --hire-date 2003-12-17').prints();
  await run('individuals update bob --hire-date 2003-12-17T00:00:00+02:00').prints();
  await run('individuals update admin --hire-date 2003-12-17T09:30:00+00:00').prints();
});

const LIST = 'individuals list --fields HireDate --sort UserName';
const DAYS = ['2003-12-17T09:30:00+00:00', '2003-12-17', '2003-12-17T00:00:00+02:00'];

describe('a day', () => {
  it.each([
    ['csv', `HireDate\n${DAYS.join('\n')}\n`],
    ['tsv', `HireDate\n${DAYS.join('\n')}\n`],
    ['ndjson', DAYS.map((day) => `{"HireDate":"${day}"}\n`).join('')],
    ['yaml', DAYS.map((day) => `- HireDate: ${/T/.test(day) ? day : `"${day}"`}\n`).join('')],
    ['md', `| HireDate |\n| --- |\n${DAYS.map((day) => `| ${day} |\n`).join('')}`],
  ])('has no time in %s where that is midnight in UTC', async (form, text) =>
    expect((await pm(`${LIST} -o ${form}`).prints()).replaceAll('"', '')).toBe(text.replaceAll('"', '')),
  );

  it('is the same in json, in the result of an expression, and in an export', async () => {
    expect((await pm(`${LIST} -o json`).rows()).map(({ HireDate }) => HireDate)).toEqual(DAYS);
    expect(await pm([...LIST.split(' '), '--jmespath', '[].HireDate']).prints()).toBe(`${DAYS.join('\n')}\n`);
    expect(await pm('export individuals').prints()).toContain(',ann,2003-12-17\n');
    expect(await pm('export individuals --form json').prints()).toContain('"HireDate":"2003-12-17"');
  });

  it('stays as the service spells it in xml', async () => {
    expect(await pm('individuals get ann -o xml').prints()).toContain('>2003-12-17T00:00:00');
  });

  it.each(['csv', 'json', 'yaml', 'xlsx'])('that %s has changes nothing, in any zone', async (form) => {
    await pm(`export individuals --out days.${form}`).says();
    for (const zone of ['', '--tz America/New_York', '--tz Asia/Tokyo'])
      await pm(`import individuals days.${form} --yes ${zone}`).says('Nothing to change');
  });

  it('of one record is sent back as it was', async () => {
    writeFileSync(join(pm.home, 'ann.json'), await pm('individuals get ann -o json').prints());
    await pm('individuals update ann --from ann.json --yes').prints();
    expect(await pm('individuals get ann -o xml').prints()).toContain('>2003-12-17T00:00:00');
  });
});
