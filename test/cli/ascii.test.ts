// Frames, bars and arrows in ASCII where the locale's charset is another than UTF-8; values stay as they are.
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';
import { onTerminal } from '../support/terminal.ts';
import { company } from './company.ts';

const pm = usingPm(async (one) => {
  await company(one);
  await one('individuals update bob --first-name Zoë --primary-title Müller').prints();
});
const ASCII = /^[\x20-\x7e\n]*$/;
/** As a terminal of 80 columns shows it. */
const shown = (line: string, env: Record<string, string>) => pm(line, { columns: 80, env: { NO_COLOR: '1', ...env } });
const inC = (line: string) => shown(line, { LC_ALL: 'C' });

describe('in another charset', () => {
  it('tables have rules and ends of cut texts in ASCII', async () => {
    const out = await inC('accountabilities list --individual ann').prints(/^-+ +-+/m);
    expect(out).toMatch(ASCII);
    const env = { LC_ALL: 'C', NO_COLOR: '1' };
    const narrow = await pm('accountabilities list --individual ann', { columns: 25, env });
    expect(narrow.out).toContain('Keep custo...\n');
    expect(narrow.out).toMatch(ASCII);
  });

  it('trees and dashboards are drawn in ASCII', async () => {
    await inC('departments tree').prints('|-- Sales\n|   `-- EMEA\n`-- Labs\n');
    await inC('individuals tree ann').prints('Ann Smith (ann) - Member, Sales\n`-- Zoë Stone (bob) - Müller, EMEA\n');
    expect(await inC('dashboards show ann').prints('Ann Smith')).toMatch(ASCII);
    expect(await inC('dashboards compare ann admin').prints(/-{5}/)).toMatch(ASCII);
  });

  it('notes and the log have arrows in ASCII', async () => {
    await inC('individuals update bob --primary-title Chief -n').says(/^\^ local as admin/);
    await inC('log --limit 1').prints('Title Member -> Müller');
  });

  it('values and formats for programs are as ever', async () => {
    await inC('individuals get bob').prints('Zoë');
    const line = 'log --limit 1 -o json';
    expect((await inC(line)).out).toBe((await pm(line)).out);
  });
});

it.each([
  ['LC_ALL before LC_CTYPE before LANG', { LC_ALL: 'C', LC_CTYPE: 'C.UTF-8', LANG: 'C.UTF-8' }, true],
  ['LC_CTYPE before LANG', { LC_CTYPE: 'en_US.ISO-8859-1', LANG: 'C.UTF-8' }, true],
  ['LANG', { LANG: 'POSIX' }, true],
  ['not LC_ALL where it is blank', { LC_ALL: '', LANG: 'de_DE.utf8' }, false],
  ['UTF-8 by its name in either case', { LC_ALL: 'C.UTF-8', LANG: 'C' }, false],
  ['as ever where none is set', {}, false],
] as const)('looks at %s', async (_what, env, isAscii) => {
  expect((await shown('departments tree', env)).out.includes('`--')).toBe(isAscii);
});

it('questions have signs in ASCII', { tags: 'terminal' }, async () => {
  const words = ['individuals', 'delete', 'bob'];
  const { out, exit } = await onTerminal(words, pm.home, [['Delete?', 'y\r']], { LC_ALL: 'C' });
  expect(exit).toBe(0);
  expect(out).not.toMatch(/[✔▲─]/);
  expect(out).toContain('+');
});
