// What a command writes besides records: never over its own input, nor over pm's own files, and not in a dry run.
import { existsSync, linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);
const at = (name: string): string => join(pm.home, name);
const content = (name: string): string => readFileSync(at(name), 'utf8');

const ROWS = 'UserName,PrimaryTitle\nann,Chief\n';

beforeEach(() => {
  writeFileSync(at('in.csv'), ROWS);
  linkSync(at('in.csv'), at('hard.csv'));
  symlinkSync(at('in.csv'), at('soft.csv'));
});

describe('an input', () => {
  it.each(['in.csv', 'hard.csv', 'soft.csv', './nowhere/../in.csv'])('is not written over, as %s', async (name) => {
    for (const flags of ['', '--overwrite'])
      await pm.refuses(
        `plan individuals in.csv --key UserName --out ${name} ${flags}`,
        2,
        `--out ${name} cannot be written`,
      );
    await pm.refuses(`import individuals in.csv -n --out ${name} --overwrite`, 2, 'this command reads it');
    await pm.refuses(`each in.csv -n --out ${name} --overwrite -- individuals update {UserName}`, 2, 'reads it');
    await pm.refuses(`departments update Sales --from in.csv --trace ${name} --overwrite`, 2, 'this command reads it');
    expect(content('in.csv')).toBe(ROWS);
  });

  it('is not written over by the report of its own job', async () => {
    const told = await pm('import individuals in.csv --yes -o json').says();
    const { Job } = JSON.parse(told.out);
    await pm(`jobs report ${Job} --out hard.csv --overwrite`).fails(2, 'this command reads it');
    expect(content('in.csv')).toBe(ROWS);
  });

  it('is a plan that is applied', async () => {
    await pm('plan individuals in.csv --out a.plan').says();
    await pm.refuses('apply a.plan --yes --trace a.plan --overwrite', 2, 'this command reads it');
  });

  it('is a file of a folder that is imported', async () => {
    await pm('export --dir site').says();
    const file = join('site', 'individuals', 'ann.yaml');
    await pm.refuses(`apply site --yes --trace ${file} --overwrite`, 2, 'this command reads it');
  });
});

it('the database and the settings of pm are not written over', async () => {
  await pm.refuses('export individuals --out local.db --overwrite', 2, 'this command reads it');
  writeFileSync(at('config.json'), '{}');
  await pm.refuses('plan individuals in.csv --out config.json --overwrite', 2, 'this command reads it');
});

it('two flags do not write one file', async () => {
  await pm.refuses('import individuals in.csv -n --out x --trace ./x', 2, 'another flag writes it');
  expect(existsSync(at('x'))).toBe(false);
});

it('a file is written over where that is asked for', async () => {
  writeFileSync(at('old.csv'), 'mine');
  await pm.refuses('export individuals --out old.csv', 2, 'the file exists already', '--overwrite');
  expect(content('old.csv')).toBe('mine');
  await pm('export individuals --out old.csv --overwrite').says('old.csv: 3 individuals');
  expect(content('old.csv')).toContain('ann');
});

it('a table of a folder is written over where that is asked for', async () => {
  await pm('export departments individuals --dir tables').says();
  writeFileSync(at('other.csv'), 'mine');
  await pm.refuses('export departments individuals --dir tables', 2, 'cannot be written');
  await pm('export departments --dir . --overwrite').says('.: 4 records in 1 file');
  expect(content('other.csv')).toBe('mine');
});

describe('a dry run', () => {
  it.each([
    ['export individuals -n --out new', 'new: 3 individuals (dry run: nothing is written)'],
    ['export -n --dir new', '(dry run: nothing is written)'],
    ['dashboards report Local -n --html new', 'Would write new'],
  ])('writes nothing: %s', async (line, says) => {
    const before = readdirSync(pm.home);
    await pm(line).says(says);
    expect(readdirSync(pm.home)).toEqual(before);
    if (!line.includes('--dir')) {
      writeFileSync(at('new'), 'mine');
      await pm.refuses(line, 2, 'the file exists already');
      await pm(`${line} --overwrite`).says(says);
      expect(content('new')).toBe('mine');
    }
  });
});
