// Threads beside the program: which file each runs, and how much memory it may take.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';

/**
 * Only the code of a thread lives long; rows that it hands over are gone at once. The limit is far above all that: at it the
 * program would end with the thread.
 */
const LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/**
 * Starts a thread; `data` is its `workerData`. Undefined if the system gives none, and where the program was not built: the
 * sources use the built thread.
 */
export function startThread(name: 'csv-thread' | 'checkpoint-thread', data?: unknown): Worker | undefined {
  const file = ['.', '../../dist'].map((folder) => join(import.meta.dirname, folder, `${name}.js`)).find(existsSync);
  try {
    return file === undefined ? undefined : new Worker(file, { workerData: data, resourceLimits: LIMITS });
  } catch {
    return undefined;
  }
}
