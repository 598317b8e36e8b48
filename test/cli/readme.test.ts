// The README's commands are run, and must print what the README says. `npm run snapshots -- test/cli/readme.test.ts` writes their outputs into it.
import { execFileSync } from 'node:child_process';
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

/** A block of commands with what they print, or of commands alone. */
const BLOCK = /```(console|sh)\n([\s\S]*?)```/g;

/** Commands that this test does not run, and where they are run. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci && npm pack': 'test/cli/package.test.ts',
  'npm install -g ./pm-admin-0.1.0.tgz': 'test/cli/package.test.ts',
  'npm ci && npm run demo': '.ci/run',
  'npm ci && npm test': '.ci/run',
};
/** The job of a container is run in test/stories/workflow.test.ts. */
const CONTAINER = /^docker run /;

/** The commands of a console block, each with what stands below it. */
const shownIn = (block: string): readonly Shown[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.trimEnd().split('\n');
      return { command, output: output.join('\n').trimEnd() };
    });

/** The commands of a block without outputs, without their comments. */
const commandsIn = (block: string): readonly string[] =>
  block
    .split('\n')
    .map((line) => line.replace(/ +# .*/, ''))
    .filter((line) => line !== '');

/** What a person sees on a terminal. */
async function seen(line: string): Promise<{ readonly text: string; readonly exit: number }> {
  const [name, ...args] = words(line);
  expect(name).toBe('pm');
  const env = { PM_HOME: home, USER: 'you', PM_COLOR: 'never', TZ: 'UTC' };
  const { parts, exit } = await written(args, { columns: 100, env, cwd });
  return { text: textOf(parts).replaceAll(home, '~/.local/share/pm').trimEnd(), exit };
}

/** Runs the commands of a block; all of them end well. */
async function runAll(block: string): Promise<void> {
  for (const command of CONTAINER.test(block) ? [] : commandsIn(block)) {
    if (command in ELSEWHERE) continue;
    if (command.startsWith('printf ')) execFileSync('sh', ['-ec', command], { cwd });
    else expect({ command, ...(await seen(command)) }).toMatchObject({ command, exit: 0 });
  }
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
  const whole = withShownJobs((await seen(command)).text);
  const lines = output.split('\n').length;
  return output.endsWith(CUT) ? `${whole.split('\n', lines - 1).join('\n')}${CUT}` : whole;
}

it(
  'has commands that run, and print what it shows, one after the other on a new site',
  async () => {
    const blocks: string[] = [];
    for (const [whole, kind, block = ''] of readme.matchAll(BLOCK)) {
      if (kind === 'sh') await runAll(block);
      const parts: string[] = [];
      for (const one of shownIn(block)) parts.push(`$ ${one.command}\n${await answered(one)}`.trimEnd());
      blocks.push(kind === 'sh' ? whole : `\`\`\`console\n${parts.join('\n\n')}\n\`\`\``);
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

it('is short, and so is each of its doors', () => {
  expect(readme.split('\n').length).toBeLessThan(300);
  for (const door of ['I change in bulk', 'I look after people', 'I run CI']) {
    const [, , block = ''] = [...(readme.split(`\n## ${door}\n`)[1] ?? '').matchAll(BLOCK)][0] ?? [];
    expect(block.trim().split('\n').length, door).toBeGreaterThan(7);
    expect(block.trim().split('\n').length, door).toBeLessThanOrEqual(20);
  }
});

it('shows no day, so that its figures are those of everybody', () => {
  const outputs = [...readme.matchAll(BLOCK)].filter(([, kind]) => kind === 'console').map(([whole]) => whole);
  expect(outputs.join('').match(/\b20\d\d-\d\d-\d\d\b/g)).toBeNull();
});
