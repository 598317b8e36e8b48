// A report of a remote service is that of the engine behind it; only who made it, and where, is its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';

const PASSWORD = 'Correct-horse-1';
const pm = usingPm(async (run) => {
  await run('seed --sample small').prints();
  await run('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
});

servedAsProd(pm);

const MADE = /<p class="quiet">Made .*/;
const pageIn = (file: string): string => readFileSync(join(pm.home, file), 'utf8');

describe('a report', () => {
  it('is the same of a service, with the names behind its figures', async () => {
    const env = { PM_PASSWORD: PASSWORD };
    await pm('dashboards report Production --html local.html').says('Wrote local.html');
    await pm('dashboards report Production --html remote.html -p prod', { env }).says('Wrote remote.html');
    expect(pageIn('remote.html').replace(MADE, '')).toBe(pageIn('local.html').replace(MADE, ''));
    expect(pageIn('remote.html')).toMatch(/Made 2026-03-31 12:00 UTC by admin, on the site Local \(http:/);
    expect(pageIn('remote.html')).toContain('Not met, by name');
    expect(pageIn('remote.html')).not.toContain('cannot be read');
  });

  it('says as whom it was made', async () => {
    await pm('dashboards report Production --html seen.html --as luis.ferreira').says('Wrote seen.html');
    expect(pageIn('seen.html')).toMatch(/by admin, as luis\.ferreira, .* It shows what luis\.ferreira may read\./);
  });
});
