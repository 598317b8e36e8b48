// pm serve: answers the v4 interface over HTTP from the local database, or from a throw-away sample.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import type { Served, ServerOptions } from '../../server/index.ts';
import { defined } from '../../text/defined.ts';
import { minPasswordOf, type Place, placeOf } from '../backend.ts';
import { actionOf, collectValues, type Run, reading } from '../command.ts';
import { type Context, newSiteNote } from '../context.ts';
import { readBytes } from '../input/files.ts';
import { asTyped } from '../output/calling.ts';
import { print, sayText } from '../output/printing.ts';
import { openServing, type Sample, type Serving, smallSample } from '../serving.ts';
import { whole } from '../whole-number.ts';

interface Options {
  readonly host: string;
  readonly port: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly allowHttp?: boolean;
  readonly allowHost?: readonly string[];
  readonly trustProxy?: readonly string[];
  readonly namespace?: string;
  readonly sample?: 'small';
  readonly minPassword?: string;
  readonly drain: number;
}

export function build(run: Run): Command {
  return reading('serve', 'Answer the v4 interface over HTTP (pm help serve).')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <n>', 'the port; 0 takes a free one', wholeFrom('--port', 0, 65_535), 7470)
    .option('--tls-cert <file>', 'the certificate of TLS, as PEM')
    .option('--tls-key <file>', 'its key, as PEM')
    .option('--allow-http', 'listen without TLS where other machines can reach it')
    .option('--allow-host <name>', 'a name by which it may be called, besides localhost; repeatable', collectValues)
    .option('--trust-proxy <cidr>', 'trust proxies at these addresses to name the client; repeatable', collectValues)
    .option('--namespace <uri>', 'the XML namespace of bodies and answers; without it our own', namespaceOf)
    .option('--min-password <n>', 'the fewest characters of a new password (12)')
    .addOption(new Option('--sample <size>', 'serve a throw-away site with a sample').choices(['small']))
    .option(
      '--drain <seconds>',
      'how long /readyz says 503 before it ends (pm help serve)',
      wholeFrom('--drain', 0, 600),
      0,
    )
    .action(actionOf(run, serve));
}

const wholeFrom =
  (flag: string, least: number, most: number) =>
  (text: string): number =>
    whole(flag, text, [least, most]);

function namespaceOf(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:[^\s<>"]+$/i.test(text)) return text;
  throw new InvalidArgumentError('It must be an absolute URI, such as urn:example:v4.');
}

async function serve(context: Context, options: Options): Promise<number> {
  const stopped = whenStopped(context);
  const tls = await tlsOf(context, options);
  const sample = options.sample === undefined ? undefined : await makeSample(context);
  try {
    const serving = await openServing(placeFor(context, options, sample));
    try {
      if (serving.created && !sample) context.note(newSiteNote(serving.place, placeOf(context).owner));
      const user = sample?.user ?? (await findUser(serving));
      const { batchedLog } = await import('../../server/access-log.ts');
      const lines = batchedLog((text) => context.settings.quiet || sayText(context.io, text));
      const served = await startServing(context, options, serving, { log: lines.log, ...tls });
      printAddress(context, served, user, sample, options.tlsCert);
      await stopped;
      context.note('Stopping: pm finishes the running requests first.');
      await served.close();
      lines.flush();
    } finally {
      await serving.close();
    }
  } finally {
    sample?.end();
  }
  return 0;
}

/** Listens before anything is made that has to be cleared away. */
function whenStopped({ io }: Context): Promise<void> {
  const { stopped } = io;
  return new Promise((resolve) => {
    if (stopped?.aborted) resolve();
    else stopped?.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function tlsOf(context: Context, { tlsCert, tlsKey }: Options): Promise<Pick<ServerOptions, 'tls'>> {
  if (tlsCert === undefined && tlsKey === undefined) return {};
  if (tlsCert === undefined || tlsKey === undefined)
    throw new ServiceError('usage', `--tls-cert and --tls-key are needed together`);
  const [cert, key] = [await readBytes(context, '--tls-cert', tlsCert), await readBytes(context, '--tls-key', tlsKey)];
  return { tls: { cert, key } };
}

/** The flag wins over the variable. */
function placeFor(context: Context, { minPassword }: Options, sample: Sample | undefined): Place {
  const place = placeOf(context);
  return {
    ...place,
    ...(sample && { ...sample.place, database: undefined }),
    minPassword: minPasswordOf(minPassword, '--min-password') ?? place.minPassword,
  };
}

async function makeSample(context: Context): Promise<Sample> {
  context.note('Making a throw-away site with a sample company …');
  return smallSample(() => context.io.now());
}

async function findUser(serving: Serving): Promise<string> {
  const user = await serving.loginUser();
  if (user !== undefined) return user;
  throw new ServiceError(
    'unauthorized',
    `nobody can log in: no individual in ${serving.place} has a password or a token`,
    {
      hint: 'Set one: pm passwd <user>. To look around first: pm serve --sample small',
    },
  );
}

async function startServing(
  { io }: Context,
  { host, port, allowHttp = false, allowHost = [], trustProxy = [], namespace, drain }: Options,
  { backend, isReady }: Serving,
  more: Pick<ServerOptions, 'log' | 'tls'>,
): Promise<Served> {
  const { openServer } = await import('../../server/index.ts');
  return openServer({
    host,
    port,
    allowHttp,
    trustProxy,
    backend,
    isReady,
    allowHosts: allowHost,
    drainMs: drain * 1_000,
    clock: () => io.now(),
    ...defined<{ namespace?: string }>({ namespace }),
    ...more,
  });
}

function printAddress({ io }: Context, served: Served, user: string, sample: Sample | undefined, cert?: string): void {
  const url = served.url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//127.0.0.1:');
  const quoted = (word: string): string => asTyped(word, io);
  // Without its password curl asks for it.
  const login = sample ? `${user}:${sample.password}` : user;
  const trust = cert === undefined ? '' : ` --cacert ${quoted(cert)}`;
  const lines = [
    `Serving ${served.url}  (the service is below /v4, its description at /docs)`,
    ...(sample ? [`User: ${sample.user}`, `Password: ${sample.password}`] : []),
    `curl${trust} -u ${quoted(login)} ${quoted(`${url}/v4/me`)}`,
  ];
  print(io, lines);
}
