// pm plan show: one text in every form, above the changes: what it is, what goes along, and who gains and loses which rights.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inDialog } from '../support/dialog.ts';
import { CHROMIUM } from '../support/needs.ts';
import { NOW, usingPm } from '../support/pm.ts';
import { serve } from '../support/served.ts';
import { ID, siteFolder } from '../support/site-folder.ts';
import { company, individual } from './company.ts';

const PASSWORD = 'Correct-horse-1';
const FAULTS = readFileSync(new URL('./dashboards-faults.js', import.meta.url), 'utf8');
const EVIL = '</td><script>alert(1)</script> & [x](y) *z* `q` ~~w~~';

const pm = usingPm(async (one) => {
  await company(one);
  await one(individual('cid', 'Cid Moss', 'EMEA', 'ann')).prints();
  await one('permissions set cid allow read,update department Labs').prints();
});
const at = (name: string): string => join(pm.home, name);

/** A new department of a naughty name, EMEA below Labs, whose members come along. */
beforeEach(async () => {
  const emea = await pm('departments get EMEA -o id').id();
  siteFolder(at('site'), {
    'departments.csv': ['ID,ParentID,Name,Rank', `${ID(1)},Local,"${EVIL}",4`, `${emea},Labs,EMEA,1`],
    'individuals.csv': ['UserName,PrimaryTitle', `bob,"${EVIL}"`],
  });
  await pm('apply site -n --out x.plan').says('x.plan: 3 changes');
});

interface Shown {
  readonly Title: string;
  readonly Summary: readonly string[];
  readonly Consequences: readonly string[];
  readonly Rights: readonly string[];
  readonly Changes: readonly Readonly<Record<string, unknown>>[];
}
const object = async (flags: readonly string[] = []): Promise<Shown> =>
  JSON.parse((await pm(['plan', 'show', 'x.plan', '-o', 'json', ...flags])).out);
const linesOf = ({ Title, Summary, Consequences, Rights }: Shown): readonly string[] => [
  ...[Title, ...Summary, 'Consequences', ...Consequences, 'Rights', ...Rights],
];

describe('the text', () => {
  it('says of a plan that has run which job it was, and counts no rights anew', async () => {
    await pm('apply x.plan --yes').says('Undo: ');
    const { out } = await pm('plan show x.plan -o md');
    expect(out).toMatch(/It has run already: pm jobs show [0-9a-f]{8}/);
    expect(out).toContain('has run already, so who gained or lost rights is not counted again');
    expect(out).not.toContain('To run this');
    await pm('jobs list').prints('apply site');
  });

  it('says whose a record without a name is, and no lines where the rows are of several files', async () => {
    siteFolder(at('more'), {
      'individuals.csv': ['UserName,PrimaryTitle', 'bob,Head'],
      'department-members.csv': ['Department,Individual,Title', 'EMEA,bob,Guest'],
    });
    await pm('apply more -n --out more.plan').says('2 changes');
    const { out } = await pm('plan show more.plan -o md');
    expect(out).toMatch(/\| update \| Bob Stone, EMEA \| Title \| .*\| Guest \|/);
    expect(out).not.toContain('| Line |');
    expect((await pm('plan individuals more/individuals.csv --out one.plan')).exit).toBe(0);
    expect((await pm('plan show one.plan -o md')).out).toContain('| Line |');
  });

  it('says what the plan is, what goes along, and who gains and loses which rights, and holds the rows', async () => {
    expect(await object()).toEqual({
      Title: 'apply site',
      Summary: [
        'For local (embedded), as admin, made 2026-03-31 12:00:00 +00:00',
        '3 changes: 1 create of departments, 1 update of departments, 1 update of individuals; 0 unchanged',
        expect.stringMatching(/^To run this and nothing else: pm apply x.plan --expect [0-9a-f]{64}$/),
      ],
      Consequences: ['2 individuals move along with EMEA'],
      Rights: [expect.stringMatching(/^Cid Moss gains, by the permissions on department Labs: update 1 department/)],
      Changes: expect.arrayContaining([expect.objectContaining({ Name: 'bob', Field: 'PrimaryTitle', After: EVIL })]),
    });
  });

  it.each(['table', 'md', 'html'])('is the answer, and the same, as %s', async (form) => {
    const { out, err } = await pm(`plan show x.plan -o ${form}`);
    expect(err).toBe('');
    const plain = out
      .replace(/^.*<body>/s, '')
      .replace(/<[^>]+>/g, '')
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    for (const line of linesOf(await object())) expect(plain.split(line), line).toHaveLength(2);
  });

  it.each(['tsv', 'csv', 'ndjson', 'xml', 'none'])('stands on stderr beside the rows of %s', async (form) => {
    const { out, err } = await pm(`plan show x.plan -o ${form}`);
    const lines = err
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().replace(/:$/, ''));
    expect(lines).toEqual(linesOf(await object()));
    expect(out).not.toContain('Rights');
  });

  it('holds the rows that are chosen', async () => {
    const chosen = await object(['--where', "Field = 'PrimaryTitle'", '--fields', 'Name,After']);
    expect(chosen.Changes).toEqual([{ Name: 'bob', After: EVIL }]);
    expect((await object(['--limit', '1'])).Changes).toHaveLength(1);
    expect((await object(['--where', "Field = 'None'"])).Changes).toEqual([]);
    expect(await object(['--jmespath', 'Changes[].Field'])).toContain('PrimaryTitle');
  });

  it('is the same object as YAML', async () => {
    expect(parse((await pm('plan show x.plan -o yaml')).out)).toEqual(await object());
    const none = await pm(['plan', 'show', 'x.plan', '-o', 'yaml', '--where', "Field = 'None'"]);
    expect(parse(none.out)).toMatchObject({ Title: 'apply site', Changes: [] });
  });

  it('has a table of new records and one of changes', async () => {
    const out = await pm('plan show x.plan -o md').prints('\n## New departments\n\n| ', '\n## Changes\n\n| ');
    expect(out.split('\n').filter((line) => line.includes('| Local |'))).toHaveLength(1);
    await pm('plan show x.plan', { columns: 100 }).prints('\nNew departments:\n', '\nChanges:\n');
  });
});

describe('a page', () => {
  it('may load nothing, and runs no name', async () => {
    const page = await pm('plan show x.plan -o html').prints("default-src 'none'");
    expect(page).not.toContain('<script');
    expect(page.match(/<(link|img|iframe|object|form)|\s(style|src|on\w+)=|https?:/g)).toBeNull();
    expect(page).toContain('&#60;/td&#62;&#60;script&#62;alert(1)&#60;/script&#62; &#38; [x](y)');
  });

  it('is written to a file by its name, and not by a dry run', async () => {
    await pm('plan show x.plan --out x.html').says('Written: x.html');
    expect(readFileSync(at('x.html'), 'utf8')).toBe((await pm('plan show x.plan -o html')).out);
    await pm('plan show x.plan --out x.md').says('Written: x.md');
    expect(readFileSync(at('x.md'), 'utf8')).toBe((await pm('plan show x.plan -o md')).out);
    await pm('plan show x.plan --out y.html -n').says('y.html is not written: this is a dry run.');
    expect(existsSync(at('y.html'))).toBe(false);
    await pm('plan show x.plan --out x.html').fails(2, 'x.html');
  });

  it('is of a plan alone', async () => {
    await pm.refuses('individuals list -o html', 2, '-o html is for pm plan show', 'Use -o md.');
    await pm.refuses('departments create --name Fjord -o html', 2, '-o html is for pm plan show');
  });

  it('is read in light and dark, narrow and wide', { tags: 'chromium' }, async () => {
    await pm('plan show x.plan --out x.html').says('Written: x.html');
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [360, 1400]) {
          const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
          const complaints: string[] = [];
          tab.on('console', (message) => complaints.push(message.text()));
          tab.on('dialog', (dialog) => complaints.push(dialog.message()));
          await tab.goto(pathToFileURL(at('x.html')).href);
          expect([...complaints, ...((await tab.evaluate(FAULTS)) as string[])]).toEqual([]);
          expect(await tab.evaluate('document.body.innerText')).toContain(EVIL);
          await tab.close();
        }
    } finally {
      await browser.close();
    }
  });
});

describe('a plan for a service', () => {
  it('names its records where the service answers, and shows their IDs where it does not', async () => {
    await pm('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
    await serve(pm);
    const env = { PM_PASSWORD: PASSWORD };
    await pm('-p prod individuals update bob --primary-reports-to admin -n --out prod.plan', { env }).says('1 change');
    const line = '-p prod plan show prod.plan -o table';
    await pm(line, { env }).prints(/^update +Bob Stone +PrimaryReportsTo +Ann Smith +admin Administr/m);
    const { out } = await pm(line).says('Records are shown by their IDs');
    expect(out).not.toMatch(/^update.*(?:Bob Stone|Ann Smith)/m);
  });

  it('says which job it has become from this machine, and makes no journal for that look', async () => {
    await pm('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
    await serve(pm);
    const env = { PM_PASSWORD: PASSWORD };
    await pm('-p prod individuals update bob --primary-title Boss -n --out prod.plan', { env }).says('1 change');
    const before = await pm('-p prod plan show prod.plan', { env }).says('To run this and nothing else: ');
    expect(existsSync(at('journal.db'))).toBe(false);
    const [, run = ''] = /nothing else: pm (.+)$/m.exec(before.err) ?? [];
    await pm(`${run} --yes`, { env }).says('Undo: ');
    expect(existsSync(at('journal.db'))).toBe(true);
    const { err } = await pm('-p prod plan show prod.plan', { env }).says('has run already, so who gained');
    expect(err).toMatch(/It has run already: pm jobs show [0-9a-f]{8} -p prod\n/);
    expect(err).not.toContain('To run this');
  });
});

describe('rights that take more than five seconds', () => {
  /** Each look at this clock takes six seconds. */
  const slow = () => {
    let at = NOW.getTime();
    return () => {
      at += 6_000;
      return new Date(at);
    };
  };
  const GAINS = 'Cid Moss gains, by the permissions on department Labs';

  it('are not counted without a terminal, and it says how they are', async () => {
    const { err } = await pm('plan show x.plan', { now: slow() }).says('rights is not counted: that takes more than');
    expect(err).toContain('--yes counts on.');
    await pm('plan show x.plan --yes', { now: slow() }).says(GAINS);
  });

  it.each([
    ['yes', 'y\r', GAINS],
    ['no', '\r', 'Who gains or loses rights is not counted'],
  ])('are asked about at a terminal: %s', async (_answer, typed, wanted) => {
    const steps = [['Counting who gains and loses rights has taken five seconds. Go on counting?', typed]] as const;
    const { out, exit } = await inDialog(['plan', 'show', 'x.plan'], pm.home, steps, {}, slow());
    expect(exit).toBe(0);
    expect(out).toContain(wanted);
  });
});

describe('rights in a look at a plan', () => {
  it.each([
    ['individuals update cid --is-admin true', '  Cid Moss gains, as administrator: '],
    [
      'permissions set cid allow read,update department Sales',
      '  Cid Moss gains, by the permissions on department Sales: ',
    ],
    [
      'permissions set cid unset read,update department Labs',
      '  Cid Moss loses, by the permissions on department Labs: ',
    ],
    ['individuals update cid --suffix Dr', 'Nobody gains or loses rights.'],
  ])('%s', async (line, wanted) => {
    await pm(`${line} -n --out y.plan`).says('y.plan: 1 change');
    const before = pm.dump();
    await pm('plan show y.plan').says(wanted);
    expect(pm.dump()).toEqual(before);
  });

  it('are for administrators to see', async () => {
    await pm('individuals update cid --suffix Dr -n --out y.plan').says('1 change');
    await pm('plan show y.plan --as cid').says('is for administrators to see');
  });
});
