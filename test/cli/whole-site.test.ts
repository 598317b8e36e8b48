// A whole site as files: what is exported comes back on another site, record by record, in every form.
// The suite tries the one that differs most.
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import blns from 'big-list-of-naughty-strings' with { type: 'json' };
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDemanded } from '../../src/changes/plan/required-fields.ts';
import { escapeNull } from '../../src/changes/rows/cells.ts';
import { ONLY_SENT } from '../../src/cli/changes/planned-changes.ts';
import { openServing, type Serving } from '../../src/cli/serving.ts';
import { type Field, isWritable } from '../../src/contract/field.ts';
import { resources } from '../../src/contract/index.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { openServer, type Served } from '../../src/server/index.ts';
import { nameFault } from '../../src/text/names.ts';
import { inLong } from '../support/long.ts';
import { type Member, NOW, type Pm, pmIn } from '../support/pm.ts';

let root = '';
const home = (name: string): string => join(root, name);
const siteAt = (name: string): Pm => pmIn(() => home(name));
/** The files of a site, whose every text is a naughty one. */
const naughty = (form: string): string => join(home('full'), `site-${form.replaceAll(' ', '')}`);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'pm-site-'));
  const [full, fresh] = [siteAt('full'), siteAt('fresh')];
  await full('seed --sample small').says();
  await fresh('individuals list').prints();
  await full('export --dir plain --form json').says();
  for (const name of readdirSync(join(home('full'), 'plain')).filter((one) => one !== 'manifest.json')) {
    const file = join(home('full'), 'plain', name);
    const resource = resources.find(({ command }) => `${command}.json` === name);
    if (!resource || !NAUGHTY_IN(resource)) continue;
    writeFileSync(file, JSON.stringify((JSON.parse(readFileSync(file, 'utf8')) as Member[]).map(spoiled(resource))));
    await full(`import ${resource.command} plain/${name} --yes`).prints();
  }
  await full('export --dir compared --form ndjson').says();
  await full('export --dir site-csv').says();
}, 180_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const WORDS = [
  ...(blns as readonly string[]),
  ...['<null>', '\\<null>', '=1+1', "'=1", '00012', '1e5', 'true', 'null', 'me', 'name:x', 'a\tb', 'a\nb', '"', 'a;b'],
].filter((text) => /\S/.test(text) && !/[\p{Cs}\p{Cc}\uFFFE\uFFFF]/u.test(text.replaceAll(/[\t\n]/g, '')));
const text = fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }));
const texts = fc.sample(
  text.filter((one) => /\S/.test(one) && !/[\p{Cs}\p{Cc}\uFFFE\uFFFF]/u.test(one)),
  {
    seed: 5,
    numRuns: 10_000,
  },
);
let at = 0;

/** What integers identify is matched by its key, which therefore stays. */
const NAUGHTY_IN = ({ id, key }: Resource): boolean => id === 'guid' || !key.includes('Name');

/** The record with another text in each member that may hold any. */
const spoiled =
  (resource: Resource) =>
  (row: Member): Member => {
    const isFree = (name: string): boolean => {
      const field = resource.fields[name];
      const isText = field?.kind === 'text' && isWritable(field) && !field.pattern && !field.unique && !field.to;
      return isText && !/Email|Color|Picture|^Group$/.test(name) && (row[name] !== undefined || isDemanded(field));
    };
    const members = Object.keys(row).filter(isFree);
    return { ...row, ...Object.fromEntries(members.map((name) => [name, fitting(resource.fields[name])])) };
  };

const fitting = ({ max = 200, name }: Pick<Field, 'max' | 'name'> = {}): string => {
  const one = texts[at++ % texts.length] ?? '';
  const cut = [...new Intl.Segmenter().segment(one)].reduce((sum, { segment }) => {
    return sum.length + segment.length + 1 > max ? sum : sum + segment;
  }, '');
  return escapeNull(/\S/.test(cut) && !(name && nameFault(cut)) ? cut : 'x');
};

const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** The records of a file in NDJSON. */
const rowsIn = (file: string): readonly Member[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Member]));

/** Resources whose IDs are of one site. */
const OWN_IDS = /^(?:colors|commitments|periods|project-phases|project-statuses|team-members)\b/;
/** What only a new site takes. */
const KEPT = /^(?:Created|CreatedBy|Updated|UpdatedBy|UserID|Others|Members|Deleted|DeletedByRef)$/;

/** The live records of an export as sets of lines, in which what each site makes by itself has the same ID. */
function recordsIn(folder: string): Readonly<Record<string, readonly string[]>> {
  const read = (name: string): readonly Member[] =>
    rowsIn(join(folder, name))
      .filter(({ Deleted, DeletedByRef }) => Deleted !== true && DeletedByRef !== true)
      .map((row) => Object.fromEntries(Object.entries(row).filter(([member]) => !KEPT.test(member))));
  const own = new Map<string, string>();
  for (const { ID, UserName } of read('individuals.ndjson')) if (UserName === 'admin') own.set(String(ID), 'admin');
  for (const { ID, Group } of read('security-groups.ndjson'))
    if (['Leaders', 'Human resources', 'Readers'].includes(String(Group))) own.set(String(ID), String(Group));
  const isBorn = (row: Member): boolean => row.Name === 'Local' && row.ParentID === 'site';
  const said = ({ ID, ...row }: Member, name: string): string => {
    const isMadeAlong = name === 'department-members.ndjson' && row.Primary === true;
    const line = JSON.stringify(isMadeAlong || OWN_IDS.test(name) ? row : { ID, ...row });
    return [...own].reduce((sum, [id, word]) => sum.replaceAll(id, word), line);
  };
  const files = readdirSync(folder).filter((name) => name.endsWith('.ndjson') && name !== 'sites.ndjson');
  return Object.fromEntries(
    files.map((name) => [
      name,
      read(name)
        .filter((row) => !isBorn(row))
        .map((row) => said(row, name))
        .sort(),
    ]),
  );
}

// JSON is read in front of all, and NDJSON by the service.
describe.each(inLong(['csv --excel'], ['csv', 'tsv', 'json', 'ndjson', 'yaml', 'csv --excel']))(
  'a site exported as %s',
  (form) => {
    it('is imported into a new site as the same records, IDs, authors and times and all', async () => {
      const name = form.replaceAll(' ', '');
      await siteAt('full')(`export --dir ${naughty(form)} --overwrite --form ${form}`).says();
      cpSync(home('fresh'), home(name), { recursive: true });
      const pm = siteAt(name);
      await pm(`import --dir ${naughty(form)} --yes`).says('▲ local as admin', 'Undo: pm undo ');
      await pm('export --dir compared --form ndjson').says();
      expect(filesIn(join(home(name), 'compared'))).toEqual(filesIn(join(home('full'), 'compared')));
      await pm(`import --dir ${naughty(form)} --yes`).says('Nothing to change.');
    });
  },
);

/** Of these the suite sends every fifth to a service, all who have people below, and nothing that names one of the others. */
const THINNED = inLong(
  [
    ...['accountabilities', 'basic-roles', 'comments', 'commitments', 'dialogs', 'indicators', 'individuals'],
    ...['metric-values', 'permissions', 'supervisory-scopes', 'tasks', 'team-members'],
  ],
  [],
).map((name) => `${name}.ndjson`);

/** Takes most records out of a folder. */
function thinOut(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  const gone = new Set<unknown>();
  let left = names.flatMap((name) => rowsIn(join(folder, name)).map((row, nth) => ({ name, row, nth })));
  const managers = new Set(left.map(({ row }) => row.PrimaryReportsTo));
  let going = left.filter(({ name, row, nth }) => THINNED.includes(name) && nth % 5 > 0 && !managers.has(row.ID));
  while (going.length > 0) {
    for (const { row } of going)
      for (const name of [row.ID, row.UserName]) if (typeof name === 'string') gone.add(name);
    const out = new Set(going);
    left = left.filter((one) => !out.has(one));
    going = left.filter(({ row }) => Object.values(row).some((value) => gone.has(value)));
  }
  for (const name of names) {
    const rows = left.filter((one) => one.name === name).map(({ row }) => `${JSON.stringify(row)}\n`);
    writeFileSync(join(folder, name), rows.join(''));
  }
}

describe('a folder on a remote service', () => {
  const PASSWORD = 'Correct-horse-1';
  const env = { PM_PASSWORD: PASSWORD };
  let served: Served;
  let serving: Serving;
  const folder = (): string => home('sent');
  beforeAll(async () => {
    for (const name of ['remote', 'here']) cpSync(home('fresh'), home(name), { recursive: true });
    await siteAt('full')(`export --dir ${folder()} --form ndjson`).says();
    thinOut(folder());
    await siteAt('here')(`import --dir ${folder()} --yes`).says('Undo: pm undo ');
    await siteAt('here')('export --dir compared --form ndjson').says();
    await siteAt('remote')('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
    serving = await openServing({ home: home('remote'), owner: 'admin', clock: () => NOW });
    served = await openServer({ backend: serving.backend, clock: () => NOW, log: () => undefined });
    await siteAt('remote')(`profiles add prod --url ${served.url} --user admin`).says('Added');
  });
  afterAll(async () => {
    await served.close();
    await serving.close();
  });

  it('goes there as one job, to the same records, and comes back from there the same', async () => {
    const pm = siteAt('remote');
    const rehearsed = await pm(`import --dir ${folder()} -n -p prod`, { env });
    const { err } = await pm(`import --dir ${folder()} --yes -p prod`, { env }).says('▲ prod (http', 'Undo: pm undo ');
    const foreseen = rehearsed.err.replace(' (dry run: nothing is changed)', '').replace(`${ONLY_SENT}\n`, '');
    expect(err).toContain(foreseen);
    await pm('export --dir there --form ndjson -p prod', { env }).says();
    expect(recordsIn(join(home('remote'), 'there'))).toEqual(recordsIn(join(home('here'), 'compared')));
    await pm(`import --dir ${folder()} --yes -p prod`, { env }).says('Nothing to change.');
  });

  it('is taken back by one undo, but for what the service does not delete', async () => {
    const pm = siteAt('remote');
    await pm('undo --yes -p prod', { env }).prints();
    await pm('export --dir undone --form ndjson -p local').says();
    await siteAt('fresh')('export --dir first --form ndjson').says();
    const [undone, first] = ['remote/undone', 'fresh/first'].map((name) => recordsIn(join(root, name)));
    const differing = Object.keys(first ?? {}).filter((name) => `${undone?.[name]}` !== `${first?.[name]}`);
    expect(differing).toEqual(['periods.ndjson', 'project-phases.ndjson', 'project-statuses.ndjson']);
  });
});

describe('a folder', () => {
  const plain = (): string => join(home('full'), 'site-csv');

  it('is rehearsed whole, and nothing stays', async () => {
    cpSync(home('fresh'), home('dry'), { recursive: true });
    const pm = siteAt('dry');
    const before = pm.dump();
    const rows = await pm(`import --dir ${plain()} -n -o json`).rows();
    expect(new Set(rows.map(({ File, Line }) => `${File} ${Line}`)).size).toBeGreaterThan(1000);
    expect(pm.dump()).toEqual(before);
  });

  it('needs an agreement', async () => {
    await siteAt('fresh').refuses(`import --dir ${plain()}`, 12, 'changes need a confirmation');
  });

  it('with a file that is missing is refused whole, and with --strict one that was changed', async () => {
    cpSync(plain(), home('changed'), { recursive: true });
    appendFileSync(join(home('changed'), 'colors.csv'), '9,Grey,888888\n');
    rmSync(join(home('changed'), 'tasks.csv'));
    await siteAt('fresh').refuses(
      `import --dir ${home('changed')} --yes --strict`,
      7,
      'colors.csv has changed',
      'tasks.csv is missing',
    );
    await siteAt('fresh').refuses(`import --dir ${home('changed')} --yes`, 7, 'tasks.csv is missing', 'Bring back');
  });

  it('that is no export is refused, and so are flags for one file', async () => {
    await siteAt('fresh').refuses(`import --dir ${root} --yes`, 2, 'holds no rows that pm can read');
    await siteAt('fresh').refuses(`import --dir ${plain()} --key Name --yes`, 2, '--key is for one file');
    await siteAt('fresh').refuses(`import individuals --dir ${plain()} --yes`, 2, '--dir imports a whole folder');
    await siteAt('fresh').refuses('import individuals', 2, 'which file should be imported?');
  });

  it('whose files name what is not there changes nothing', async () => {
    await siteAt('full')('export accountabilities --dir alone').says();
    await siteAt('fresh').refuses(`import --dir ${join(home('full'), 'alone')} --yes`, 7, 'column AncestorID');
  });
});
