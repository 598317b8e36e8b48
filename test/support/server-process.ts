// Runs servers as processes: pm serve of the built program, and others that print their URL.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Sends this signal, and waits for the end of the process. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Serves the database of a home with at least one password. `program`: the path of bin/pm.js. */
export const serveProcess = (
  program: string,
  home: string,
  user: string,
  ...flags: readonly string[]
): Promise<ServerProcess> => serverProcess([program, 'serve', '--port', '0', ...flags], { PM_HOME: home, USER: user });

/** Runs a Node program that prints `Serving <url>`; its later output is dropped, and stderr unless `onErr` takes it. */
export async function serverProcess(
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
  onErr?: (text: string) => void,
): Promise<ServerProcess> {
  const env = { ...process.env, ...more };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', onErr ? 'pipe' : 'ignore'] });
  child.stderr?.on('data', (part: Buffer) => onErr?.(part.toString()));
  const url = await addressOf(child);
  return {
    url,
    pid: child.pid ?? 0,
    async kill(signal) {
      const gone = once(child, 'exit');
      if (child.kill(signal)) await gone;
    },
  };
}

function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let output = '';
  stderr?.on('data', (part: Buffer) => {
    output += part.toString();
  });
  return new Promise((resolve, reject) => {
    stdout?.on('data', (part: Buffer) => {
      output += part.toString();
      const url = /^Serving (\S+)\s/m.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    stdout?.on('end', () => reject(new Error(`the server ended: ${output}`)));
  });
}
