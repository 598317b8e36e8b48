// Files that a command line names: reads input, and checks all of them before the command runs.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import type { Field } from '../../contract/field.ts';
import { isRefusal, RULES } from '../../contract/kinds.ts';
import type { Resource } from '../../contract/resource.ts';
import { fieldNamed } from '../../contract/validate.ts';
import type { Zone } from '../../contract/zone.ts';
import { checkOutput, isStream, type Output, writeStream } from '../../files/output.ts';
import { whyUnreadable } from '../../text/system-code.ts';
import { PLAN_OUT, WRITTEN } from '../command.ts';
import { type Context, printingBy } from '../context.ts';
import { asTyped } from '../output/calling.ts';
import { formToWrite } from '../output/file-form.ts';
import { toStream } from '../output/printing.ts';
import type { Format } from '../output/result.ts';
import { configHomeOf, homeOf } from '../profiles/home.ts';
import type { Streams } from '../streams.ts';

/** The object in a JSON or YAML file, or on stdin. Throws `usage`. */
export async function fromFile(
  context: Context,
  resource: Resource,
  from: unknown,
  zone: Zone | undefined,
): Promise<Record<string, unknown>> {
  if (typeof from !== 'string') return {};
  const content = from === '-' ? await readAll(context.io.stdin) : String(await readBytes(context, '--from', from));
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = /^\s*[[{]/.test(content) ? JSON.parse(content) : parse(content);
  } catch (error) {
    throw new ServiceError('usage', `--from ${from} is neither JSON nor YAML: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return membersOf(resource, value, zone);
  throw new ServiceError('usage', `--from ${from} holds no object with the members of one record`, {
    hint: `pm ${resource.command} get <id> -o yaml shows what one looks like.`,
  });
}

/**
 * Members by the contract's names, without read-only ones, so that a record that was read can be sent back (D11). A day
 * without a time is read as in a flag (D13).
 */
function membersOf({ fields }: Resource, given: object, zone: Zone | undefined): Record<string, unknown> {
  const members = Object.entries(given).map(([name, value]) => [fieldNamed(fields, name) ?? name, value] as const);
  return Object.fromEntries(
    members
      .filter(([name]) => fields[name]?.rule !== 'read-only')
      .map(([name, value]) => [name, dayRead(fields[name], value, zone)]),
  );
}

function dayRead(field: Field | undefined, value: unknown, zone: Zone | undefined): unknown {
  if (typeof value !== 'string' || (field?.kind !== 'date' && field?.kind !== 'stamp')) return value;
  const read = RULES[field.kind].read(value, zone);
  return isRefusal(read) ? value : read;
}

/** The new password that the flags of a command hand over. */
export async function readSecret(
  context: Context,
  { newPasswordStdin, newPasswordFile }: Readonly<Record<string, unknown>>,
): Promise<{ Password?: string }> {
  const password = await secretFrom(context, '--new-password', newPasswordStdin, newPasswordFile);
  if (password === '') throw new ServiceError('usage', 'the new password is empty');
  return password === undefined ? {} : { Password: password };
}

/** A secret comes from stdin or a file, never from the command line; undefined if no flag says so. Throws `usage`. */
export async function secretFrom(
  context: Context,
  flag: string,
  isOnStdin: unknown,
  file: unknown,
): Promise<string | undefined> {
  if (isOnStdin !== true && typeof file !== 'string') return undefined;
  if (isOnStdin === true && file !== undefined)
    throw new ServiceError('usage', `${flag}-stdin and ${flag}-file exclude each other`);
  const content =
    typeof file === 'string' ? String(await readBytes(context, `${flag}-file`, file)) : await readAll(context.io.stdin);
  return content.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
}

/** Throws `usage` that says why the file of that flag cannot be read. */
export async function readBytes(context: Pick<Context, 'io'>, flag: string, file: string): Promise<Buffer> {
  try {
    return await readFile(resolve(context.io.cwd, file));
  } catch (error) {
    throw new ServiceError('usage', `${flag} ${file} cannot be read: ${whyUnreadable(error)}`, {
      hint: 'Check the path: it starts from the current folder.',
    });
  }
}

/** The flags that name an input file. */
export const READ_FLAGS: readonly string[] = [
  ...['from', 'input', 'passwordFile', 'newPasswordFile', 'caFile', 'tlsCert', 'tlsKey'],
];
const READ_ARGUMENTS: readonly string[] = ['file', 'resource|file', 'plan|folder', 'folder'];

export function outputOf({ io, settings }: Context, flag: string, file: string): Output {
  const { overwrite, dryRun } = settings;
  return { name: `${flag} ${file}`, path: resolve(io.cwd, file), overwrite, dryRun, stopped: io.stopped };
}

/** What `work` prints goes to the file of --out, if there is one, in the form that its name says unless -o says another. */
export async function toFile(
  context: Context,
  out: string | undefined,
  forms: readonly Format[],
  work: (context: Context) => Promise<number>,
): Promise<number> {
  if (out === undefined) return work(context);
  const { dryRun, output = formToWrite(out, forms, '-o') } = context.settings;
  const settings = { ...context.settings, output, color: false };
  const exit = await writeStream(outputOf(context, '--out', out), (stream) => {
    const io = toStream(context.io, stream);
    return work({ ...printingBy(context, settings, io), settings, io });
  });
  context.note(dryRun ? `${out} is not written: this is a dry run.` : `Written: ${out}`);
  return exit;
}

/** Throws `usage` where an output file exists, is also an input, or is one of pm's own files; and for a plan of no dry run. */
export function checkFiles(command: Command, io: Streams): void {
  const given = command.optsWithGlobals<Readonly<Record<string, unknown>>>();
  if (command.options.includes(PLAN_OUT) && given.out !== undefined && given.dryRun !== true)
    throw new ServiceError('usage', '--out writes the plan of a dry run, and this is not one', {
      hint: `Write -n beside it: -n --out ${asTyped(String(given.out), io)}`,
    });
  if (given.out === '-')
    throw new ServiceError('usage', '--out - names no file', { hint: 'What goes to stdout needs no --out.' });
  const outputs = command.options.flatMap((option): readonly Output[] => {
    const file = WRITTEN.includes(option.attributeName()) ? given[option.attributeName()] : undefined;
    if (typeof file !== 'string' || (option.long === '--trace' && isStream(resolve(io.cwd, file)))) return [];
    return [{ name: `${option.long} ${file}`, path: resolve(io.cwd, file), overwrite: given.overwrite === true }];
  });
  const inputs = [
    ...inputsOf(command, given, io),
    ...ownFiles(homeOf(io)),
    ...ownFiles(configHomeOf(io)),
    ...ownFiles(given.journal),
  ];
  for (const output of outputs) checkOutput(output, inputs);
  checkDistinct(outputs);
}

function checkDistinct(outputs: readonly Output[]): void {
  const twice = outputs.find(({ path }, at) => outputs.findIndex((one) => one.path === path) < at);
  if (!twice) return;
  throw new ServiceError('usage', `${twice.name} cannot be written: another flag writes it`, {
    hint: 'Name another file.',
  });
}

function inputsOf(command: Command, given: Readonly<Record<string, unknown>>, io: Streams): readonly string[] {
  const named = command.registeredArguments.flatMap((argument, at) =>
    READ_ARGUMENTS.includes(argument.name()) ? [command.args[at]] : [],
  );
  const files = [...named, ...READ_FLAGS.map((name) => given[name])].filter((file) => typeof file === 'string');
  return files.map((file) => resolve(io.cwd, file)).flatMap((file) => [file, ...filesIn(file, true)]);
}

const OWN_FILES = /^(?:local|journal)\.db|^(?:config|credentials)\.json$/;

/** The databases and settings that pm keeps in a folder. */
const ownFiles = (folder: unknown): readonly string[] =>
  typeof folder === 'string' ? filesIn(folder).filter((file) => OWN_FILES.test(file.slice(folder.length + 1))) : [];

function filesIn(folder: string, recursive = false): readonly string[] {
  try {
    return (readdirSync(folder, { recursive }) as string[]).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
