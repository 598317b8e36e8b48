// pm serve: answers the v4 interface over HTTP from the local database, or from a throw-away sample.
import cluster from 'node:cluster';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ServiceError } from '../../contract/errors.ts';
import type { Log } from '../../server/access-log.ts';
import type { Served } from '../../server/index.ts';
import { defined } from '../../text/defined.ts';
import { minPasswordOf, type Place, placeOf } from '../backend.ts';
import { actionOf, collectValues, type Run, reading } from '../command.ts';
import { type Context, newSiteNote } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { readBytes } from '../input/files.ts';
import { inShell, shellOf } from '../output/calling.ts';
import { print, sayText } from '../output/printing.ts';
import { openServing, type Sample, type Serving, smallSample } from '../serving.ts';
import { whole } from '../whole-number.ts';

interface Options extends GlobalValues {
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
  readonly workers?: number;
  readonly drain: number;
}

export function build(run: Run): Command {
  return reading('serve', 'Answer the v4 interface over HTTP (pm help serve).')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <n>', 'the port; 0 takes a free one', wholeFrom('--port', 0, 65_535), 7470)
    .option('--tls-cert <file>', 'the certificate of TLS, as PEM')
    .option('--tls-key <file>', 'its key, as PEM')
    .option('--allow-http', 'go without TLS on another address than this machine’s own')
    .option('--allow-host <name>', 'a name by which it may be called, besides localhost; repeatable', collectValues)
    .option('--trust-proxy <cidr>', 'believe proxies at these addresses whom they ask for; repeatable', collectValues)
    .option('--namespace <uri>', 'the XML namespace of bodies and answers; without it our own', namespaceOf)
    .option('--min-password <n>', 'the fewest characters of a new password (12)')
    .option(
      '--workers <n>',
      'answer with so many processes, such as one for each core (pm help serve)',
      wholeFrom('--workers', 1, 64),
    )
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

/** Is this process a worker that another one has started? */
function isWorker(): boolean {
  // Each worker takes its connections itself: what another process hands to one that dies would hang. Node reads it when
  // the module is loaded, which is now.
  process.env.NODE_CLUSTER_SCHED_POLICY ??= 'none';
  return cluster.isWorker;
}

function namespaceOf(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:[^\s<>"]+$/i.test(text)) return text;
  throw new InvalidArgumentError('It must be an absolute URI, such as urn:example:v4.');
}

async function serve(context: Context, options: Options): Promise<number> {
  const stopped = whenStopped(context);
  if (isWorker()) return (await import('../workers/worker.ts')).runWorker(context, stopped);
  const tls = await tlsOf(context, options);
  const sample = options.sample === undefined ? undefined : await makeSample(context);
  try {
    const place = placeFor(context, options, sample);
    const serving = await openServing(place);
    try {
      if (serving.created && !sample) context.note(newSiteNote(serving.place, placeOf(context).owner));
      const user = sample?.user ?? (await findUser(serving));
      const { batchedLog } = await import('../../server/access-log.ts');
      const lines = batchedLog((text) => context.settings.quiet || sayText(context.io, text));
      const served = await startServing(context, { options, place, serving, log: lines.log, tls });
      printAddress(context, served, user, sample, options.tlsCert);
      await stopped;
      context.note('Stopping: what is in flight is finished first.');
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

type TlsFiles = Awaited<ReturnType<typeof tlsOf>>;

async function tlsOf(context: Context, { tlsCert, tlsKey }: Options) {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new ServiceError('usage', `--tls-cert and --tls-key are needed together`);
  const [cert, key] = [await readBytes(context, '--tls-cert', tlsCert), await readBytes(context, '--tls-key', tlsKey)];
  return { cert, key };
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

interface ToServe {
  readonly options: Options;
  readonly place: Place;
  readonly serving: Serving;
  readonly log: Log;
  readonly tls: TlsFiles;
}

/** Begins to serve, in this process or in workers. */
async function startServing(
  { io, settings }: Context,
  { options, place, serving, log, tls }: ToServe,
): Promise<Served> {
  const { backend, isReady, place: file } = serving;
  const {
    host,
    port,
    allowHttp = false,
    allowHost: allowHosts = [],
    trustProxy = [],
    namespace,
    workers = 1,
    drain,
  } = options;
  const clock = (): Date => io.now();
  const shared = {
    ...{ host, port, allowHttp, allowHosts, trustProxy, drainMs: drain * 1_000 },
    ...defined<{ namespace?: string }>({ namespace }),
  };
  if (workers === 1) {
    const { openServer } = await import('../../server/index.ts');
    return openServer({ ...shared, backend, isReady, clock, log, ...(tls ? { tls } : {}) });
  }
  const { startWorkers } = await import('../workers/first-process.ts');
  const { home, owner, minPassword, database } = place;
  const start = {
    ...{
      ...shared,
      file,
      quiet: settings.quiet,
      place: { home, owner, minPassword },
      onServer: database !== undefined,
    },
    ...(tls ? { tls: { cert: tls.cert.toString(), key: tls.key.toString() } } : {}),
  };
  return startWorkers({ count: workers, start, clock, log });
}

function printAddress({ io }: Context, served: Served, user: string, sample: Sample | undefined, cert?: string): void {
  const url = served.url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//127.0.0.1:');
  const quoted = (word: string): string => inShell(word, shellOf(io.env));
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
