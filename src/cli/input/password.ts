// Where a password comes from: stdin, a file, PM_PASSWORD or a question; never the command line.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { ServiceError } from '../../contract/errors.ts';
import type { Context } from '../context.ts';

export interface PasswordOptions {
  readonly passwordStdin?: boolean;
  readonly passwordFile?: string;
}

/** Throws `usage` where there is none, and nothing can be asked. */
export async function readPassword(context: Context, options: PasswordOptions, question: string): Promise<string> {
  const password = (await given(context, options)) ?? (await asked(context, question));
  if (password !== '') return password;
  throw new ServiceError('usage', 'the password is empty');
}

async function given({ io }: Context, { passwordStdin, passwordFile }: PasswordOptions): Promise<string | undefined> {
  if (passwordStdin && passwordFile !== undefined)
    throw new ServiceError('usage', '--password-stdin and --password-file exclude each other');
  if (passwordStdin) return firstLine(await readAll(io.stdin));
  if (passwordFile === undefined) return io.env.PM_PASSWORD || undefined;
  try {
    return firstLine(await readFile(resolve(io.cwd, passwordFile), 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ServiceError('usage', `--password-file ${passwordFile} cannot be read: ${code}`);
  }
}

const firstLine = (content: string): string => content.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');

async function asked({ settings }: Context, question: string): Promise<string> {
  if (settings.asks) return (await import('./prompt.ts')).askSecret(question);
  throw new ServiceError('usage', 'the password is missing', {
    hint: 'Hand it over with --password-stdin, --password-file <file> or PM_PASSWORD.',
  });
}
