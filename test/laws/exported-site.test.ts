// Any state that the engine accepts survives export, import and export byte for byte; only passwords and archives stay outside.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { company } from '../cli/company.ts';
import { OWNER } from '../support/engine.ts';
import { inLong, isLong } from '../support/long.ts';
import { type Pm, pmIn, type Setting } from '../support/pm.ts';
import { changeRandomly } from '../support/random-site.ts';
import { newSite, type TestSite } from '../support/site.ts';

const SEEDS = Array.from({ length: inLong(1, 200) }, (_, at) => at + 1);
const ACTIONS = 300;
/** Of the suite the one is made, and the other refused. */
const USED = isLong ? SEEDS.slice(0, 60) : [3, 5];

let root = '';
let homes = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'pm-exported-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The command line on a copy of the database of a site. */
function pmOn({ engine }: TestSite): Pm {
  const home = join(root, `home-${++homes}`);
  mkdirSync(home);
  cpSync(dirname(engine.file), home, { recursive: true });
  return pmIn(() => home);
}

const USER = { env: { USER: OWNER } };

/** The files of a whole site by their names. */
async function exported(pm: Pm, how = '', setting: Setting = USER): Promise<Readonly<Record<string, string>>> {
  const folder = join(root, `files-${++homes}`);
  await pm(`export --dir ${folder} ${how}`, setting).says(' records in ');
  return filesIn(folder);
}

const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

describe('the small sample', () => {
  const empty = (name: string): Pm => pmIn(() => join(root, name));
  it('is exported from the new site byte for byte, and an undo brings the new one back', async () => {
    const [full, fresh] = [empty('full'), empty('fresh')];
    await full('seed --sample small').says();
    const folder = join(root, 'small');
    await full(`export --dir ${folder}`).says();
    const before = await exported(fresh, '', {});
    await fresh(`import --dir ${folder} --yes`).says('departments.csv: 15 rows, 15 creates');
    expect(await exported(fresh, '', {})).toEqual(filesIn(folder));
    await fresh(`import --dir ${folder} --yes`).says('departments.csv: 15 rows, 15 unchanged', 'Nothing to change.');
    await fresh('individuals update ingrid.halvorsen --last-name Other --yes').prints();
    const [{ ID: job } = {}] = await fresh(['jobs', 'list', '--where', "Kind = 'import'", '-o', 'json']).rows();
    await fresh(`undo ${job} --yes`).fails(7, 'has changed since');
    await fresh('undo --yes').prints();
    await fresh(`undo ${job} --yes`).prints();
    expect(await exported(fresh, '', {})).toEqual(before);
  });
});

describe('a site that has been used', () => {
  const used = pmIn(() => join(root, 'used'));
  it('takes what a client may write, leaves the rest out and says so once', async () => {
    await used('departments create --name North --rank 9').says();
    const first = await used(`import --dir ${join(root, 'small')} --yes`).says('Authors, times, deleted records');
    expect(first.err.match(/left out/g)).toHaveLength(1);
    await used('departments get North').prints('North');
    await used('individuals get ingrid.halvorsen -o json').prints('176f8b11-220f-4923-a529-73ebcae1833b');
    await used(`import --dir ${join(root, 'small')} --yes`).says('Nothing to change.');
  });
});

describe('a file of an exported site', () => {
  const one = pmIn(() => join(root, 'used'));
  it('is imported by itself without its deleted rows', async () => {
    const file = join(root, 'small', 'security-groups.csv');
    await one(`import security-groups ${file} --yes`).says('1 skipped', 'Left out');
  });

  it('holds no value that an archive keeps', async () => {
    const full = pmIn(() => join(root, 'full'));
    const values = async () => {
      await full('export metric-values --dir values --overwrite').says();
      return filesIn(join(full.home, 'values'));
    };
    const before = await values();
    const [, metric = ''] = /^[^,]+,([^,]+)/m.exec(before['metric-values.csv']?.split('\n')[1] ?? '') ?? [];
    await full(`archives take ${metric} --name Now`).prints('Now');
    expect(await values()).toEqual(before);
  });

  it('names nobody who is in no file', async () => {
    const full = pmIn(() => join(root, 'full'));
    await full('individuals delete ingrid.halvorsen --yes').prints();
    await full('export --dir live --deleted exclude').says();
    const fresh = pmIn(() => join(root, 'partial'));
    const before = await exported(fresh, '', {});
    await fresh(`import --dir ${join(root, 'full', 'live')} --yes`).fails(7, 'PrimaryReportsTo', 'which no file has');
    expect(await exported(fresh, '', {})).toEqual(before);
  });
});

describe('a whole site that is exported and imported into a new one', () => {
  it.each(SEEDS)('is exported from there byte for byte, and an undo brings the new one back: seed %i', async (seed) => {
    const site = await newSite();
    const accepted = await changeRandomly(site, seed, ACTIONS);
    expect(accepted).toBeGreaterThan(ACTIONS / 3);
    const folder = join(root, `site-${seed}`);
    const form = ['csv', 'ndjson', 'yaml', 'csv --excel'][seed % 4];
    await pmOn(site)(`export --dir ${folder} --form ${form}`, USER).says();
    const fresh = pmOn(await newSite());
    const before = await exported(fresh);
    await fresh(`import --dir ${folder} --yes`, USER).says('Undo: pm undo ');
    expect(await exported(fresh, `--form ${form}`)).toEqual(filesIn(folder));
    await fresh(`import --dir ${folder} --yes`, USER).says('Nothing to change.');
    await fresh('undo --yes', USER).prints();
    expect(await exported(fresh)).toEqual(before);
  });
});

describe('a site that is imported into one that is used', () => {
  const changing = (err: string): readonly string[] =>
    err.split('\n').filter((line) => / (create|update)s?\b/.test(line) && /^[a-z-]+\.[a-z]+: /.test(line));

  it.each(USED)('is there when it is imported again, and is refused whole or not at all: seed %i', async (seed) => {
    const site = await newSite();
    await changeRandomly(site, seed, ACTIONS);
    const folder = join(root, `other-${seed}`);
    const form = ['csv', 'ndjson', 'yaml', 'json', 'csv --excel'][seed % 5];
    await pmOn(site)(`export --dir ${folder} --form ${form}`, USER).says();
    const used = pmIn(() => join(root, `used-${seed}`));
    await company(used);
    const before = used.dump();
    const { exit } = await used(`import --dir ${folder} --yes`);
    // What names a deleted record is refused, and a name that two have of which only numbers tell which is which.
    if (exit === 7) expect(used.dump()).toEqual(before);
    else {
      const { err } = await used(`import --dir ${folder} -n`);
      expect(changing(err)).toEqual([]);
    }
  });
});
