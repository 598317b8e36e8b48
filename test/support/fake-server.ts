// A server that answers as a test wants it to, or does not: what it hears is kept, and each answer is taken in its turn.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTls, type ServerOptions as TlsOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** How one request is dealt with. */
export type Handler = (heard: ReceivedRequest, response: ServerResponse) => void;

export interface FakeServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** What is done with the next requests, in this order; the last deed is done with all that follow. */
  does(...deeds: readonly Handler[]): void;
  close(): Promise<void>;
}

export async function fakeServer(tls?: TlsOptions): Promise<FakeServer> {
  const requests: ReceivedRequest[] = [];
  let deeds: Handler[] = [];
  const take = (message: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    message.setEncoding('utf8').on('data', (part: string) => (body += part));
    message.on('end', () => {
      const { method = '', url = '', headers } = message;
      const one = { method, url, headers, body };
      requests.push(one);
      const deed = deeds.length > 1 ? deeds.shift() : deeds[0];
      (deed ?? says(500, ''))(one, response);
    });
  };
  const server: Server = tls ? createTls(tls, take) : createServer(take);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    does: (...wanted) => {
      deeds = [...wanted];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const says =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_heard, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

export const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): Handler =>
  says(200, JSON.stringify(value), headers);

/** Breaks the connection before anything is answered. */
export const breaks: Handler = (_heard, response) => void response.socket?.destroy();

/** Promises more than it sends, and breaks the connection. */
export const cuts =
  (text: string): Handler =>
  (_heard, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length + 10) });
    response.write(text, () => response.socket?.destroy());
  };

/** Never answers. */
export const stalls: Handler = () => undefined;

/** Says something that is not HTTP. */
export const garbles: Handler = (_heard, response) => void response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n');

/** Who is asked for at the beginning of every session. */
export const ME = {
  ID: '11111111-1111-4111-8111-111111111111',
  SiteID: '22222222-2222-4222-8222-222222222222',
  UserName: 'ann',
};
