// Measures whole processes, from the start to the end of their output.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { timed } from './timing.ts';

/** A program, in the environment of one home. */
export interface Program {
  readonly root: string;
  readonly home: string;
  /** The user that the home's database knows. */
  readonly user: string;
  readonly args: readonly string[];
  /** What runs instead of Node. */
  readonly command?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program; its output goes through a pipe and is thrown away. Answers its milliseconds. Throws where it fails. */
export const processTime = (program: Program): Promise<number> => timed(() => run(program, {}));

/** The most memory a program held, in MiB. */
export async function processPeak(program: Program): Promise<number> {
  const file = join(program.home, 'peak');
  const hook = pathToFileURL(join(program.root, 'test/bench/peak.js')).href;
  await run({ ...program, args: ['--import', hook, ...program.args] }, { PM_BENCH_PEAK: file });
  return Number(readFileSync(file, 'utf8')) / 1024;
}

/** The arguments by which Node runs pm. */
export const pm = (root: string, line: string): readonly string[] => [join(root, 'bin/pm.js'), ...line.split(' ')];

function run(
  { home, user, args, command = process.execPath, env: own }: Program,
  more: NodeJS.ProcessEnv,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CI: '', PM_HOME: home, USER: user, ...own, ...more };
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stdout.resume();
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString();
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}: ${said}`)),
    );
  });
}
