// A proxy in front of an endpoint that answers as other services do: what is done is done, and something else is said of it.
import { Agent, createServer, request, type Server } from 'node:http';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is said instead; `turn` counts the requests that write. */
export type Says = (method: string, path: string, answer: Answer, turn: number) => Partial<Answer>;

const idIn = ({ body }: Answer): string => String((JSON.parse(body || '{}') as { ID?: unknown }).ID ?? '');
const isNew = (method: string, { status }: Answer): boolean => method === 'POST' && status < 300;

export const ANSWERS: Readonly<Record<string, Says>> = {
  'answers null for what is not there': (method, _, { status }) =>
    method === 'GET' && status === 404 ? { status: 200, body: 'null' } : {},
  'says nothing of a new record': (method, _, answer) => (isNew(method, answer) ? { status: 204, body: '' } : {}),
  'says the ID of a new record in Location alone': (method, path, answer) =>
    isNew(method, answer) ? { body: '', headers: { location: `${path}/${idIn(answer)}` } } : {},
  'answers an update with nothing': (method) => (method === 'PUT' ? { body: '' } : {}),
  'answers 503 to each fifth change, which it has made': (method, _, { status }, turn) =>
    method !== 'GET' && status < 300 && turn % 5 === 0 ? { status: 503, body: '' } : {},
  'answers 302 to each fifth change, which it has made': (method, _, { status }, turn) =>
    method !== 'GET' && status < 300 && turn % 5 === 0
      ? { status: 302, body: '', headers: { location: '/v4/me' } }
      : {},
};

/** Opens the proxy on this machine. */
export function answering(url: string, says: Says): Promise<Server> {
  const agent = new Agent({ keepAlive: true });
  const { host, hostname, port } = new URL(url);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path = '' } = incoming;
    if (method !== 'GET') turn++;
    const mine = turn;
    const sent = request(
      { agent, hostname, port, method, path, headers: { ...incoming.headers, host } },
      async (answer) => {
        const parts: Buffer[] = [];
        for await (const part of answer) parts.push(part as Buffer);
        const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers as Record<string, string>;
        const real = { status: answer.statusCode ?? 0, headers, body: Buffer.concat(parts).toString() };
        const said = { ...real, ...says(method, path, real, mine) };
        outgoing
          .writeHead(said.status, { ...headers, ...said.headers })
          .end(said.status === 204 ? undefined : said.body);
      },
    );
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  server.on('close', () => agent.destroy());
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
