// The page at /docs, in a real browser: everything comes from the endpoint itself.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { OWNER } from '../support/engine.ts';
import { CHROMIUM } from '../support/needs.ts';
import { PASSWORD, usingServer } from './served.ts';

const server = usingServer();

describe('the files of the page', () => {
  it.each([
    ['/docs', 'text/html'],
    ['/docs/', 'text/html'],
    ['/docs/page.css', 'text/css'],
    ['/docs/start.js', 'text/javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript'],
  ])('%s may load nothing from elsewhere', async (path, type) => {
    const { status, headers } = await server.ask('GET', path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
  });

  it('name no other server', async () => {
    for (const path of ['/docs', '/docs/start.js'])
      expect((await server.ask('GET', path)).text).not.toMatch(/https?:\/\//);
  });
});

/** Opens the page in a browser of this width, and answers what the look at it answers. */
async function seen<T>(width: number, look: (page: Page, complaints: readonly string[]) => Promise<T>): Promise<T> {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    return await look(page, complaints);
  } finally {
    await browser.close();
  }
}

describe('in a browser', { tags: 'chromium' }, () => {
  it('shows the operations, lets one be tried, and asks no other server', async () => {
    await seen(1200, async (page, complaints) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${server.url}/docs`);
      await page.getByText('Performance management, interface v4').waitFor();

      await page.getByRole('button', { name: 'Authorize' }).first().click();
      await page.locator('#auth-basic-username').fill(OWNER);
      await page.locator('#auth-basic-password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Apply credentials' }).click();
      await page.locator('.btn-done').click();

      await page.locator('#operations-tag-individuals').click();
      await page.locator('[id="operations-individuals-individual_get_mine"] .opblock-summary-control').click();
      await page.getByRole('button', { name: 'Try it out' }).click();
      await page.getByRole('button', { name: 'Execute' }).click();
      await page.locator('.live-responses-table').getByText(`"${OWNER}"`).first().waitFor();
      if (process.env.PM_TEST_SCREENSHOT) await page.screenshot({ path: process.env.PM_TEST_SCREENSHOT });

      expect(asked.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:'))).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });

  it('leaves room for the words about a tag on a telephone, and follows its dark mode', async () => {
    await seen(400, async (page, complaints) => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(`${server.url}/docs`);
      const words = page.locator('.opblock-tag small');
      await words.first().waitFor();
      const widths = await words.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
      expect(Math.min(...widths)).toBeGreaterThan(200);
      expect(await page.locator('html.dark-mode').count()).toBe(1);
      expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(400);
      expect(complaints).toEqual([]);
    });
  });
});
