// Files that a command line names: a whole record, a text, bytes, a secret.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { ServiceError } from '../../contract/errors.ts';
import type { Resource } from '../../contract/resource.ts';
import { fieldNamed } from '../../contract/validate.ts';
import type { Context } from '../context.ts';

/** The object in a JSON or YAML file, or on stdin. */
export async function fromFile(context: Context, resource: Resource, from: unknown): Promise<Record<string, unknown>> {
  if (typeof from !== 'string') return {};
  const content = from === '-' ? await readAll(context.io.stdin) : await readText(context, '--from', from);
  const { parse } = await import('yaml');
  const value: unknown = parsed(from, () => (/^\s*[[{]/.test(content) ? JSON.parse(content) : parse(content)));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return membersOf(resource, value);
  throw new ServiceError('usage', `--from ${from} holds no object with the members of one record`, {
    hint: `pm ${resource.command} get <id> -o yaml shows what one looks like.`,
  });
}

/** Members by the contract's names; read-only ones are left out, so that a record that was read can be sent back (D11). */
function membersOf(resource: Resource, given: object): Record<string, unknown> {
  const members = Object.entries(given).map(
    ([name, value]) => [fieldNamed(resource.fields, name) ?? name, value] as const,
  );
  return Object.fromEntries(members.filter(([name]) => resource.fields[name]?.rule !== 'read-only'));
}

function parsed(from: string, work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    throw new ServiceError(
      'usage',
      `--from ${from} is neither JSON nor YAML: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** A new password comes from a file or stdin, never from the command line. */
export async function readSecret(
  context: Context,
  given: Readonly<Record<string, unknown>>,
): Promise<{ Password?: string }> {
  const file = given.newPasswordFile;
  if (given.newPasswordStdin !== true && typeof file !== 'string') return {};
  const content =
    typeof file === 'string' ? await readText(context, '--new-password-file', file) : await readAll(context.io.stdin);
  const password = content.replace(/\r?\n$/, '');
  if (password === '') throw new ServiceError('usage', 'the new password is empty');
  return { Password: password };
}

async function readText(context: Context, flag: string, file: string): Promise<string> {
  return (await readBytes(context, flag, file)).toString('utf8');
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
};

/** Throws `usage` that says why the file of that flag cannot be read. */
export async function readBytes(context: Context, flag: string, file: string): Promise<Buffer> {
  try {
    return await readFile(resolve(context.io.cwd, file));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ServiceError('usage', `${flag} ${file} cannot be read: ${WHY[code] ?? code}`, {
      hint: 'Check the name; it is taken from the folder you are in.',
    });
  }
}
