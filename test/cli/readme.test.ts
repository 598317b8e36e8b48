// The README's commands are run, and must print what the README says.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { normalised } from '../support/normalised.ts';
import { NOW, words } from '../support/pm.ts';
import { seen } from '../support/screen.ts';

const README = join(import.meta.dirname, '../../README.md');
const readme = readFileSync(README, 'utf8');
const root = mkdtempSync(join(tmpdir(), 'pm-readme-'));
const [home, cwd] = [join(root, 'home'), join(root, 'cwd')];
mkdirSync(cwd);
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The commands of every console block, each with what stands below it. */
function shownIn(text: string): readonly Shown[] {
  const blocks = [...text.matchAll(/```console\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...output] = part.trimEnd().split('\n');
        return { command, output: output.join('\n').trimEnd() };
      }),
  );
}

/** What a person sees on a terminal of 100 columns. */
async function shownOf(line: string): Promise<string> {
  const [name, ...args] = words(line);
  expect(name).toBe('pm');
  const env = { PM_HOME: home, USER: 'ann', PM_COLOR: 'never', TZ: 'UTC' };
  const { screen } = await seen(args, { columns: 100, env, now: () => NOW, cwd });
  return normalised(screen, { [home]: '~/.local/share/pm' }).trimEnd();
}

/** Milliseconds; a sample takes some seconds on a busy machine. */
const PATIENCE = 60_000;
const CUT = '\n…';
const SHOWS = /^cat (\S+)$/;

for (const { command, output } of shownIn(readme)) {
  const [, file] = SHOWS.exec(command) ?? [];
  if (file !== undefined) writeFileSync(join(cwd, file), `${output}\n`);
  else
    it(
      `prints what the README shows for: ${command}`,
      async () => {
        const whole = await shownOf(command);
        const wanted = normalised(output);
        if (wanted.endsWith(CUT)) expect(whole.slice(0, wanted.length - 1)).toBe(wanted.slice(0, -1));
        else expect(whole).toBe(wanted);
      },
      PATIENCE,
    );
}

it('names topics that there are', () => {
  const named = [...readme.matchAll(/`pm help\s+([a-z-]+)`/g)].map((match) => match[1]);
  const there = readdirSync(join(import.meta.dirname, '../../src/cli/help')).map((file) => file.replace('.md', ''));
  expect(there).toEqual(expect.arrayContaining(named));
});

it('shows commands for every job a reader comes with', () => {
  const verbs = shownIn(readme).map(({ command }) => command);
  for (const job of ['seed', 'import', 'undo', 'plan', 'apply', 'history', 'log', 'each', 'export', 'can'])
    expect(verbs).toContainEqual(expect.stringMatching(new RegExp(`^pm ${job} `)));
});
