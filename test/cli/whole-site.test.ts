// A whole site as files whose texts are naughty ones: what is exported makes another site the same, byte for byte.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import blns from 'big-list-of-naughty-strings' with { type: 'json' };
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDemanded } from '../../src/changes/plan/required-fields.ts';
import { escapeNull } from '../../src/changes/rows/cells.ts';
import { type Field, isWritable } from '../../src/contract/field.ts';
import { resources } from '../../src/contract/index.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { canExport } from '../../src/sites/site-records.ts';
import { nameFault } from '../../src/text/names.ts';
import { type Member, type Pm, pmIn } from '../support/pm.ts';

let root = '';
const home = (name: string): string => join(root, name);
const siteAt = (name: string): Pm => pmIn(() => home(name));

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'pm-site-'));
  const [full, fresh] = [siteAt('full'), siteAt('fresh')];
  await full('seed --sample small').says();
  cpSync(home('full'), home('plain'), { recursive: true });
  await fresh('individuals list').prints();
  for (const resource of resources.filter((one) => canExport(one) && NAUGHTY_IN(one))) {
    const file = join(home('full'), `${resource.command}.json`);
    await full(`export ${resource.command} --form json --out ${file}`).says();
    const rows = JSON.parse(readFileSync(file, 'utf8')) as Member[];
    writeFileSync(file, JSON.stringify(rows.map(spoiled(resource))));
    if (rows.length > 0) await full(`import ${resource.command} ${file} --yes`).prints();
  }
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
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file), readFileSync(file, 'utf8')]),
  );

describe.each([
  ['a tree, whatever its texts are', 'full', ''],
  ['tables', 'plain', '--form csv'],
  ['tables of another form', 'plain', '--form ndjson'],
])('a site that is exported as %s', (name, of, form) => {
  const files = (one: string): string => join(home(one), `site${form.slice(-3)}`);

  it('makes a new site the same, and finds nothing to change there', async () => {
    const copy = name.replaceAll(/\W/g, '-');
    cpSync(home('fresh'), home(copy), { recursive: true });
    const [source, other] = [siteAt(of), siteAt(copy)];
    await source(`export --dir ${files(of)} ${form}`.trim()).says();
    await other(`apply ${files(of)} --yes`).says('Undo: pm undo ');
    await other(`apply ${files(of)} --yes`).says('Nothing to change.');
    if (form !== '') return;
    await other(`export --dir ${files(copy)}`).says();
    // The organization that a new site is made with stays beside.
    expect(filesIn(files(copy))).toMatchObject(filesIn(files(of)));
  });
});
