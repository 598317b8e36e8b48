// pm export: files in an order that stays, from which the same records come back.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import blns from 'big-list-of-naughty-strings' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { nameFault } from '../../src/text/names.ts';
import { inLong } from '../support/long.ts';
import { pmIn, usingPm } from '../support/pm.ts';
import { filesIn } from '../support/site-folder.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const FORMS = ['csv', 'tsv', 'json', 'ndjson', 'yaml'];

/** Texts that a record can hold: well-formed, not blank, and short enough for a name. */
const NAUGHTY = [
  ...(blns as readonly string[]),
  ...['<null>', '\\<null>', '\\\\<null>x', '=1+1', "'=1", '00012', '1e5', 'true', 'null', ' a ', 'a\tb', '"', 'a;b'],
].filter((text) => text.trim() !== '' && text.length < 200 && !/[\p{Cs}\p{Cc}\uFFFE\uFFFF]/u.test(text));

describe.each([...FORMS, 'csv --excel'])('an export as %s', (form) => {
  it('is imported into a site without the records as the same, IDs and all', async () => {
    const empty = join(pm.home, 'empty');
    cpSync(join(pm.home, 'local.db'), join(empty, 'local.db'));
    const other = pmIn(() => empty);
    const who = await pm('individuals get ann -o id').id();
    const rows = NAUGHTY.map((Description, Rank) => ({
      ...{ AncestorID: who, Rank, Description },
      Name: nameFault(Description) === undefined ? `${Rank} ${Description}` : `${Rank}`,
    }));
    writeFileSync(join(pm.home, 'naughty.json'), JSON.stringify(rows.map(escaped)));
    await pm('import accountabilities naughty.json --mode create --yes').prints();
    const stored = await pm(`accountabilities list --individual ann -o json`).rows();
    expect(stored.map(({ Description }) => Description)).toEqual(expect.arrayContaining(NAUGHTY));
    const [name, flag = ''] = form.split(' ');
    await pm(`export accountabilities --out x.${name} ${flag}`).says('accountabilities');
    await other(`import accountabilities ${join(pm.home, `x.${name}`)} ${flag} --yes`).prints();
    expect(await other('export accountabilities --form ndjson').prints()).toBe(
      await pm('export accountabilities --form ndjson').prints(),
    );
  });
});

const EXPORTED = [
  'individuals',
  'departments',
  'accountabilities',
  'colors',
  'periods',
  'core-values',
  'project-statuses',
];

/** As a file must hold it. */
const escaped = (row: { readonly Name: string; readonly Description: string }) => ({
  ...row,
  Description: /^\\*<null>/.test(row.Description) ? `\\${row.Description}` : row.Description,
});

it.each(inLong(['individuals', 'departments', 'periods'], EXPORTED))(
  'changes nothing when the export of %s is imported as it is, in any form',
  async (resource) => {
    for (const form of FORMS) {
      await pm(`export ${resource} --out same.${form}`).says();
      const { err } = await pm(`import ${resource} same.${form} --yes`);
      expect(err).toMatch(/Nothing to change|should be the header|is a header with no row|is empty|without a record/);
    }
  },
);

it.each(['csv', 'tsv'])('a list that is written as %s changes nothing when it is imported', async (form) => {
  const texts = ['two\nlines', 'C:\\new', 'a\ttab', '"q"', '"Q" welder', 'a, b', '<null>', '\\<null>'];
  const rows = texts.map((Description, Rank) => ({ AncestorID: 'ann', Rank, Name: `${Rank}`, Description }));
  writeFileSync(join(pm.home, 'texts.json'), JSON.stringify(rows.map(escaped)));
  await pm('import accountabilities texts.json --mode create --yes').prints();
  const list = 'accountabilities list --individual ann --fields ID,Name,Description';
  await pm(`${list} --out file.${form}`).says('Written');
  await pm('import accountabilities - --yes', { stdin: readFileSync(join(pm.home, `file.${form}`), 'utf8') }).says(
    'Nothing to change',
  );
  await pm('import accountabilities - --yes', { stdin: await pm(`${list} -o ${form}`).prints() }).says(
    'Nothing to change',
  );
});

describe('a folder of tables', () => {
  it('has one for each resource, with names in place of IDs', async () => {
    await pm('export --dir tables --form csv').says(/tables: \d+ records in \d+ files/);
    const text = readFileSync(join(pm.home, 'tables', 'individuals.csv'), 'utf8');
    expect(text.trimEnd().split('\n')).toHaveLength(4);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    await pm('apply tables --yes').says('Nothing to change.');
  });

  it.each(FORMS)('as %s makes another site the same, and no deleted record comes along', async (form) => {
    await pm('individuals delete bob --yes').prints();
    await pm(`export --dir tables --form ${form}`).says();
    const other = pmIn(() => join(pm.home, 'other'));
    await other(`apply ${join(pm.home, 'tables')} --yes`).says('Undo: pm undo ');
    await other(`export --dir tables --form ${form}`).says();
    expect(filesIn(join(pm.home, 'other', 'tables'))).toEqual(filesIn(join(pm.home, 'tables')));
  });

  it('with other files in it is refused', async () => {
    await pm.refuses(`export --dir ${pm.home}`, 2, 'holds other files');
  });
});

it('holds no secrets', async () => {
  await pm('passwd --new-password-stdin', { stdin: 'Correct-horse-1' }).says();
  const text = await pm('export individuals').prints();
  expect(text.split('\n')[0]).not.toMatch(/Password|UserEmail|SiteID/);
});
