// A service that is reached by a proxy: it sees where to, and nothing of what is said.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createNet } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificates } from '../support/certificates.ts';
import { json, ME } from '../support/fake-server.ts';
import { refuses } from '../support/refuses.ts';
import { aClient, aServer, CREDENTIAL } from './client-session.ts';

const { authority, wrongName, good } = makeCertificates();
/** The name that the certificate `wrongName` is for; only the proxy knows the way there. */
const URL_BEHIND = 'https://elsewhere.example';

/** A proxy that connects to this port, and records the targets and all data. */
async function aProxy(port: number) {
  const wanted: (string | undefined)[] = [];
  let said = '';
  const server: Server = createServer();
  server.on('connect', (request, socket) => {
    wanted.push(request.url);
    said += JSON.stringify(request.headers);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    socket.on('data', (part: Buffer) => (said += part.toString('latin1')));
    for (const end of [socket, onward]) end.on('error', () => undefined);
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, wanted, said: () => said };
}

it('a service is asked by the proxy that HTTPS_PROXY names, which cannot read along', async () => {
  const service = await aServer(wrongName);
  const proxy = await aProxy(service.port);
  service.does(json(ME));
  const { client } = aClient(URL_BEHIND, { ca: authority, proxies: { https: proxy.url } });
  expect((await client.open(CREDENTIAL)).me.userName).toBe('ann');
  expect(proxy.wanted).toEqual(['elsewhere.example:443']);
  expect(service.requests[0]?.headers.authorization).toMatch(/^Basic /);
  expect(proxy.said()).not.toMatch(/authorization|Canary/i);
  await client.close();
});

it('a service behind a proxy must have the certificate of its own name', async () => {
  const service = await aServer(good);
  const proxy = await aProxy(service.port);
  const { client } = aClient(URL_BEHIND, { ca: authority, proxies: { https: proxy.url }, retries: 0 });
  await refuses(client.open(CREDENTIAL)).with('unreachable', 'for another name');
  expect(service.requests).toEqual([]);
  await client.close();
});

it.each(['https', 'http'] as const)(
  'a proxy that takes %s connections and hangs up is told, and dialled once for each try',
  async (scheme) => {
    let dialled = 0;
    const server = createNet((socket) => {
      dialled++;
      socket.on('error', () => undefined).once('data', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { client } = aClient(`${scheme}://elsewhere.example`, {
      ...{ ca: authority, proxies: { [scheme]: proxy }, allowHttp: true, retries: 1 },
    });
    await refuses(client.open(CREDENTIAL)).with('unreachable', 'the proxy hangs up');
    expect(dialled).toBe(2);
    await client.close();
  },
);
