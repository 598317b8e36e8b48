// Puts load on a server over many connections, with as little work of its own as can be.
import { connect, type Socket } from 'node:net';

export interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The bytes of one request. */
export function bytesOf(url: string, { method, path, headers, body = '' }: Sent): Buffer {
  const { host } = new URL(url);
  const all = { host, ...headers, ...(method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {}) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** Sends them all, on each connection one after the other. Answers the milliseconds. Throws for any answer that is no success. */
export async function load(url: string, requests: readonly Buffer[], connections: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(Number(port), hostname)));
  let next = 0;
  const start = performance.now();
  await Promise.all(sockets.map((socket) => talk(socket, () => requests[next++])));
  const took = performance.now() - start;
  for (const socket of sockets) socket.destroy();
  return took;
}

const opened = (port: number, host: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true }, () => resolve(socket));
    socket.on('error', reject);
  });

function talk(socket: Socket, more: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let parts: Buffer = Buffer.alloc(0);
    const send = (): void => {
      const request = more();
      if (request) socket.write(request);
      else resolve();
    };
    socket.on('data', (part) => {
      parts = parts.length === 0 ? part : Buffer.concat([parts, part]);
      const size = sizeOf(parts);
      if (size === undefined || parts.length < size) return;
      if (parts.toString('latin1', 9, 10) !== '2') reject(new Error(parts.toString()));
      parts = Buffer.alloc(0);
      send();
    });
    socket.on('close', () => reject(new Error('the server hung up')));
    send();
  });
}

/** The bytes of an answer with its headers; undefined while these are not all there. */
function sizeOf(answer: Buffer): number | undefined {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, end))?.[1];
  return end + 4 + Number(length);
}
