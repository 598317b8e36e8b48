// Every flag of every command that names a file to be written leaves the file alone that is there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { expect, it } from 'vitest';
import { type HandwrittenCommand, PLAN_OUT, type Run, WRITTEN } from '../../src/cli/command.ts';
import { READ_FLAGS } from '../../src/cli/input/files.ts';
import { handwrittenCommands } from '../../src/cli/program.ts';
import { resourceCommand } from '../../src/cli/resource-command.ts';
import { resources } from '../../src/contract/index.ts';
import { streams } from '../cli/output-printed.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();

interface Leaf {
  /** As it is written behind `pm`. */
  readonly words: readonly string[];
  readonly command: Command;
}

/** The commands that do something, whatever they are asked to do. */
const leavesOf = (command: Command, above: readonly string[] = []): readonly Leaf[] => {
  const words = [...above, command.name()];
  if (command.commands.length === 0) return [{ words, command }];
  return command.commands.flatMap((below) => leavesOf(below, words));
};

async function everyLeaf(): Promise<readonly Leaf[]> {
  const run: Run = async () => {};
  const groups = await Promise.all([
    ...resources.map((resource) => resourceCommand(resource, resource.command, run)),
    ...handwrittenCommands().map(async ([name]) => {
      const { build } = (await import(`../../src/cli/commands/${name}.ts`)) as HandwrittenCommand;
      return build(
        run,
        streams(),
        async () => 0,
        async () => [],
      );
    }),
  ]);
  return groups.flatMap((group) => leavesOf(group));
}

const namesFile = ({ flags }: Option): boolean => flags.includes('<file>');

/** Words for what the command cannot be understood without; `but` is one flag that is given otherwise. */
function demanded({ words, command }: Leaf, but: Option): readonly string[] {
  const options = command.options.filter((option) => option.mandatory && option !== but);
  return [
    ...words,
    ...command.registeredArguments.filter(({ required }) => required).map(() => 'x'),
    ...options.flatMap((option) => [String(option.long), option.argChoices?.[0] ?? 'x']),
  ];
}

it('is known of every flag that names a file whether the file is read or written', async () => {
  const flags = (await everyLeaf()).flatMap(({ command }) => command.options.filter(namesFile));
  const names = new Set(flags.map((option) => option.attributeName()));
  expect([...names].sort()).toEqual([...WRITTEN, ...READ_FLAGS].sort());
});

it('refuses a file that is there, and leaves it and the records as they were', async () => {
  const file = join(pm.home, 'there');
  writeFileSync(file, 'mine');
  const before = pm.dump();
  let tried = 0;
  for (const leaf of await everyLeaf()) {
    for (const option of leaf.command.options.filter((one) => WRITTEN.includes(one.attributeName()))) {
      const rehearsed = option.flags === PLAN_OUT.flags ? ['-n'] : [];
      const line = [...demanded(leaf, option), String(option.long), 'there', ...rehearsed];
      const told = await pm(line).fails(2, `${option.long} there cannot be written: the file exists already`);
      expect(told.err, line.join(' ')).toContain('--overwrite');
      expect(told.out, line.join(' ')).toBe('');
      tried++;
    }
  }
  expect(tried).toBeGreaterThan(200);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(pm.dump()).toEqual(before);
});
