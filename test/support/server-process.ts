// Servers as processes of their own: pm serve with the built program, and whatever else says where it listens.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ServerProcess {
  readonly url: string;
  /** Ends it with this signal, and answers when it is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Serves the database of a home, in which somebody has a password. `program` is the path of bin/pm.js. */
export const serveProcess = (program: string, home: string, user: string): Promise<ServerProcess> =>
  serverProcess([program, 'serve', '--port', '0'], { PM_HOME: home, USER: user });

/** Runs a program of Node that prints `Serving <url>`; what it says later is thrown away. */
export async function serverProcess(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const env = { ...process.env, ...more };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await addressOf(child);
  return {
    url,
    async kill(signal) {
      const gone = once(child, 'exit');
      if (child.kill(signal)) await gone;
    },
  };
}

function addressOf({ stdout }: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    stdout?.on('data', (part: Buffer) => {
      said += part.toString();
      const url = /^Serving (\S+)\s/m.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
    stdout?.on('end', () => reject(new Error(`the server ended: ${said}`)));
  });
}
