// A plan as a file: what was planned is what runs, here and once.
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type NewPlan, writePlanFile } from '../../src/changes/plan/plan-file.ts';
import { checkPlan, readPlanFile } from '../../src/changes/plan/plan-reader.ts';
import { planJob } from '../../src/changes/run/job.ts';
import type { PlannedRow } from '../../src/contract/jobs.ts';
import type { Output } from '../../src/files/output.ts';
import { gathered, head, jobsOf } from '../support/job.ts';
import { refuses } from '../support/refuses.ts';
import { newSite, TODAY } from '../support/site.ts';

const SITE = '22222222-2222-4222-8222-222222222222';
const PLAN: NewPlan = {
  ...{ id: '0a000000-0000-4000-8000-000000000001', profile: 'prod', url: 'https://x.example/v4', site: SITE },
  ...{ caller: 'ann', created: TODAY, title: 'individuals import q4.csv' },
};
const ROWS: readonly PlannedRow[] = [
  {
    number: 1,
    line: 2,
    resource: 'individual',
    operation: 'update',
    id: 'a',
    patch: { Suffix: 'é\u2028\r\n"' },
    seen: 'x',
  },
  { number: 2, line: 3, resource: 'individual', operation: 'delete', id: 'b' },
];

function aFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pm-plan-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'q4.plan');
}

const outputTo = (path: string): Output => ({ name: `--out ${path}`, path, overwrite: false });

async function aPlan(rows: readonly PlannedRow[] = ROWS): Promise<string> {
  const path = aFile();
  await writePlanFile(outputTo(path), PLAN, rows, () => 7);
  return path;
}

const edit = (path: string, change: (text: string) => string): void =>
  writeFileSync(path, change(readFileSync(path, 'utf8')));

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The first row changed, and the hash with it. */
function forged(text: string, change: (row: Record<string, unknown>) => void): string {
  const [header = '', first = '', ...others] = text.split('\n');
  const row = JSON.parse(first) as Record<string, unknown>;
  change(row);
  const rows = [JSON.stringify(row), ...others].join('\n');
  const { sha256: _sha256, ...sealed } = JSON.parse(header) as Record<string, unknown>;
  return `${JSON.stringify({ ...sealed, sha256: sha256Of(rows + JSON.stringify(sealed)) })}\n${rows}`;
}

describe('a plan file', () => {
  it('is read as it was written', async () => {
    const { header, rows } = await readPlanFile(await aPlan());
    expect(header).toMatchObject({ ...PLAN, pm: 'plan', version: 2, rows: 2, unchanged: 7 });
    expect(await gathered(rows())).toEqual(ROWS);
    expect(await gathered(rows())).toEqual(ROWS);
  });

  it('may hold no rows', async () => {
    const { header, rows } = await readPlanFile(await aPlan([]));
    expect(header.rows).toBe(0);
    expect(await gathered(rows())).toEqual([]);
  });

  it('is its owner’s alone, and takes the place of an older one where that is asked for', async () => {
    const path = await aPlan();
    chmodSync(path, 0o644);
    await writePlanFile({ ...outputTo(path), overwrite: true }, { ...PLAN, title: 'x'.repeat(9000) }, ROWS, () => 0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await readPlanFile(path)).header.title).toHaveLength(9000);
  });

  it('that cannot be written leaves nothing behind', async () => {
    const path = join(aFile(), 'nowhere', 'q4.plan');
    await refuses(writePlanFile(outputTo(path), PLAN, ROWS, () => 0)).with('usage', path, 'no such folder');
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['given another title', (text) => text.replace('q4.csv', 'q5.csv'), /changed after it was written/],
    ['given another caller', (text) => text.replace('"ann"', '"bob"'), /changed after it was written/],
    ['given another site', (text) => text.replaceAll(SITE, PLAN.id), /changed after it was written/],
    ['edited by hand', (text) => text.replace('"b"', '"c"'), /changed after it was written/],
    ['cut', (text) => text.slice(0, text.lastIndexOf('{')), /ends after 1 of 2 rows/],
    ['cut within a line', (text) => text.slice(0, -5), /changed after it was written/],
    ['longer than it was', (text) => `${text}{}\n`, /changed after it was written/],
  ])('that is %s is refused', async (_name, change, words) => {
    const path = await aPlan();
    edit(path, change);
    const error = await refuses(readPlanFile(path)).with('invalid', 'damaged', words, 'Nothing was sent');
    expect(error.exit).toBe(7);
  });

  it.each<[string, string, RegExp]>([
    ['of another version', '{"pm":"plan","version":1}\n', /a plan of version 1, and this pm reads version 2/],
    ['something else', 'ID,Name\n', /not a plan of pm/],
    ['empty', '', /not a plan of pm/],
  ])('that is %s is refused', async (_name, text, words) => {
    const path = aFile();
    writeFileSync(path, text);
    expect((await refuses(readPlanFile(path)).with('usage', path, words)).exit).toBe(2);
  });

  it.each<[string, (row: Record<string, unknown>) => void, string]>([
    ['an ID that is none', (row) => (row.id = 5), 'row 1: id must be a string'],
    ['a member that no row has', (row) => (row.extra = 1), 'row 1: holds what pm does not know: extra'],
    [
      'an ID beside the one that is sent',
      (row) => (row.params = { id: 'b' }),
      'row 1 names one record and changes another',
    ],
    ['an operation that there is none', (row) => (row.operation = 'shred'), 'this pm does not know row 1'],
  ])('that was edited with its hash, and has %s, is refused', async (_name, change, words) => {
    const path = await aPlan();
    edit(path, (text) => forged(text, change));
    const { rows } = await readPlanFile(path);
    await refuses(gathered(rows())).with('invalid', words);
  });

  it('has a hash that differs in whatever the file says', async () => {
    const hashOf = async (change: (text: string) => string): Promise<string> => {
      const path = await aPlan();
      edit(path, (text) => forged(change(text), () => undefined));
      return (await readPlanFile(path)).header.sha256;
    };
    const hash = await hashOf((text) => text);
    expect(await hashOf((text) => text)).toBe(hash);
    for (const [one, other] of [
      ['q4.csv', 'q5.csv'],
      ['"ann"', '"bob"'],
      ['"b"', '"c"'],
      ['"unchanged":7', '"unchanged":8'],
    ] as const)
      expect(await hashOf((text) => text.replace(one, other)), other).not.toBe(hash);
  });

  it('that is another one when its rows are read is refused', async () => {
    const path = await aPlan();
    const { rows } = await readPlanFile(path);
    edit(path, (text) => forged(text, (row) => (row.id = 'z')));
    await refuses(gathered(rows())).with('invalid', 'it was changed while it was read');
  });

  it('that was edited in its first line is refused with the member', async () => {
    const path = await aPlan();
    edit(path, (text) => text.replace('"unchanged":', '"unchangd":'));
    await refuses(readPlanFile(path)).with('invalid', 'its first line: unchanged must be a number');
  });

  it('that is missing is refused', () =>
    refuses(readPlanFile('/nowhere/q4.plan')).with('usage', 'there is no such file'));

  it('is for one site of one service', async () => {
    const { ada } = await newSite();
    const { header } = await readPlanFile(await aPlan());
    const { jobs } = jobsOf(ada.session);
    const here = { profile: 'prod', url: PLAN.url, site: SITE };
    await checkPlan(header, here, jobs);
    await refuses(checkPlan(header, { ...here, site: ada.session.me.site }, jobs)).with('conflict', SITE);
    await refuses(checkPlan(header, { ...here, url: 'https://y.example' }, jobs)).with('conflict', 'x.example');
  });

  it('runs once', async () => {
    const { ada } = await newSite();
    const { header } = await readPlanFile(await aPlan([]));
    const { jobs, job } = jobsOf(ada.session);
    await planJob(jobs, { ...head(ada.session, 'apply'), id: header.id }, []);
    await job(header.id).run();
    await refuses(checkPlan(header, header, jobs)).with('conflict', 'has run already', 'pm jobs show');
  });
});
