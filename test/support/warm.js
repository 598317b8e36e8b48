// Runs the built program once, so that the machine code of what most commands do can be shipped beside it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';

const { loadAnew, codeFile } = createRequire(import.meta.url)('../../bin/load.js');
const LINES = ['--help', 'individuals --help', 'individuals list -o json', 'individuals get me -o json'];

/** Writes the code of the program beside it. */
export async function warm(file) {
  const home = mkdtempSync(join(tmpdir(), 'pm-build-'));
  try {
    const { exported, code } = loadAnew(file);
    for (const line of LINES) await exported.run(line.split(' '), streams(home), '');
    writeFileSync(codeFile(file), code());
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const streams = (home) => ({
  stdin: process.stdin,
  stdout: nowhere(),
  stderr: nowhere(),
  stdinIsTerminal: false,
  stdoutIsTerminal: false,
  stderrIsTerminal: false,
  columns: 80,
  env: { PM_HOME: home, USER: 'admin' },
  cwd: home,
  now: () => new Date(),
});

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
