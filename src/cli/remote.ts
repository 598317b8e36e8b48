// Composes the back end of a remote profile: here alone the client is put together.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Client, openClient } from '../client/index.ts';
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { credentialFor } from './profiles/credentials.ts';
import type { Remote } from './profiles/profiles.ts';
import type { Settings } from './settings.ts';
import { inSite } from './site-address.ts';
import type { Streams } from './streams.ts';
import { observerFor } from './tracing.ts';

/** The client of a profile's service; nothing is sent yet. */
export function clientOf(remote: Remote, settings: Settings, io: Streams): Client {
  return openClient({
    url: remote.url,
    profile: remote.name,
    wire: settings.wire ?? remote.wire ?? 'json',
    allowHttp: remote.allowHttp,
    ca: remote.caFile === undefined ? undefined : authorities(remote.caFile, io),
    proxies: proxiesIn(io),
    namespace: remote.namespace,
    routes: remote.routes,
    timeout: settings.timeout,
    retries: settings.retries,
    concurrency: settings.concurrency,
    rate: settings.rate,
    newID: () => crypto.randomUUID(),
    random: Math.random,
    pause: (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds)),
    now: () => Date.now(),
    note: (text) => void (settings.quiet || io.stderr.write(`${text}\n`)),
    onExchange: observerFor(settings, io),
  });
}

/** Begins to speak to it as whom the settings say, in the site they say. */
export async function sessionOf(client: Client, remote: Remote, settings: Settings, io: Streams): Promise<Session> {
  const session = await client.open(credentialFor(remote, settings.as, io));
  return settings.site === undefined ? session : inSite(session, settings.site);
}

function authorities(file: string, { cwd }: Streams): string {
  try {
    const text = readFileSync(resolve(cwd, file), 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ServiceError('usage', `the file of authorities ${file} cannot be read: ${code}`, { cause: error });
  }
  throw new ServiceError('usage', `the file of authorities ${file} holds no certificate`, {
    hint: 'It must be in PEM, with lines that say BEGIN CERTIFICATE.',
  });
}

/** The usual variables, in lower case before upper case. */
const proxiesIn = ({ env }: Streams) => ({
  https: env.https_proxy ?? env.HTTPS_PROXY,
  http: env.http_proxy ?? env.HTTP_PROXY,
  no: env.no_proxy ?? env.NO_PROXY,
});
