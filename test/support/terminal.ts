// Runs the built program as a process: piped, or on a terminal that a Python script plays.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAddress } from '../../src/engine/store/postgres/address.ts';
import type { CommandResult } from './pm.ts';
import { screenOf } from './terminal-lines.ts';

export const PM = fileURLToPath(new URL('../../bin/pm.js', import.meta.url));

if (!existsSync(new URL('../../dist/main.js', import.meta.url)))
  throw new Error('these tests start the built program: npm run build first');

/** The environment of a command: no CI and none of the tester's own settings. */
const envOf = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  PM_HOME: home,
  USER: 'admin',
  TERM: 'xterm',
  TZ: 'UTC',
  ...databaseOf(home),
});

/** A site of a test may be on a server, whose address is then in the place of its file (on-postgres.ts). */
function databaseOf(home: string): NodeJS.ProcessEnv {
  const file = join(home, 'local.db');
  const text = existsSync(file) && statSync(file).size < 200 ? readFileSync(file, 'utf8') : '';
  return isAddress(text) ? { PM_DATABASE: text } : {};
}

/** What the program says on a server, as it says it on a file. */
const asOnFile = (text: string): string => text.replaceAll(' -p database', '').replace('database as', 'local as');

/** Runs a program with these words. */
export function spawned(
  command: string,
  args: readonly string[],
  home: string,
  stdin = '',
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const child = spawn(command, [...args], { env: { ...envOf(home), ...env } });
  return ended(child, stdin);
}

/** Runs pm with a closed stdout or stderr. */
export function spawnUnread(
  args: readonly string[],
  home: string,
  stream: 'stdout' | 'stderr' = 'stdout',
): Promise<CommandResult> {
  const child = spawn(process.execPath, [PM, ...args], { env: envOf(home) });
  child[stream].destroy();
  return ended(child, '');
}

/** Runs a Node program in the folder of a story, and sends it SIGINT as soon as `when` has come. */
export async function interrupted(
  args: readonly string[],
  { home, cwd }: { readonly home: string; readonly cwd: string },
  when: () => Promise<void>,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [...args], { cwd, env: envOf(home) });
  const all = ended(child, '');
  await when();
  child.kill('SIGINT');
  const { out, err, exit } = await all;
  return { out, err: asOnFile(err), exit };
}

/** Runs pm with these words, and does something with its process meanwhile. */
export async function spawnedWhile(
  args: readonly string[],
  { home, env = {} }: { readonly home: string; readonly env?: Readonly<Record<string, string>> },
  meanwhile: (child: ChildProcess) => Promise<void>,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [PM, ...args], { env: { ...envOf(home), ...env } });
  const [result] = await Promise.all([ended(child, ''), meanwhile(child)]);
  return result;
}

function ended(child: ChildProcessWithoutNullStreams, stdin: string): Promise<CommandResult> {
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ out, err, exit: code ?? -1 }));
  });
}

/** Runs pm with these words, as a shell would. */
export const spawnPm = (args: readonly string[], home: string, stdin?: string): Promise<CommandResult> =>
  spawned(process.execPath, [PM, ...args], home, stdin);

/** A question that is waited for, and what is typed then; with nothing pm is killed there. */
export type Step = readonly [question: string, keys?: string];

/** Runs pm on a terminal and types the answers; `out` is all that the terminal showed. */
export const onTerminal = (
  args: readonly string[],
  home: string,
  steps: readonly Step[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> => playedOnTerminal([process.execPath, PM, ...args], home, steps, env);

/** Runs a program on a terminal, with these variables besides. */
export async function playedOnTerminal(
  argv: readonly string[],
  home: string,
  steps: readonly Step[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const order = JSON.stringify({ argv, steps, env });
  const result = await spawned('python3', ['-c', PLAYER], home, order);
  if (result.exit !== 0) throw new Error(`the terminal could not be played: ${result.err}`);
  const { screen, exit, late } = JSON.parse(result.out) as { screen: string; exit: number; late: boolean };
  if (late) throw new Error(`the terminal waited in vain; it shows:\n${screenOf(screen).join('\n')}`);
  return { out: screen, err: '', exit };
}

/** In seconds; the limits of tests are in vitest.config.ts. */
const GIVEN_UP = 240;

const PLAYER = `
import codecs, json, os, pty, signal, sys
# A character may come in two parts.
decoder = codecs.getincrementaldecoder("utf-8")("replace")
order = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    os.execvpe(order["argv"][0], order["argv"], {**os.environ, **order["env"]})
# A question that never comes is told with the screen, before the limit of the test leaves the program behind.
late = False
def give_up(*_):
    global late
    late = True
    os.kill(pid, 9)
signal.signal(signal.SIGALRM, give_up)
signal.alarm(${GIVEN_UP})
screen = ""
def read():
    global screen
    try:
        part = os.read(terminal, 65536)
    except OSError:
        part = b""
    screen += decoder.decode(part)
    return part
for question, *keys in order["steps"]:
    shown = len(screen)
    while question not in screen[shown:]:
        if not read():
            break
    try:
        os.write(terminal, keys[0].encode()) if keys else os.kill(pid, 9)
    except OSError:
        break
while read():
    pass
_, status = os.waitpid(pid, 0)
print(json.dumps({"screen": screen, "exit": os.waitstatus_to_exitcode(status), "late": late}))
`;
