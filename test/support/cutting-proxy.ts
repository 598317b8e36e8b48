// A proxy in front of a database server that cuts connections where a test says: before a statement reaches the server, or
// before its answer comes back.
import { createServer, type Server, Socket } from 'node:net';

/** `lost`: the statement never arrives. `unanswered`: it arrives, and its answer does not. `abandoned`: it arrives, nobody waits. */
export type Cut = 'lost' | 'unanswered' | 'abandoned';

export interface CuttingProxy {
  /** The same database behind the proxy. */
  address(of: string): string;
  /** Cuts the next connection on which a statement with this text is sent; where `for good`, no other one is taken. */
  cutAt(text: string, cut: Cut, isLast?: 'for good'): void;
  end(): Promise<void>;
}

export async function cuttingProxy(port: number): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  let wanted: { readonly text: string; readonly cut: Cut; readonly isLast: boolean } | undefined;
  let isRefused = false;
  const server = createServer((client) => {
    if (isRefused) return void client.destroy();
    const upstream = new Socket().connect(port, '127.0.0.1');
    let cut: Cut | undefined;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
      open.delete(client);
    };
    open.add(client);
    client.on('data', (data) => {
      if (wanted && data.includes(wanted.text)) {
        cut = wanted.cut;
        isRefused = wanted.isLast;
        wanted = undefined;
      }
      if (cut === 'lost') end();
      else upstream.write(data);
      if (cut === 'abandoned') client.destroy();
    });
    upstream.on('data', (data) => {
      if (cut === 'unanswered') end();
      else if (cut === undefined) client.write(data);
    });
    for (const one of [client, upstream]) one.on('error', end);
    upstream.on('close', end);
    // The server, which is not told, goes on.
    client.on('close', () => (cut === 'abandoned' ? upstream.end() : end()));
  });
  const own = await listening(server);
  return {
    address: (of) => of.replace(`:${port}/`, `:${own}/`),
    cutAt(text, cut, isLast) {
      wanted = { text, cut, isLast: isLast !== undefined };
    },
    end: () =>
      new Promise((resolve) => {
        for (const client of open) client.destroy();
        server.close(() => resolve());
      }),
  };
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
