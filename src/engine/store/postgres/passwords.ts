// The password of a database's user: from PGPASSWORD, else from a file in the form of .pgpass.
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../../../contract/errors.ts';
import { inQuotes } from '../../../text/escape.ts';
import { ofUser, systemCode } from '../../../text/system-code.ts';
import type { Address } from './address.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined if none is known: the server may ask for none. Throws `storage` for a named file that cannot be used. */
export function passwordFor(address: Address, env: Env): string | undefined {
  if (address.passFile === undefined && env.PGPASSWORD) return env.PGPASSWORD;
  const named = address.passFile ?? env.PGPASSFILE;
  const file = named ?? usualFile(env);
  const text = file === undefined ? undefined : textIn(file, named !== undefined);
  return text === undefined ? undefined : passwordIn(text, address);
}

/** Where libpq looks. */
function usualFile(env: Env): string | undefined {
  const isWindows = process.platform === 'win32';
  const folder = (isWindows ? env.APPDATA : env.HOME) ?? ofUser(homedir);
  return folder && join(folder, ...(isWindows ? ['postgresql', 'pgpass.conf'] : ['.pgpass']));
}

/** The usual file may be missing: one that is not there, or is open to others, counts as empty, as for libpq. */
function textIn(file: string, isNamed: boolean): string | undefined {
  try {
    const mode = statSync(file).mode & 0o077;
    if (mode === 0 || process.platform === 'win32') return readFileSync(file, 'utf8');
  } catch (error) {
    if (!isNamed) return undefined;
    const why = systemCode(error) ?? 'unknown';
    throw new ServiceError('storage', `the file of passwords ${file} cannot be read: ${why}`, { cause: error });
  }
  if (!isNamed) return undefined;
  throw new ServiceError('storage', `the file of passwords ${file} may be read by others, so it is not used`, {
    hint: `Keep it to yourself: chmod 600 ${inQuotes(file)}`,
  });
}

/** The first line that fits: host:port:database:user:password, with * for any; \: and \\ stand for : and \. */
function passwordIn(text: string, { host, port, name, user }: Address): string | undefined {
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), name, user];
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  // A file of one word is the password itself.
  if (lines.length === 1 && !lines[0]?.includes(':')) return lines[0];
  const found = lines.map(fieldsIn).find((line) => wanted.every((one, i) => line[i] === '*' || line[i] === one));
  return found?.[wanted.length];
}

function fieldsIn(line: string): readonly string[] {
  const fields = [''];
  for (let i = 0; i < line.length; i++) {
    if (line[i] === ':') fields.push('');
    else fields[fields.length - 1] += line[line[i] === '\\' ? ++i : i] ?? '';
  }
  return fields;
}
