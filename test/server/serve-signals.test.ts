// Signals to pm serve during a request: the first one waits for it, the second one ends at once.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { PASSWORD, servedHome } from '../support/served-home.ts';
import { PM } from '../support/terminal.ts';
import { basic } from './served.ts';

it.each([
  ['SIGINT', [130, null]],
  ['SIGTERM', [143, null]],
  ['SIGHUP', [null, 'SIGHUP']],
] as const)('%s twice ends it at once', async (signal, exit) => {
  const { child, port } = await serving();
  const socket = await halfSent(port);
  const gone = once(child, 'exit');
  child.kill(signal);
  await said(child, 'Stopping');
  expect(child.exitCode).toBeNull();
  child.kill(signal);
  expect(await gone).toEqual(exit);
  socket.destroy();
});

/** A serve as a process of its own, in whose database the administrator has a password. */
async function serving(): Promise<{ child: ChildProcess; port: number }> {
  const home = await servedHome();
  const env = { PATH: process.env.PATH, PM_HOME: home, USER: 'admin' };
  const child = spawn(process.execPath, [PM, 'serve', '--port', '0'], { env });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  let out = '';
  for await (const part of child.stdout ?? []) {
    out += String(part);
    const port = /127\.0\.0\.1:(\d+)/.exec(out)?.[1];
    if (port !== undefined) return { child, port: Number(port) };
  }
  throw new Error(`it ended: ${out}`);
}

/** A request of which the body does not come, until the server says that it waits for it. */
async function halfSent(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  const head = [
    'POST /v4/colors HTTP/1.1',
    'Host: localhost',
    `Authorization: ${basic('admin', PASSWORD)}`,
    'Content-Type: application/json',
    'Content-Length: 100',
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.on('error', () => undefined);
  await once(socket, 'data');
  return socket;
}

function said({ stderr }: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve) => {
    let text = '';
    stderr?.on('data', (part: Buffer) => {
      text += part.toString();
      if (text.includes(words)) resolve();
    });
  });
}
