// The README's commands are run, and must print what the README says. `npm run snapshots -- test/cli/readme.test.ts` writes their outputs into it.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { textOf, words, written } from '../support/pm.ts';

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

const BLOCK = /```console\n([\s\S]*?)```/g;

/** The commands of a console block, each with what stands below it. */
const shownIn = (block: string): readonly Shown[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.trimEnd().split('\n');
      return { command, output: output.join('\n').trimEnd() };
    });

const shown = [...readme.matchAll(BLOCK)].flatMap(([, block = '']) => shownIn(block));

/** What a person sees on a terminal. */
async function seen(line: string): Promise<string> {
  const [name, ...args] = words(line);
  expect(name).toBe('pm');
  const env = { PM_HOME: home, USER: 'ann', PM_COLOR: 'never', TZ: 'UTC' };
  const { parts } = await written(args, { columns: 100, env, cwd });
  return textOf(parts).replaceAll(home, '~/.local/share/pm').trimEnd();
}

/** Each job has an ID of its own: the first one is shown by always the same digits, and so is the second. */
function shownJobs(): (text: string) => string {
  const known = new Map<string, string>();
  const shown = (id: string): string => {
    const begin = id.slice(0, SHORT);
    const digits = known.get(begin) ?? createHash('sha256').update(`job ${known.size}`).digest('hex').slice(0, SHORT);
    known.set(begin, digits);
    return `${digits}${id.slice(SHORT).replace(/[0-9a-f]+/g, (part) => digits.repeat(2).slice(0, part.length))}`;
  };
  return (text) =>
    text.replace(/(\bundo(?: of)? |^Job +)([0-9a-f-]{8,36})\b/gim, (_, before, id) => `${before}${shown(id)}`);
}
const SHORT = 8;
const withShownJobs = shownJobs();

/** Milliseconds; a sample takes some seconds on a busy machine. */
const PATIENCE = 300_000;
const CUT = '\n…';
const SHOWS = /^cat (\S+)$/;

/** What the README has to show for a command, cut where it is cut there. */
async function answered({ command, output }: Shown): Promise<string> {
  const [, file] = SHOWS.exec(command) ?? [];
  if (file !== undefined) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), `${output}\n`);
    return output;
  }
  const whole = withShownJobs(await seen(command));
  const lines = output.split('\n').length;
  return output.endsWith(CUT) ? `${whole.split('\n', lines - 1).join('\n')}${CUT}` : whole;
}

it(
  'shows what its commands print, one after the other on a new site',
  async () => {
    const blocks: string[] = [];
    for (const [, block = ''] of readme.matchAll(BLOCK)) {
      const parts: string[] = [];
      for (const one of shownIn(block)) parts.push(`$ ${one.command}\n${await answered(one)}`.trimEnd());
      blocks.push(`\`\`\`console\n${parts.join('\n\n')}\n\`\`\``);
    }
    await expect(readme.replace(BLOCK, () => blocks.shift() ?? '')).toMatchFileSnapshot(README);
  },
  PATIENCE,
);

it('names topics that there are', () => {
  const named = [...readme.matchAll(/`pm help\s+([a-z-]+)`/g)].map((match) => match[1]);
  const there = readdirSync(join(import.meta.dirname, '../../src/cli/help')).map((file) => file.replace('.md', ''));
  expect(there).toEqual(expect.arrayContaining(named));
});

it('shows commands for every job a reader comes with', () => {
  for (const job of ['seed', 'find', 'import', 'undo', 'plan', 'apply', 'history', 'log', 'each', 'export', 'can'])
    expect(shown.map(({ command }) => command)).toContainEqual(expect.stringMatching(new RegExp(`^pm ${job} `)));
});
