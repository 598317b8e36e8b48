// The peer of P5: sqlite-utils, a program of Python that inserts the rows of a file and checks nothing.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Program } from './processes.ts';

interface Peer {
  insert(home: string, database: string, file: string): Program;
}

const run = promisify(execFile);

/** The one that is installed, else one that is installed for this measurement alone; undefined, with a notice, without either. */
export async function sqliteUtils(folder: string): Promise<Peer | undefined> {
  const command = (await onPath()) ?? (await installed(folder));
  if (command === undefined) return undefined;
  return {
    insert: (home, database, file) => ({
      ...{ root: folder, home, user: '', command },
      args: ['insert', database, 'accountability', file, '--csv'],
    }),
  };
}

async function onPath(): Promise<string | undefined> {
  const found = await run('sqlite-utils', ['--version']).catch(() => undefined);
  return found && 'sqlite-utils';
}

async function installed(folder: string): Promise<string | undefined> {
  const place = join(folder, 'python');
  try {
    await run('python3', ['-m', 'venv', place]);
    await run(join(place, 'bin/pip'), ['install', '--quiet', 'sqlite-utils']);
    return join(place, 'bin/sqlite-utils');
  } catch (error) {
    process.stderr.write(
      `sqlite-utils is left out: ${error instanceof Error ? error.message.split('\n')[0] : error}\n`,
    );
    return undefined;
  }
}
