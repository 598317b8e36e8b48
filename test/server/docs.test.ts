// The page at /docs, in a real browser: everything comes from the endpoint itself.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OWNER } from '../support/engine.ts';
import { PASSWORD, usingServer } from './served.ts';

const CHROMIUM = '/usr/bin/chromium';
const server = usingServer();

describe('the files of the page', () => {
  it.each([
    ['/docs', 'text/html'],
    ['/docs/', 'text/html'],
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

describe.skipIf(!existsSync(CHROMIUM))(`in a browser (left out where ${CHROMIUM} is missing)`, () => {
  it('shows the operations, lets one be tried, and asks no other server', async () => {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
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
    } finally {
      await browser.close();
    }
  });
});
