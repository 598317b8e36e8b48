// The rules of every page of help; and every example runs as it is printed, on a fresh site with the small sample.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { GLOBAL_FLAGS } from '../../src/cli/globals.ts';
import { handwrittenCommands } from '../../src/cli/program.ts';
import { resources } from '../../src/contract/index.ts';
import { examplesIn, helpPages, runLine } from '../support/help-pages.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm(async (run) => {
  await run('seed --sample small').prints();
  await run('departments update Engineering --focus "One platform"').prints();
});

/** They need what a test has not: a service, a terminal, an empty site, a job that was interrupted. */
const NOT_RUN = ['demo', 'seed', 'serve', 'login', 'logout', 'api', 'mcp', 'restore', 'backup'].concat(
  ...['jobs resume', 'jobs retry', 'jobs settle', 'jobs report'],
);

let pages: ReadonlyMap<string, string> = new Map();
beforeAll(async () => {
  pages = await helpPages(pm);
});

/** The commands that do something themselves, with their pages. */
const commandPages = (): readonly (readonly [string, string])[] =>
  [...pages].filter(([line, page]) => line !== '' && !/^Usage: pm \S+ <verb>/.test(page));

/** What a page has, in this order. */
const PARTS = ['Usage: ', 'Arguments:', 'Flags:', 'Commands:', 'More: ', 'Example'];

describe('the help', () => {
  it('has an example for every command', () => {
    expect(commandPages().length).toBeGreaterThan(200);
    const without = commandPages().flatMap(([line, page]) => (examplesIn(page).length > 0 ? [] : [line]));
    const where =
      'one that runs on the small sample: of a verb at its resource in cli/usage/resource-examples.ts, of another command in COMMANDS of cli/usage/help-page.ts';
    expect(without, where).toEqual([]);
  });

  it('says what a command does, then has its own flags, and examples at the end', () => {
    for (const [line, page] of pages) {
      const blocks = page.split('\n\n');
      const places = blocks.map((block) => PARTS.findIndex((part) => block.startsWith(part))).filter((at) => at >= 0);
      expect({ line, summary: blocks[1], places }).toEqual({
        line,
        summary: expect.stringMatching(/^[A-Z].*\.$/s),
        places: [...new Set(places)].sort(),
      });
    }
  });

  it('names the flags of every command in one line, and has none of them itself', () => {
    for (const [line, page] of pages) {
      const shown = GLOBAL_FLAGS.filter(({ flags }) => page.includes(`\n  ${flags}  `));
      expect({ line, shown }).toEqual({ line, shown: [] });
    }
  });

  it('has no line of more than 80 signs', async () => {
    const all = [...pages, ['flags', await pm('help flags').prints()] as const];
    const lines = all.flatMap(([name, page]) => page.split('\n').map((line) => ({ name, line })));
    expect(lines.filter(({ line }) => line.length > 80)).toEqual([]);
  });
});

const commands = [
  ...resources.filter(({ hidden }) => !hidden).map(({ command }) => command),
  ...handwrittenCommands().map(([name]) => name),
];

describe('every example runs', () => {
  it.each(commands)('of pm %s', async (command) => {
    writeFileSync(join(pm.home, 'password.txt'), 'a long password of its own');
    for (const [line, page] of commandPages()) {
      if (line.split(' ')[0] !== command || NOT_RUN.includes(line)) continue;
      for (const example of examplesIn(page)) await runLine(pm, example);
    }
  });
});
