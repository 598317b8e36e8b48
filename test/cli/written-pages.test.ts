// The build writes the pages of help, and they are shown without the program: they are those that it would show.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helpPages } from '../support/help-pages.ts';
import { usingPm } from '../support/pm.ts';
import { programCopy } from '../support/program-copy.ts';

const pm = usingPm();
const FOLDER = join(import.meta.dirname, '../../dist/pages');

describe('the built program', () => {
  it('has the page of pm and of every command, as the program makes it', async () => {
    const written = readdirSync(FOLDER).map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')]);
    const made = [...(await helpPages(pm))].map(([words, page]) => [`${`pm ${words}`.trim()}.txt`, page]);
    expect(made.length).toBeGreaterThan(250);
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(made));
  });

  it('shows them without the program', async () => {
    const copy = programCopy();
    for (const part of ['program.js', 'often.js', 'seldom.js']) rmSync(join(copy.folder, 'dist', part));
    for (const line of ['--help', 'individuals --help', 'jobs show --help'])
      expect(copy.run(line)).toEqual({ exit: 0, err: '', out: await pm(line).prints() });
    expect(copy.run('individuals').exit).not.toBe(0);
  });

  it('shows by the program what is not written: another word, another order, a page that is lost', async () => {
    const copy = programCopy();
    for (const line of [
      'Individuals --help',
      'individual --help',
      '--help individuals',
      'individuals list --all --help',
    ])
      expect(copy.run(line)).toEqual({ exit: 0, err: '', out: await pm(line).prints() });
    expect(copy.run('individuals ../pm --help')).toMatchObject(await pm('individuals ../pm --help'));
    rmSync(join(copy.folder, 'dist/pages'), { recursive: true });
    expect(copy.run('individuals list --help').out).toBe(await pm('individuals list --help').prints());
  });
});
