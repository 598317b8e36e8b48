// The page of a report: nothing is loaded, nothing is run, and it can be read in every light, width and without eyes.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportPage } from '../../src/cli/dashboards/page.ts';
import { readReport } from '../../src/cli/dashboards/read-report.ts';
import { CHROMIUM } from '../support/needs.ts';
import { NOW } from '../support/pm.ts';
import { idOf, serviceOf } from './dashboards-service.ts';
import { companyWithDashboards, EVIL, WORKS } from './dashboards-site.ts';

const FAULTS = readFileSync(new URL('./dashboards-faults.js', import.meta.url), 'utf8');

/** About as wide as a sheet of A4. */
const PAPER = 800;

async function written(company = companyWithDashboards()): Promise<readonly string[]> {
  const reading = { session: serviceOf(company), period: undefined, now: NOW };
  const report = await readReport(reading, { id: WORKS, by: 'organization' });
  const origin = { made: NOW, by: 'ann', as: 'ann', site: EVIL, place: 'the local file' };
  return [...reportPage(report, origin)];
}

let page = '';
beforeAll(async () => {
  page = (await written()).join('');
});

describe('the page', () => {
  it('may load nothing, and carries the one style that it allows', () => {
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    );
    expect(page.match(/<(script|link|img|iframe|object|form)|\s(style|src|on\w+)=|https?:/g)).toBeNull();
  });

  it('shows names as they are written, and runs none of them', () => {
    expect(page).not.toContain(EVIL);
    expect(page).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; \\u202eeoZ');
  });

  it('says of every bar what it shows', () => {
    const drawings = page.match(/<svg /g) ?? [];
    expect(drawings.length).toBeGreaterThan(50);
    expect(page.match(/<svg role="img" aria-label="[^"]+: [^"]+"/g)?.length).toBe(drawings.length);
    expect(page).toContain('aria-label="Departments: 12 of 20, 60.0 %, minimum"');
    expect(page).toContain('aria-label="Metrics: exceeds 25.0 %, meets 41.7 %, minimum 8.3 %, below 25.0 %"');
  });

  it('shows no number that is none', () => expect(page).not.toMatch(/NaN|undefined|Infinity|null/));

  it('comes department by department, and stays small', async () => {
    const { organizations, individuals, dashboards } = companyWithDashboards();
    const sales = dashboards.get(idOf(101)) ?? {};
    const many = Array.from({ length: 100 }, (_, at) => ({ ...organizations[1], ID: idOf(2000 + at) }));
    const people = Array.from({ length: 500 }, (_, at) => ({
      ...individuals[0],
      ID: idOf(3000 + at),
      PrimaryOrganizationID: idOf(2000 + (at % 100)),
    }));
    const all = new Map(dashboards);
    for (const { ID } of many) all.set(ID, { ...sales, ID });
    for (const { ID } of people) all.set(ID, { ...dashboards.get(idOf(901)), ID });
    const parts = await written({ organizations: [...organizations, ...many], individuals: people, dashboards: all });
    expect(parts.length).toBeGreaterThan(100);
    expect(parts.join('').length).toBeLessThan(3_000_000);
  });
});

describe('in a browser', { tags: 'chromium' }, () => {
  let folder = '';
  let url = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pm-page-'));
    writeFileSync(join(folder, 'out.html'), page);
    url = pathToFileURL(join(folder, 'out.html')).href;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is read in light and dark, narrow and wide, and asks for nothing', async () => {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [360, PAPER, 1400]) {
          const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
          const [asked, complaints]: [string[], string[]] = [[], []];
          tab.on('request', (request) => asked.push(request.url()));
          tab.on('console', (message) => complaints.push(message.text()));
          tab.on('pageerror', (error) => complaints.push(error.message));
          await tab.goto(url);
          const shots = process.env.PM_TEST_SCREENSHOT;
          if (shots) await tab.screenshot({ path: `${shots}-${colorScheme}-${width}.png`, fullPage: true });
          expect({ asked, complaints }).toEqual({ asked: [url], complaints: [] });
          expect(await tab.evaluate(FAULTS)).toEqual([]);
          if (width === PAPER) {
            await tab.emulateMedia({ media: 'print', colorScheme });
            if (shots) await tab.screenshot({ path: `${shots}-${colorScheme}-print.png`, fullPage: true });
            expect(await tab.evaluate(FAULTS)).toEqual([]);
          }
          await tab.close();
        }
      const broken = await browser.newPage();
      await broken.setContent('<h1>a</h1><h3 style="color: #eee">pale</h3><svg></svg>');
      expect(await broken.evaluate(FAULTS)).toEqual(
        expect.arrayContaining([
          'the language is not said',
          'heading 1 jumps to h3',
          'a drawing has no words',
          '"pale" has a contrast of 1.16',
        ]),
      );
    } finally {
      await browser.close();
    }
  });
});
