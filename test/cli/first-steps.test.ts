// pm alone: what to do first, by what is there. Every command that it prints is one, and names what the site has.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Setting, usingPm, words } from '../support/pm.ts';

const pm = usingPm();

/** The commands, without pm; no more than ten lines. */
async function steps(setting: Setting = {}): Promise<readonly string[]> {
  const out = await pm([], setting).prints();
  const [heading = '', ...lines] = out.trimEnd().split('\n');
  expect(heading).toMatch(/:$/);
  expect(lines.length).toBeLessThan(10);
  expect(lines.at(-1)).toMatch(/^ {2}pm --help +all commands$/);
  return lines.map((line) => /^ {2}pm (.+?) {2,}\S/.exec(line)?.[1] ?? line);
}

describe('pm alone', () => {
  it('makes no site, and says how to come to one', async () => {
    rmSync(join(pm.home, 'local.db'));
    const [demo, seed] = await steps();
    expect([demo, seed]).toEqual(['demo', 'seed --sample small']);
    expect(existsSync(join(pm.home, 'local.db'))).toBe(false);
    const { err } = await pm(words(seed ?? '')).says('Made ');
    expect(err).not.toMatch(/seed|What to do first/);
  });

  it('says how to fill a site that is empty', async () => {
    expect(await pm([]).prints()).toContain('admin is the only individual of the local site.');
    expect(await steps()).toContain('seed --sample small');
  });

  it('offers no sample where there are departments already', async () => {
    await pm('departments create --name Sales --rank 1 --parent Local').prints();
    expect((await steps()).join('\n')).not.toContain('seed');
  });

  it('names what a filled site has: each command runs', async () => {
    await pm('seed --sample small').says();
    const all = await steps();
    expect(all.join('\n')).not.toContain('seed');
    const run = all.filter((line) => !line.startsWith('import'));
    expect(run.length).toBeGreaterThan(5);
    for (const line of run) await pm(line).prints();
  });

  it('asks no service, and says to log in where nobody is', async () => {
    await pm('profiles add prod --url https://pm.example.com/v4').says();
    const env = { PM_PROFILE: 'prod' };
    expect(await pm([], { env }).prints()).toContain('Nobody is logged in to prod (https://pm.example.com/v4).');
    expect(await steps({ env })).toContain('login');
    const known = { ...env, PM_USER: 'ann', PM_PASSWORD: 'not-a-secret-1' };
    expect(await pm([], { env: known }).prints()).toContain('on prod (https://pm.example.com/v4) as ann');
    expect(await steps({ env: known })).toContain('whoami');
  });

  it('is no reading under CI', async () => {
    expect(await steps({ env: { CI: 'true' } })).toContain('seed --sample small');
  });

  it('is where a new site sends its administrator', async () => {
    rmSync(join(pm.home, 'local.db'));
    await pm('individuals list').says('a new site; the user name of its administrator is admin. What to do first: pm');
  });
});
