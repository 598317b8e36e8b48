// One worker of pm serve --workers: answers requests until the first process stops it.
import { ServiceError } from '../../contract/errors.ts';
import { batchedLog } from '../../server/access-log.ts';
import { openServer, type Served } from '../../server/index.ts';
import { type LoginLimiter, TooManyLogins } from '../../server/login-limiter.ts';
import { placeOf } from '../backend.ts';
import type { Context } from '../context.ts';
import { sayText } from '../output/printing.ts';
import { openStore } from '../serving.ts';
import type { FromWorker, ToWorker, Wish, WorkerStart } from './messages.ts';

/** Characters of one write to stderr: longer ones of several processes can mix in a pipe. */
const PIECE = 1_000;

/** Serves until the first process stops it, or a signal: `stopped`. */
export async function runWorker(context: Context, stopped: Promise<void>): Promise<number> {
  const wishes = wishesOf();
  const asked = new Promise<void>((resolve) => {
    process.on('message', (message: ToWorker) => message.say === 'stop' && resolve());
  });
  const start = await startMessage();
  const lines = batchedLog((text) => start.quiet || sayText(context.io, text), PIECE);
  try {
    const { served, close } = await openWorker(context, start, wishes, lines.log);
    send({ say: 'serves', url: served.url });
    await Promise.race([asked, stopped]);
    await served.close();
    await close();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    send({ say: 'fails', code: error.code, message: error.message, hint: error.hint });
    return 1;
  } finally {
    lines.flush();
    // Node ends a worker that is cut off from the first process: also where that was killed.
    process.disconnect();
  }
  return 0;
}

const send = (message: FromWorker): void => void process.send?.(message);

const startMessage = (): Promise<WorkerStart> =>
  new Promise((resolve) => {
    process.on('message', (message: ToWorker) => message.say === 'start' && resolve(message.start));
  });

async function openWorker(
  context: Context,
  { place, file, onServer, ...rest }: WorkerStart,
  wishes: Wishes,
  log: (line: string) => void,
): Promise<{ served: Served; close(): Promise<void> }> {
  const clock = (): Date => context.io.now();
  const database = onServer ? placeOf(context).database : undefined;
  const { backend, isReady } = await openStore({ ...place, database, clock }, file, () => wishes.granted(WRITE));
  const served = await openServer({
    ...{ ...rest, backend, isReady, clock, log },
    limiter: sharedLimiter(wishes),
  });
  return { served, close: () => backend.close() };
}

const WRITE: Wish = { kind: 'write' };

/** The first process counts the failures of all workers. */
const sharedLimiter = (wishes: Wishes): LoginLimiter => ({
  guard: (login, address) => async (check) => {
    const end = await wishes.granted({ kind: 'login', login, address });
    let failed = false;
    try {
      return await check();
    } catch (error) {
      failed = error instanceof ServiceError && error.code === 'unauthorized';
      throw error;
    } finally {
      end(failed);
    }
  },
});

interface Wishes {
  /** Resolves when the wish is granted; to be called when that ends. Throws `TooManyLogins`. */
  granted(wish: Wish): Promise<(failed?: boolean) => void>;
}

function wishesOf(): Wishes {
  const waiting = new Map<number, { resolve(): void; reject(error: unknown): void }>();
  let last = 0;
  process.on('message', (message: ToWorker) => {
    if (message.say === 'granted') waiting.get(message.id)?.resolve();
    else if (message.say === 'refused') waiting.get(message.id)?.reject(new TooManyLogins(message.retryAfter));
  });
  return {
    async granted(wish) {
      const id = ++last;
      try {
        await new Promise<void>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          send({ say: 'wishes', id, wish });
        });
      } finally {
        waiting.delete(id);
      }
      return (failed = false) => send({ say: 'ends', id, failed });
    },
  };
}
