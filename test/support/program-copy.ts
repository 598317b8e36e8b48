// The built program in a folder of its own, with whatever driver of SQLite a test puts beside it.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { driverFor } from '../../src/engine/store/sqlite/driver.ts';
import type { CommandResult } from './pm.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export interface ProgramCopy {
  readonly folder: string;
  /** Where pm keeps its files; not there at first. */
  readonly home: string;
  run(line: string, env?: Readonly<Record<string, string>>): CommandResult;
}

/**
 * Copies the program without its packages. `driver` is the source of what stands in for the driver of this Node, `place` where
 * the program lies in a folder of its own: there itself, as in a checkout, or below `node_modules`.
 */
export function programCopy(driver?: string, place = '.'): ProgramCopy {
  const made = mkdtempSync(join(tmpdir(), 'pm-copy-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  const folder = join(made, place);
  for (const part of ['bin', 'dist']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  if (driver !== undefined) install(join(folder, 'node_modules', driverFor(process.versions)), driver);
  const home = join(folder, 'home');
  return {
    folder,
    home,
    run(line, more = {}) {
      const env = { ...process.env, CI: '', PM_HOME: home, USER: 'ann', ...more };
      const args = [join(folder, 'bin/pm.js'), ...line.split(' ')];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, cwd: folder, encoding: 'utf8' });
      return { exit: status ?? -1, out: stdout, err: stderr };
    },
  };
}

function install(folder: string, source: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "main": "index.js" }');
  writeFileSync(join(folder, 'index.js'), source);
}
