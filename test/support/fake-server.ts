// A server whose answers a test defines, one handler for each request; it records the requests.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTls, type ServerOptions as TlsOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (request: ReceivedRequest, response: ServerResponse) => void;

export interface FakeServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Sets the handlers of the next requests; the last one handles all that follow. */
  does(...handlers: readonly Handler[]): void;
  /** The handler of the next request. */
  handler(): Handler;
  close(): Promise<void>;
}

export async function fakeServer(tls?: TlsOptions): Promise<FakeServer> {
  const requests: ReceivedRequest[] = [];
  let handlers: Handler[] = [];
  const take = (message: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    message.setEncoding('utf8').on('data', (part: string) => (body += part));
    message.on('end', () => {
      const { method = '', url = '', headers } = message;
      const one = { method, url, headers, body };
      requests.push(one);
      const handler = handlers.length > 1 ? handlers.shift() : handlers[0];
      (handler ?? says(500, ''))(one, response);
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
      handlers = [...wanted];
    },
    handler: () => handlers[0] ?? says(500, ''),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const says =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

export const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): Handler =>
  says(200, JSON.stringify(value), headers);

/** Closes the connection without an answer. */
export const breaks: Handler = (_request, response) => void response.socket?.destroy();

/** Sends less than its Content-Length, and closes the connection. */
export const cuts =
  (text: string): Handler =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length + 10) });
    response.write(text, () => response.socket?.destroy());
  };

/** Never answers. */
export const stalls: Handler = () => undefined;

/** Answers something that is not HTTP. */
export const garbles: Handler = (_request, response) => void response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n');

/** The answer to GET /me, the first request of every session. */
export const ME = {
  ID: '11111111-1111-4111-8111-111111111111',
  SiteID: '22222222-2222-4222-8222-222222222222',
  UserName: 'ann',
};
