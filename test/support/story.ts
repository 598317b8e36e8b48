// A day of work: its commands run one after the other, each with its exit code, and its key lines are pinned.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { NOW, type Part, textOf, words, written } from './pm.ts';

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
  /** Runs a line, which ends with 0. Answers stdout. */
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
  /** The last test of the file: the key lines of all that was seen are as they are pinned under this name. */
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

  const tell = (line: string, parts: readonly Part[], exit: number): void => {
    last = textOf(parts);
    lines.push(heading(), `$ ${line}\n`, ...parts.map(keyLines), exit === 0 ? '\n' : `[exit ${exit}]\n\n`);
  };
  const story: Story = {
    ...{ home, cwd },
    runs: (line) => story.fails(0, line),
    async fails(exit, line) {
      const [program, ...argv] = words(line);
      expect(program).toBe('pm');
      const { parts, exit: ended } = await written(argv, { columns, env: variables, now: () => clock, cwd });
      tell(line, parts, ended);
      // The day goes on, as it would.
      expect.soft({ line, screen: last, exit: ended }).toEqual({ line, screen: last, exit });
      return textOf(parts, true);
    },
    follows(line, shown = line, exit = 0) {
      expect.soft(last).toContain(shown);
      return story.fails(exit, line);
    },
    tells: (line, screen, exit) => tell(line, [{ isAnswer: false, chunks: [Buffer.from(screen)] }], exit),
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
      it(`is the day that is pinned in stories/${name}.txt`, async () => {
        const screens = varying.reduce((text, pattern) => text.replace(pattern, '…'), lines.join(''));
        const text = normalised(screens, { [home]: '~/.local/share/pm', [cwd]: '~/files' });
        await expect(text).toMatchFileSnapshot(join(import.meta.dirname, `../snapshots/stories/${name}.txt`));
      });
    },
  };
  const heading = headings();
  return story;
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

const PARAGRAPH = /(?:.+\n?)+/g;
/** How many lines are key lines: of the first paragraph, which may be all; of the others a title and the names of columns. */
const [FIRST, OTHERS] = [6, 2];
const IS_COMMAND = /^\s*(\$ )?pm [a-z-]/;

/** All that pm says to people; of an answer the begin of each paragraph, each command that it names, and how long it is. */
function keyLines(part: Part): string {
  const text = textOf([part]);
  if (!part.isAnswer) return text;
  return text.replaceAll(PARAGRAPH, (paragraph, start) => {
    const lines = paragraph.trimEnd().split('\n');
    const begin = start === 0 ? FIRST : OTHERS;
    const key = lines.filter((line, at) => at < begin || IS_COMMAND.test(line));
    return lines.length <= key.length + 1 ? paragraph : `${key.join('\n')}\n(${lines.length} lines)\n`;
  });
}

/** Without what is another one at every run: places, hashes, ports and IDs. Widths stay, so that tables do. */
function normalised(text: string, places: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [place, name] of Object.entries(places)) result = result.replaceAll(place, name);
  return withNumberedIDs(result)
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>');
}

/** An ID, or the eight signs by which a job is called. */
const ID = /\b[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b/g;

/** Each begin of an ID becomes a number, in the order of appearance; what is one ID stays one. */
function withNumberedIDs(text: string): string {
  const numbers = new Map<string, string>();
  return text.replace(ID, (id) => {
    const begin = id.slice(0, 8);
    const number = numbers.get(begin) ?? `id${String(numbers.size + 1).padStart(6, '0')}`;
    numbers.set(begin, number);
    return `${number}${id.slice(8).replaceAll(/[0-9a-f]/g, '0')}`;
  });
}
