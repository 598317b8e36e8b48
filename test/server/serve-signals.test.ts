// Signals to pm serve during requests: the first one waits for them, the second one ends at once.
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

it('SIGTERM under load answers all that was sent, and ends it', async () => {
  const { child, port } = await serving();
  const load = loadOn(port, 24);
  await load.answered(500);
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await load.ended).toEqual({ unanswered: 0, statuses: [200] });
  expect(await gone).toEqual([0, null]);
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

/** Asks again and again on each of so many connections, until an answer says that it is the last one there. */
function loadOn(port: number, connections: number) {
  const head = ['GET /v4/me HTTP/1.1', 'Host: localhost', `Authorization: ${basic('admin', PASSWORD)}`, '', ''];
  const statuses = new Set<number>();
  let count = 0;
  const talk = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let [text, isAsking] = ['', false];
      const ask = (): void => {
        text = '';
        isAsking = true;
        socket.write(head.join('\r\n'));
      };
      socket.on('connect', ask);
      socket.on('data', (part) => {
        text += part.toString('latin1');
        const body = text.indexOf('\r\n\r\n') + 4;
        const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, body))?.[1];
        if (length === undefined || text.length < body + Number(length)) return;
        isAsking = false;
        count++;
        statuses.add(Number(text.slice(9, 12)));
        if (/\r\nconnection: close/i.test(text.slice(0, body))) socket.end();
        else ask();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(isAsking));
    });
  const ended = Promise.all(Array.from({ length: connections }, talk)).then((asking) => ({
    unanswered: asking.filter(Boolean).length,
    statuses: [...statuses],
  }));
  return {
    ended,
    async answered(enough: number): Promise<void> {
      while (count < enough) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}
