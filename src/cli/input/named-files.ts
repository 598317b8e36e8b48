// The files that a command line names: what one of its flags would write is checked before anything is done.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import { checkOutput, type Output } from '../../files/output.ts';
import { WRITTEN } from '../command.ts';
import type { Context } from '../context.ts';
import { homeOf } from '../profiles/home.ts';
import type { Streams } from '../streams.ts';
import { isStream } from '../tracing.ts';

/** The flags whose file is read. */
export const READ: readonly string[] = [
  ...['from', 'input', 'passwordFile', 'newPasswordFile', 'caFile', 'tlsCert', 'tlsKey'],
];
/** The arguments that are files. */
const READ_ARGUMENTS: readonly string[] = ['file', 'plan'];

/** What the flag of a command writes. */
export function outputOf({ io, settings }: Context, flag: string, file: string): Output {
  const { overwrite, dryRun } = settings;
  return { said: `${flag} ${file}`, path: resolve(io.cwd, file), overwrite, dryRun, stopped: io.stopped };
}

/** Throws `usage` where a file that the command would write is there, is one that it reads, or one of pm's own. */
export function checkFiles(command: Command, io: Streams): void {
  const given = command.opts<Readonly<Record<string, unknown>>>();
  const outputs = command.options.flatMap((option): readonly Output[] => {
    const file = WRITTEN.includes(option.attributeName()) ? given[option.attributeName()] : undefined;
    if (typeof file !== 'string' || (option.long === '--trace' && isStream(resolve(io.cwd, file)))) return [];
    return [{ said: `${option.long} ${file}`, path: resolve(io.cwd, file), overwrite: given.overwrite === true }];
  });
  const inputs = [...inputsOf(command, given, io), ...ownFiles(homeOf(io)), ...ownFiles(given.journal)];
  for (const output of outputs) checkOutput(output, inputs);
  refuseTwice(outputs);
}

function refuseTwice(outputs: readonly Output[]): void {
  const twice = outputs.find(({ path }, at) => outputs.findIndex((one) => one.path === path) < at);
  if (!twice) return;
  throw new ServiceError('usage', `${twice.said} cannot be written: another flag writes it`, {
    hint: 'Name another file.',
  });
}

function inputsOf(command: Command, given: Readonly<Record<string, unknown>>, io: Streams): readonly string[] {
  const named = command.registeredArguments.flatMap((argument, at) =>
    READ_ARGUMENTS.includes(argument.name()) ? [command.args[at]] : [],
  );
  const folder = typeof given.dir === 'string' ? filesIn(resolve(io.cwd, given.dir)) : [];
  const files = [...named, ...READ.map((name) => given[name])].filter((file) => typeof file === 'string');
  return [...files.map((file) => resolve(io.cwd, file)), ...folder];
}

const OWN = /^(?:local|journal)\.db|^(?:config|credentials)\.json$/;

/** The databases and settings that pm keeps in a folder. */
const ownFiles = (folder: unknown): readonly string[] =>
  typeof folder === 'string' ? filesIn(folder).filter((file) => OWN.test(file.slice(folder.length + 1))) : [];

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
