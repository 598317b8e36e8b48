// pm's own small files in its folder: read as plain JSON, written whole or not at all, for their owner alone.
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { writeOutput } from '../../files/output.ts';
import { makeHome } from './home.ts';

export type StateName = 'config' | 'credentials';
type State = Readonly<Record<string, unknown>>;

export const stateFile = (home: string, name: StateName): string => join(home, `${name}.json`);

/** What the file holds; nothing where there is none. Throws `usage` for a file that is no JSON object. */
export function readState(home: string, name: StateName): State {
  const file = stateFile(home, name);
  const text = textIn(file);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isState(value)) return value;
  } catch {
    // What it says is not shown: it may be a secret.
  }
  throw new ServiceError('usage', `${file} cannot be understood: it is no JSON object`, {
    hint: 'Mend it, or move it away; pm then begins with a new one.',
  });
}

/** Replaces the file. Throws `usage` for one that cannot be understood, and as `writeOutput`. */
export async function writeState(home: string, name: StateName, state: State): Promise<void> {
  makeHome(home);
  readState(home, name);
  const path = stateFile(home, name);
  await writeOutput({ said: path, path, overwrite: true }, (draft) => draft.writeFile(textOf(state)));
}

const textOf = (state: State): string => `${JSON.stringify(state, null, 2)}\n`;

/** Is this an object with members, and no list? */
export const isState = (value: unknown): value is State =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // Of a folder that cannot be looked into nothing is known; whoever needs it says why.
    if (code === 'ENOENT' || code === 'ENOTDIR' || !isKnown(dirname(file))) return undefined;
    throw new ServiceError('storage', `${file} cannot be read: ${code}`, {
      hint: 'Name another folder: PM_HOME=<folder> pm …',
      cause: error,
    });
  }
}

function isKnown(folder: string): boolean {
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
