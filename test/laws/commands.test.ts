// pm commands: every command is there, and what is said of it agrees with the contract, with its help and with itself.
import { beforeAll, describe, expect, it } from 'vitest';
import { GLOBAL_FLAGS, longName } from '../../src/cli/globals.ts';
import type { ArgumentEntry, CommandEntry, FlagEntry } from '../../src/cli/usage/command-list.ts';
import { FILES_ONLY, HANDWRITTEN_TRAITS, operationOf } from '../../src/cli/usage/command-list.ts';
import { EXIT } from '../../src/contract/errors.ts';
import { resources } from '../../src/contract/index.ts';
import { helpPages } from '../support/help-pages.ts';
import { usingPm } from '../support/pm.ts';
import { BARE, everyCommand, READING, reads } from './every-command.ts';

const pm = usingPm();
/** They read, or write, as their arguments say: listed as writing. */
const EITHER = ['api'];

let entries: readonly CommandEntry[] = [];
let every: readonly string[] = [];
let pages: ReadonlyMap<string, string> = new Map();
beforeAll(async () => {
  [every, pages] = [await everyCommand(), await helpPages(pm)];
  entries = JSON.parse(await pm('commands -o json').prints()) as readonly CommandEntry[];
});

const pathOf = ({ Command }: CommandEntry): string => Command.replace(/^pm ?/, '');
const commands = (): readonly CommandEntry[] => entries.filter((one) => pathOf(one) !== '');
const ofPath = (path: string): CommandEntry => {
  const entry = entries.find((one) => pathOf(one) === path);
  if (!entry) throw new Error(`there is no entry for ${path}`);
  return entry;
};

describe('pm commands', () => {
  it('has every command once, and no other', () => {
    expect(every.length).toBeGreaterThan(200);
    expect(commands().map(pathOf).sort()).toEqual([...every].sort());
  });

  it('has the pinned flags with each, and the pinned names, of lower-case words', async () => {
    const lines = entries.map(({ Command, Flags }) => [Command, ...Flags.map(({ Flag }) => Flag)].join(' '));
    const names = resources.map(({ command, aliases }) => [command, ...aliases].join(' '));
    const text = `${[...lines, ...names].join('\n')}\n`;
    expect(text.split(/\s/).filter((word) => !/^(--)?([a-z0-9]+(-[a-z0-9]+)*)?$/.test(word))).toEqual([]);
    await expect(text).toMatchFileSnapshot('../snapshots/flags.txt');
  });

  it('has words for each, and for each of its arguments and flags', () => {
    const docs = entries.flatMap((one) => [one, ...one.Arguments, ...one.Flags]);
    expect(docs.length).toBeGreaterThan(1000);
    expect(docs.filter(({ Doc }) => Doc.trim() === '')).toEqual([]);
  });

  it('says of each whether it writes, as the contract and the list of those that read do', () => {
    const reading = [...READING, ...BARE, ...reads, ...FILES_ONLY].filter((path) => !EITHER.includes(path));
    const wrong = commands().filter((one) => one.Writes === reading.includes(pathOf(one)));
    expect(wrong.map(pathOf)).toEqual([]);
  });

  it('says of each that writes whether it can be repeated and undone', () => {
    const operations = commands().filter((one) => operationOf(pathOf(one))?.[1].writes);
    expect(operations.length).toBeGreaterThan(80);
    for (const one of operations.filter((entry) => !(pathOf(entry) in HANDWRITTEN_TRAITS)))
      expect({ of: one.Command, is: one.Repeatable }).toEqual({
        of: one.Command,
        is: operationOf(pathOf(one))?.[1].repeatable,
      });
    const written = commands().filter((one) => one.Writes && !operations.includes(one));
    expect(written.map(pathOf).filter((path) => !(path in HANDWRITTEN_TRAITS))).toEqual([]);
    expect(Object.keys(HANDWRITTEN_TRAITS).filter((path) => !ofPath(path).Writes)).toEqual([]);
    for (const { Writes, Repeatable, Undoable } of commands().filter((one) => !one.Writes))
      expect({ Writes, Repeatable, Undoable }).toEqual({ Writes: false, Repeatable: true, Undoable: null });
  });

  it.each([
    ['departments create', true, false, true],
    ['departments update', true, true, true],
    ['departments delete', true, true, true],
    ['archives take', true, true, false],
    ['project-phases create', true, false, false],
    ['tasks toggle-completed', true, false, true],
    ['passwd', true, true, false],
    ['api', true, null, false],
    ['individuals list', false, true, null],
  ])('knows %s', (path, Writes, Repeatable, Undoable) => {
    expect(ofPath(path)).toMatchObject({ Writes, Repeatable, Undoable });
  });

  it('has the flags and arguments of its help, with their closed values', () => {
    for (const one of commands()) {
      const page = pages.get(pathOf(one)) ?? '';
      const [, block = ''] = /^Flags:\n((?: .*\n)+)/m.exec(page) ?? [];
      const shown = [...block.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag);
      expect({ of: one.Command, flags: one.Flags.map(({ Flag }: FlagEntry) => Flag) }).toEqual({
        of: one.Command,
        flags: shown,
      });
      for (const { Flag, Values } of one.Flags)
        if (Values)
          expect(block.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`${Flag} [<[]${Values.join('\\|')}[>\\]]`));
      for (const { Argument } of one.Arguments as readonly ArgumentEntry[]) expect(page).toContain(Argument);
    }
  });

  it('has the flags of every command with pm itself', () => {
    const known = ofPath('').Flags.map(({ Flag }) => Flag);
    expect(known).toEqual(GLOBAL_FLAGS.map(longName));
    expect(ofPath('').Flags.find(({ Flag }) => Flag === '--errors')?.Values).toEqual(['text', 'json']);
    expect(commands().flatMap(({ GlobalFlags }) => GlobalFlags.filter((flag) => !known.includes(flag)))).toEqual([]);
    expect(ofPath('departments update').GlobalFlags).toContain('--dry-run');
    expect(ofPath('departments list').GlobalFlags).not.toContain('--dry-run');
  });

  it('has exit codes of the table, and those of changes only where something may change', () => {
    const codes: readonly number[] = Object.values(EXIT);
    for (const { Command, Writes, Flags, Exits } of entries) {
      expect(Exits.filter((code) => !codes.includes(code))).toEqual([]);
      const isChange = Writes || Flags.some((flag: FlagEntry) => flag.Writes);
      expect({ Command, is: Exits.includes(EXIT.confirmation) }).toEqual({ Command, is: isChange });
      const compares = Command === 'pm doctor' || Flags.some(({ Flag }: FlagEntry) => Flag === '--exit-code');
      expect({ Command, is: Exits.includes(EXIT.different) }).toEqual({ Command, is: compares });
    }
    expect(ofPath('doctor').Flags).toMatchObject([{ Flag: '--probe', Writes: true }]);
  });

  it('is one line a command on a terminal, and can be narrowed down', async () => {
    const out = await pm('commands tasks', { columns: 100 }).prints();
    const lines = out.split('\n').filter((line) => line.startsWith('pm '));
    expect(lines.map((line) => line.split('  ')[0]?.slice(3))).toEqual(
      every.filter((path) => path.startsWith('tasks ')),
    );
    expect(lines.find((line) => line.startsWith('pm tasks delete '))).toMatch(/ yes +yes +yes +Delete one task/);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    await pm('commands --where "Writes = false" -o id').prints('pm individuals list');
    await pm('commands departments update -o csv --fields Command,Flags').prints('pm departments update,');
    await pm.refuses('commands nonsense', 6, 'no command begins with "nonsense"');
  });
});
