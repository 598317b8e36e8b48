// A day of work as a text to pin: each command with all that a person sees of it, and its exit code.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { normalised } from './normalised.ts';
import { NOW, words } from './pm.ts';
import { type Seen, seen } from './screen.ts';

/** Who works, and where. */
export interface Person {
  /** The system's user; the first administrator of a new site is called so. */
  readonly user: string;
  /** The width of the terminal; without it all is written to a log, as in CI. */
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Story {
  /** The folder of pm's files. */
  readonly home: string;
  /** The folder in which the commands run. */
  readonly cwd: string;
  /** Runs a line, with pipes from one pm to the next; it ends with 0. Answers stdout. */
  runs(line: string): Promise<string>;
  /** The same, for a line that ends with this exit code. */
  fails(exit: number, line: string): Promise<string>;
  /** Runs a line, all of which or this part of which the screen before it shows; it ends with this exit code. */
  follows(line: string, shown?: string, exit?: number): Promise<string>;
  /** Makes what was run elsewhere, such as on a terminal, a part of the story. */
  tells(line: string, screen: string, exit: number): void;
  /** Puts a file into the folder of the commands. */
  writes(name: string, content: string | Uint8Array): void;
  /** Sets the clock of the next commands. */
  at(moment: string): void;
  /** Sets variables of the next commands, or takes them away. */
  sets(env: Readonly<Record<string, string | undefined>>): void;
  /** Parts of what is seen that are other ones at every run. */
  varies(pattern: RegExp): void;
  /** The last test of the file: all that was seen is as it is pinned under this name. */
  isPinned(name: string): void;
}

/** The day of one person, told by the tests of a file in their order: each one begins where the one before it has ended. */
export function usingStory({ user, columns, env = {} }: Person): Story {
  const root = mkdtempSync(join(tmpdir(), 'pm-story-'));
  const [home, cwd] = [join(root, 'home'), join(root, 'work')];
  mkdirSync(cwd);
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const lines: string[] = [];
  const varying: RegExp[] = [];
  let clock = NOW;
  let variables: Readonly<Record<string, string | undefined>> = {
    ...{ PM_HOME: home, USER: user, PM_COLOR: 'never', TZ: 'UTC' },
    ...env,
  };
  let last = '';

  const run = (command: string, stdin: string): Promise<Seen> => {
    const [program, ...argv] = words(command);
    expect(program).toBe('pm');
    return seen(argv, { columns, stdin, env: variables, now: () => clock, cwd });
  };
  const story: Story = {
    ...{ home, cwd },
    runs: (line) => story.fails(0, line),
    async fails(exit, line) {
      const { screen, out, exit: ended } = await piped(line, run);
      story.tells(line, screen, ended);
      // The day goes on, as it would.
      expect.soft({ line, screen, exit: ended }).toEqual({ line, screen, exit });
      return out;
    },
    follows(line, shown = line, exit = 0) {
      expect.soft(last).toContain(shown);
      return story.fails(exit, line);
    },
    tells(line, screen, exit) {
      last = screen;
      lines.push(heading(), `$ ${line}\n`, cut(screen), exit === 0 ? '\n' : `[exit ${exit}]\n\n`);
    },
    writes(name, content) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), content);
    },
    at(moment) {
      clock = new Date(moment);
    },
    sets(more) {
      variables = { ...variables, ...more };
    },
    varies(pattern) {
      varying.push(pattern);
    },
    isPinned(name) {
      it('is the day that is pinned', async () => {
        const screens = varying.reduce((text, pattern) => text.replace(pattern, '…'), lines.join(''));
        const text = normalised(screens, { [home]: '~/.local/share/pm', [cwd]: '~/files' });
        await expect(text).toMatchFileSnapshot(join(import.meta.dirname, `../snapshots/stories/${name}.txt`));
      });
    },
  };
  const heading = headings();
  return story;
}

/** Runs commands, each of which reads what the one before it prints. */
async function piped(line: string, run: (command: string, stdin: string) => Promise<Seen>): Promise<Seen> {
  const [first = '', ...more] = line.split(' | ');
  let all = await run(first, '');
  for (const command of more) {
    const next = await run(command, all.out);
    all = { ...next, screen: all.screen.replace(all.out, '') + next.screen };
  }
  return all;
}

/** The name of the running test, where it is another one than before. */
function headings(): () => string {
  let before = '';
  return () => {
    const name = (expect.getState().currentTestName ?? '').split(' > ').at(-1) ?? '';
    if (name === before) return '';
    before = name;
    return `## ${name}\n\n`;
  };
}

/** The most lines of a screen that are pinned, and how many of them are of its end. */
const [MOST, END] = [48, 16];

/** A long screen without its middle. */
function cut(screen: string): string {
  const lines = screen.split('\n');
  if (lines.length <= MOST) return screen;
  const left = lines.length - MOST;
  return [...lines.slice(0, MOST - END), `(${left} lines)`, ...lines.slice(-END)].join('\n');
}
