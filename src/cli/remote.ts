// Composes the back end of a remote profile, in the caller's site or another one (D1), and shows its requests.
import { appendFileSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Attempts } from '../client/connection.ts';
import { withFinder } from '../client/finder.ts';
import { type Client, openClient } from '../client/index.ts';
import type { Exchange } from '../client/redact.ts';
import type { Input, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { contract, everyResource, resourceNamed } from '../contract/index.ts';
import { isGuid, sameID } from '../contract/kinds.ts';
import { addressOf, isParam, type Operation, type Route, routeName } from '../contract/operation.ts';
import { paramsOf } from '../contract/params.ts';
import { beginOutput, isStream } from '../files/output.ts';
import { sanitiseLines } from '../text/escape.ts';
import { whyUnreadable } from '../text/system-code.ts';
import { textKey } from '../text/text-key.ts';
import { barStream, drawOnLastLine, isDrawing, say } from './output/printing.ts';
import { redraws } from './output/progress.ts';
import { credentialFor, type Remote } from './profiles/profiles.ts';
import type { Settings } from './settings.ts';
import type { Streams } from './streams.ts';

/** The client of a profile's service; nothing is sent yet. */
export function clientOf(remote: Remote, settings: Settings, io: Streams): Client {
  const isDrawn = redraws(io) && settings.progress;
  // A long pause is announced once, also where others begin in it.
  let silentUntil = isDrawn || settings.quiet ? Number.POSITIVE_INFINITY : 0;
  return openClient({
    url: remote.url,
    profile: remote.name,
    wire: settings.wire ?? remote.wire ?? 'json',
    allowHttp: remote.allowHttp,
    ca: remote.caFile === undefined ? undefined : certificates(remote.caFile, io),
    proxies: proxiesIn(io),
    namespace: remote.namespace,
    routes: remote.routes,
    timeout: settings.timeout,
    retries: settings.retries,
    concurrency: settings.concurrency,
    dropUnknown: settings.dropUnknown,
    rate: settings.rate,
    newID: () => crypto.randomUUID(),
    random: Math.random,
    pause: (milliseconds) => {
      if (milliseconds > LONG_MS && Date.now() >= silentUntil) {
        say(io, `Waiting ${Math.ceil(milliseconds / SECOND_MS)} s before ${remote.url} is asked again.`);
        silentUntil = Date.now() + milliseconds;
      }
      return new Promise((wake) => setTimeout(wake, milliseconds));
    },
    now: () => Date.now(),
    watch: isDrawn ? waitingLine(io, CLOCK) : undefined,
    onExchange: observerFor(settings, io),
  });
}

const CLOCK = {
  now: () => Date.now(),
  /** Calls back again and again after so many milliseconds; answers what stops it. */
  every: (milliseconds: number, work: () => void) => {
    const timer = setInterval(work, milliseconds).unref();
    return () => clearInterval(timer);
  },
};

export async function sessionOf(client: Client, remote: Remote, settings: Settings, io: Streams): Promise<Session> {
  const session = await client.open(credentialFor(remote, settings.as, io));
  return settings.site === undefined ? session : inSite(session, settings.site, remote.routes);
}

function certificates(file: string, { cwd }: Streams): string {
  try {
    const text = readFileSync(resolve(cwd, file), 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (error) {
    throw new ServiceError('usage', `the file of authorities ${file} cannot be read: ${whyUnreadable(error)}`, {
      cause: error,
    });
  }
  throw new ServiceError('usage', `the file of authorities ${file} holds no certificate`, {
    hint: 'It must be in PEM, with lines that say BEGIN CERTIFICATE.',
  });
}

/** The usual proxy variables; lower case wins. Throws `usage` for one that names no proxy. */
const proxiesIn = ({ env }: Streams) => ({
  https: proxyIn(env, 'https_proxy'),
  http: proxyIn(env, 'http_proxy'),
  no: env.no_proxy ?? env.NO_PROXY,
});

/** Without a scheme it is one of HTTP, as for other programs. */
function proxyIn(env: Streams['env'], name: string): string | undefined {
  const variable = env[name] === undefined ? name.toUpperCase() : name;
  const text = env[variable]?.trim();
  if (!text) return text;
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // A path, which some write behind it, means nothing.
  if (url && /^https?:$/.test(url.protocol)) return new URL('/', url).href;
  throw new ServiceError('usage', `${variable} is not the address of an http or https proxy`, {
    hint: `Write ${variable}=http://proxy.example.org:8080`,
  });
}

/** A session in the site with this ID or name. Throws `not_found`. */
async function inSite(session: Session, text: string, routes: Remote['routes'] = {}): Promise<Session> {
  const site = await findSite(session, text);
  if (sameID(site, session.me.site)) return session;
  return withFinder({
    ...session,
    me: { ...session.me, site },
    call: async (operation, input = {}) => session.call(operation, withSite(operation, input, site, routes)),
    list: (operation, input = {}, want = {}) => session.list(operation, withSite(operation, input, site, routes), want),
  });
}

async function findSite(session: Session, text: string): Promise<string> {
  if (isGuid(text)) return text.toLowerCase();
  const { list } = contract.site.operations;
  for await (const row of session.list(list)) {
    if (textKey(String(row.Name)) === textKey(text)) return String(row.ID).toLowerCase();
  }
  throw new ServiceError('not_found', `there is no site "${text}"`, {
    hint: 'pm sites list shows the sites you can name.',
  });
}

/** The input at an address that names the site. Throws `usage` if none does. */
function withSite(operation: Operation, input: Input, site: string, own: NonNullable<Remote['routes']>): Input {
  if (operation.resource === 'site') return input;
  const by = routeName(operation, input.by);
  const route = operation.routes[by];
  if (/\{siteid\}/i.test(own[`${operation.resource}.${operation.name}.${by}`] ?? '')) return { ...input, site };
  if (!route || namesSite(operation, route)) return input;
  const twin = { plain: 'site', organizations: 'siteOrganizations' }[by] ?? '';
  const below = operation.routes[twin];
  const [name] = below && isListBelowSite(operation, route, below) ? addressOf(below).params : [];
  if (name !== undefined) return { ...input, by: twin, params: { [name]: site } };
  const query = addressOf(route).query.find((one) => one.toLowerCase() === 'siteid');
  if (query) return { ...input, query: { ...input.query, [query]: site } };
  const { command } = resourceNamed(operation.resource);
  throw new ServiceError('usage', `${command} ${operation.name} has no address that names a site on a remote service`, {
    hint: 'Leave --site out, or log in as somebody of that site.',
  });
}

const namesSite = (operation: Operation, route: Route): boolean =>
  paramsOf(everyResource, resourceNamed(operation.resource), operation.many, addressOf(route)).some(
    ({ target, own }) => target === 'site' || (own && operation.resource === 'siteSetting'),
  );

const isListBelowSite = (operation: Operation, plain: Route, one: Route): boolean =>
  !addressOf(plain).segments.some(isParam) && addressOf(one).params.length === 1 && namesSite(operation, one);

/** The observer of requests; undefined without --trace and --curl. Throws `usage` for a file that cannot be written. */
function observerFor(settings: Settings, io: Streams): ((exchange: Exchange) => void) | undefined {
  const { trace, curl } = settings;
  if (trace === undefined && !curl) return undefined;
  const file = trace === undefined ? undefined : openTrace(trace, settings, io);
  let last = '';
  return (exchange) => {
    if (file !== undefined) appendFileSync(file, traceOf(exchange));
    const line = curl ? curlOf(exchange) : last;
    if (line !== last) say(io, line);
    last = line;
  };
}

/** A command may open several clients; each appends to the same file. */
const TRACED = new WeakSet<Streams>();

function openTrace(file: string, { overwrite }: Settings, io: Streams): string {
  const path = resolve(io.cwd, file);
  if (!isStream(path) && !TRACED.has(io)) beginOutput({ name: `--trace ${file}`, path, overwrite });
  TRACED.add(io);
  return path;
}

/** One attempt in lines: `>` for the request, `<` for the answer. */
function traceOf(exchange: Exchange): string {
  const { method, url, login, headers, body, status, failure, milliseconds, answerHeaders, answer } = exchange;
  const lines = [
    `> ${method} ${url}${login === undefined ? '' : ` (as ${login})`}`,
    ...Object.entries(headers).map(([name, value]) => `> ${name}: ${value}`),
    ...(body === undefined ? [] : ['>', `> ${body}`]),
    `< ${status ?? `no answer: ${failure}`} (${milliseconds} ms)`,
    ...Object.entries(answerHeaders).map(([name, value]) => `< ${name}: ${value}`),
    ...(answer === undefined || answer === '' ? [] : ['<', `< ${answer}`]),
  ];
  return `${lines.map(sanitiseLines).join('\n')}\n\n`;
}

/** The same request as a curl command; the secret is the variable PM_PASSWORD. */
function curlOf({ method, url, login, headers, body }: Exchange): string {
  const parts = [
    'curl -sS',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(login === undefined ? [] : [`-u ${quoted(`${login}:`)}"$PM_PASSWORD"`]),
    ...Object.entries(headers)
      .filter(([name]) => name !== 'accept-encoding')
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(body)}`]),
    quoted(url),
  ];
  return parts.join(' ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

interface Waiting {
  readonly origin: string;
  readonly since: number;
  readonly most: number;
  tried: number;
}

const SECOND_MS = 1000;
const LONG_MS = 3 * SECOND_MS;
const CLEAR = '\r\u001b[K';

/** Watches requests. After a second without an answer the line shows the oldest one; it is cleared when that has ended. */
export function waitingLine(io: Streams, { now, every }: typeof CLOCK): (origin: string, most: number) => Attempts {
  const waiting = new Set<Waiting>();
  let release: (() => void) | undefined;
  let stop: (() => void) | undefined;
  const write = (text: string): void => void barStream(io).write(`${CLEAR}${text}`);
  const clear = (): void => {
    if (release) write('');
    release?.();
    release = undefined;
  };
  const show = (): void => {
    const [oldest] = waiting;
    if (!oldest || (isDrawing(io) && !release)) return;
    const seconds = Math.floor((now() - oldest.since) / SECOND_MS);
    clear();
    if (seconds < 1) return;
    release = drawOnLastLine(io, clear);
    write(lineOf(oldest, seconds).slice(0, io.columns - 1));
  };
  return (origin, most) => {
    const one: Waiting = { origin, since: now(), most, tried: 0 };
    waiting.add(one);
    stop ??= every(SECOND_MS, show);
    return {
      begin: () => void one.tried++,
      end: () => {
        if ([...waiting][0] === one) clear();
        waiting.delete(one);
        if (waiting.size > 0) return;
        stop?.();
        stop = undefined;
      },
    };
  };
}

const lineOf = ({ origin, tried, most }: Waiting, seconds: number): string =>
  `waiting for ${origin} ${seconds} s (try ${tried} of ${most})`;
