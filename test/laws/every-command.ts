// All commands, and which of them change nothing: for the laws that ask every one.
import type { Command } from 'commander';
import type { HandwrittenCommand, Run } from '../../src/cli/command.ts';
import { kebab } from '../../src/cli/names.ts';
import { handwrittenCommands } from '../../src/cli/program.ts';
import { resourceCommand } from '../../src/cli/resource-command.ts';
import { leavesOf } from '../../src/cli/usage/flags-of.ts';
import { resources } from '../../src/contract/index.ts';
import { streams } from '../cli/output-printed.ts';

/** The hand-written commands that change nothing, or print no records; all others refuse. */
export const READING = [
  'check',
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
  'show',
  'jobs list',
  'jobs show',
  'history',
  'diff',
  'log',
  'explain',
  'serve',
  'profiles list',
  'profiles show',
  'tokens list',
  'whoami',
  'doctor',
  'config list',
  'can',
  'commands',
  // Refused by its own words, and for the writing of a plan alone.
  'api',
  'plan',
];
/** Commands that have none of the flags of every command. */
export const BARE = ['demo', 'openapi', 'schema', 'help'].concat(
  ['bash', 'zsh', 'fish', 'powershell'].map((shell) => `completion ${shell}`),
);

const run: Run = async () => {};

const pathsOf = (command: Command): readonly string[] => leavesOf(command).map(([path]) => path);

/** The words that call each command, where it does something itself. */
export async function everyCommand(): Promise<readonly string[]> {
  const ofResources = await Promise.all(
    resources.map(async (resource) => pathsOf(await resourceCommand(resource, resource.command, run))),
  );
  const handmade = await Promise.all(
    handwrittenCommands().map(async ([name]) => {
      const { build } = (await import(`../../src/cli/commands/${name}.ts`)) as HandwrittenCommand;
      return pathsOf(
        build(
          run,
          streams(),
          async () => 0,
          async () => [],
        ),
      );
    }),
  );
  return [...ofResources, ...handmade].flat();
}

/** The commands of operations that read. */
export const reads = resources.flatMap(({ command, operations }) => [
  `${command} get`,
  ...Object.values(operations).flatMap(({ name, writes, verb }) =>
    writes || verb === 'local' ? [] : [`${command} ${kebab(name)}`],
  ),
]);
