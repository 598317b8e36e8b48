// The first process of pm serve --workers: starts the workers, replaces one that dies, and stops them.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ServiceError } from '../../contract/errors.ts';
import type { Log } from '../../server/access-log.ts';
import { SERVER_LIMITS } from '../../server/http-server.ts';
import type { Served } from '../../server/index.ts';
import { type LoginLimiter, loginLimiter } from '../../server/login-limiter.ts';
import { grantsOf, type InTurn, inTurn } from './grants.ts';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';

export interface Workers {
  readonly count: number;
  readonly start: WorkerStart;
  readonly clock: () => Date;
  readonly log: Log;
}

/** What all workers share. */
interface Shared extends Workers {
  readonly limiter: LoginLimiter;
  readonly write: InTurn;
}

/** A worker that ends before it serves is replaced after so many milliseconds. */
const PAUSE_MS = 1_000;

/** Starts them all. Throws what the first of them throws that cannot serve. */
export async function startWorkers(workers: Workers): Promise<Served> {
  const { host, port } = workers.start;
  const start = { ...workers.start, port: port === 0 ? await freePort(host) : port };
  const limiter = loginLimiter(workers.clock, SERVER_LIMITS);
  const shared: Shared = { ...workers, start, limiter, write: inTurn() };
  const running = new Set<Started>();
  let isStopping = false;
  const add = (): Promise<string> => {
    const started = startWorker(shared);
    running.add(started);
    void started.ended.then(async ({ reason, hasServed }) => {
      running.delete(started);
      if (isStopping) return;
      logEnd(shared, started.pid, reason);
      if (!hasServed) await pause();
      // What it cannot do is in the log already, and is tried again.
      if (!isStopping) await add().catch(() => undefined);
    });
    return started.serves;
  };
  const close = async (): Promise<void> => {
    isStopping = true;
    for (const { stop } of running) stop();
    await Promise.all([...running].map(({ ended }) => ended));
  };
  try {
    const [url = ''] = await Promise.all(Array.from({ length: workers.count }, add));
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Ended {
  readonly reason: string;
  readonly hasServed: boolean;
}

interface Started {
  readonly pid: number | undefined;
  /** Its address. Throws where it ends before. */
  readonly serves: Promise<string>;
  readonly ended: Promise<Ended>;
  stop(): void;
}

function startWorker({ start, limiter, write }: Shared): Started {
  const worker = cluster.fork();
  const send = (message: ToWorker): void => {
    if (worker.isConnected()) worker.send(message, () => undefined);
  };
  const grants = grantsOf(limiter, write, send);
  let hasServed = false;
  const serves = new Promise<string>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.say === 'serves') {
        hasServed = true;
        resolve(message.url);
      } else if (message.say === 'fails') reject(failureOf(message));
      else grants.take(message);
    });
    worker.on('exit', () => reject(new ServiceError('internal', 'a worker ended before it served')));
  });
  const ended = endOf(worker).then((reason) => {
    grants.end();
    return { reason, hasServed };
  });
  send({ say: 'start', start });
  return { pid: worker.process.pid, serves, ended, stop: () => send({ say: 'stop' }) };
}

async function endOf(worker: Worker): Promise<string> {
  const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null];
  return signal ?? `exit ${code}`;
}

const failureOf = ({ code, message, hint }: Extract<FromWorker, { say: 'fails' }>): ServiceError =>
  new ServiceError(code, message, hint === undefined ? {} : { hint });

const logEnd = ({ log, clock }: Shared, worker: number | undefined, ended: string): void =>
  log(JSON.stringify({ time: clock().toISOString(), worker, ended }));

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** All workers listen on one port, also one that replaces the last: it is chosen once. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen({ host, port: 0 });
  try {
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  } catch {
    // The workers say what is wrong with the address.
    return 0;
  } finally {
    server.close();
  }
}
