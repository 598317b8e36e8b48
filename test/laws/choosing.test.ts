// A command that changes something takes no flag that would choose only what it prints: every command is asked.
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import type { HandwrittenCommand, Run } from '../../src/cli/command.ts';
import { GLOBAL_FLAGS, longName } from '../../src/cli/globals.ts';
import { kebab } from '../../src/cli/names.ts';
import { handwrittenCommands } from '../../src/cli/program.ts';
import { resourceCommand } from '../../src/cli/resource-command.ts';
import { resources } from '../../src/contract/index.ts';
import { streams } from '../cli/output-printed.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();

const FLAGS = ['--where', '--sort', '--limit'];

/** The hand-written commands that change nothing, or print no records; all others refuse. */
const READING = [
  'departments tree',
  'individuals tree',
  'departments show',
  'individuals show',
  'projects show',
  'departments diff',
  'individuals diff',
  'projects diff',
  'security-groups members',
  'dashboards show',
  'dashboards report',
  'dashboards compare',
  'find',
  'jobs list',
  'jobs show',
  'history',
  'log',
  'explain',
  'serve',
  'profiles list',
  'profiles show',
  'profiles test',
  'tokens list',
  'whoami',
  'doctor',
  'config list',
  'can',
  // Refused by its own words, and for the writing of a plan alone.
  'api',
  'plan',
];
/** Commands that have none of the flags of every command. */
const BARE = ['demo', 'openapi', 'help'].concat(
  ['bash', 'zsh', 'fish', 'powershell'].map((shell) => `completion ${shell}`),
);

const run: Run = async () => {};

/** The words that call this command, where it does something itself, and each below it. */
const leaves = (command: Command, before: string): readonly string[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [before] : []),
  ...command.commands.flatMap((below) => leaves(below, `${before} ${below.name()}`)),
];

async function everyCommand(): Promise<readonly string[]> {
  const ofResources = await Promise.all(
    resources.map(async (resource) => leaves(await resourceCommand(resource, resource.command, run), resource.command)),
  );
  const handmade = await Promise.all(
    handwrittenCommands().map(async ([name]) => {
      const { build } = (await import(`../../src/cli/commands/${name}.ts`)) as HandwrittenCommand;
      return leaves(
        build(run, streams(), async () => 0),
        name,
      );
    }),
  );
  return [...ofResources, ...handmade].flat();
}

/** The commands of operations that read. */
const reads = resources.flatMap(({ command, operations }) => [
  `${command} get`,
  ...Object.values(operations).flatMap(({ name, writes, verb }) =>
    writes || verb === 'local' ? [] : [`${command} ${kebab(name)}`],
  ),
]);

let every: readonly string[] = [];
beforeAll(async () => {
  every = await everyCommand();
});

/** They change the records that a filter chooses, where a list shows them. */
const changingRecords = resources.flatMap(({ command, fields, operations }) =>
  fields.ID && operations.list
    ? Object.values(operations).flatMap(({ name, verb }) =>
        ['update', 'delete', 'undelete'].includes(verb) || name === 'toggleCompleted'
          ? [`${command} ${kebab(name)}`]
          : [],
      )
    : [],
);

/** They take back the rows of a job that --where chooses. */
const UNDOING = ['undo', 'jobs undo'];

describe('a flag that chooses among records', () => {
  it('is one of those that are asked about here, or chooses deleted ones', () => {
    expect(GLOBAL_FLAGS.filter(({ group }) => group === 'choosing').map(longName)).toEqual([...FLAGS, '--deleted']);
  });

  it.each(FLAGS)('%s is refused by every command that changes something', async (flag) => {
    const taking = [...changingRecords, ...(flag === '--where' ? UNDOING : [])];
    const changing = every.filter((line) => ![...READING, ...BARE, ...reads, ...taking].includes(line));
    const taken: string[] = [];
    for (const line of changing) {
      const { exit, err } = await pm(`${line} ${flag} 1`);
      if (exit !== 2 || !err.includes(`takes no ${flag}`)) taken.push(`${line}: ${exit} ${err}`);
    }
    expect(changing.length).toBeGreaterThan(50);
    expect(taken).toEqual([]);
  });

  it('is refused in front of the command too, and with a dry run', async () => {
    await pm.refuses('--limit 1 departments create --name X -n', 2, 'pm departments create takes no --limit');
    await pm.refuses('departments create --name X --limit=1 -n', 2, 'takes no --limit');
  });

  it('is taken by all others', async () => {
    expect(READING.filter((line) => !every.includes(line))).toEqual([]);
    const refusing: string[] = [];
    for (const line of [...READING, ...reads]) {
      const help = await pm(`${line} --help`).prints();
      if (!FLAGS.every((flag) => help.includes(flag))) refusing.push(line);
    }
    expect(refusing).toEqual([]);
  });
});
