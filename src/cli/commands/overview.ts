// The list of commands, as `pm` and `pm --help` show it.
import type { Command } from 'commander';
import { resources } from '../../contract/index.ts';

const WIDTH = 22;

/** Describes the whole program without building any of its commands. */
export function describeAll(program: Command, handmade: readonly (readonly [string, string])[]): Command {
  const line = (name: string, doc: string): string => `  ${name.padEnd(WIDTH)}${doc}`;
  const records = [...resources]
    .sort((a, b) => (a.command < b.command ? -1 : 1))
    .map((one) => line(one.command, one.doc));
  const others = handmade.map(([name, doc]) => line(name, doc));
  program
    .usage('<resource> <verb> [ids...] [flags]')
    .description('Administers a performance-management service, and answers as one from a local file.')
    .addHelpText('after', `\nResources:\n${records.join('\n')}\n\nOther commands:\n${others.join('\n')}\n${TAIL}`)
    .action(() => program.outputHelp());
  return program;
}

const TAIL = `
Verbs: list, get, create, update, delete, undelete; pm <resource> --help shows which ones a resource has.
Topics: pm help benchmarks, changes, coverage, dashboards, decisions, environment, exit-codes, files,
  house, remote, rights, serve, where.

To begin:
  pm demo                                a walk through a throw-away site
  pm seed --sample small                 fill the local site
  pm individuals list --where "LastName ~ '^S'"`;
