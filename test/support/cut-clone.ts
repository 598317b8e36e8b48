// A clone that is ended behind so many writes, as by the death of its process.
import { destinationAt, openSource, sideNamed, TABLES } from '../../src/cli/backup/sides.ts';
import type { Streams } from '../../src/cli/streams.ts';
import { clone, countTables } from '../../src/engine/store/clone/clone.ts';
import type { Compared } from '../../src/engine/store/clone/compare.ts';
import type { Destination, Source, Watch } from '../../src/engine/store/clone/sides.ts';
import { copiedTables } from '../../src/engine/store/clone/tables.ts';
import { streams } from '../cli/output-printed.ts';
import { Died } from './mortal.ts';

export const ALL_TABLES = copiedTables(TABLES.resources, TABLES.computed);

interface Cut {
  readonly from: string;
  readonly to: string;
  /** The folder of pm's own file. */
  readonly home: string;
  /** Behind so many writes, or in front of the next one; `all`: in front of the last step, which takes the mark away. */
  readonly writes?: number | 'all';
  /** Called when a part of the work begins; the source is read again when it has ended. */
  readonly onPart?: (title: string, source: Source) => Promise<void> | void;
}

/** Answers how the tables compare; undefined where the clone died before. */
export async function cutClone({ from, to, home, writes, onPart }: Cut): Promise<readonly Compared[] | undefined> {
  const io: Streams = { ...streams(), env: { PM_HOME: home, USER: 'admin' }, cwd: home };
  const source = await openSource(sideNamed(from, 'source', io), io);
  const whole = destinationAt(sideNamed(to, 'target', io), io);
  const destination = writes === undefined ? whole : mortal(whole, writes);
  const origin = {
    source: sideNamed(from, 'source', io).command,
    target: whole.place,
    state: source.state,
    by: 'backup',
  } as const;
  const parts: (Promise<void> | void)[] = [];
  const watch: Watch = { begin: (title) => void parts.push(onPart?.(title, source)), done: () => {} };
  const read: Source['read'] = async (steps) => {
    await Promise.all(parts);
    return await source.read(steps);
  };
  try {
    const counted = await countTables(source, ALL_TABLES);
    return await clone({ source: { ...source, read }, origin, destination, tables: ALL_TABLES, watch }, counted);
  } catch (error) {
    if (error instanceof Died) return undefined;
    throw error;
  } finally {
    await Promise.all(parts);
    await source.close();
  }
}

function mortal(destination: Destination, writes: number | 'all'): Destination {
  let left = writes === 'all' ? Number.POSITIVE_INFINITY : writes;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left-- <= 0) throw new Died();
    const answer = await work();
    if (left-- <= 0) throw new Died();
    return answer;
  };
  return {
    ...destination,
    async open(begin) {
      const target = await destination.open(begin);
      const unmark = (): Promise<void> => {
        if (writes === 'all') left = 0;
        return step(target.unmark);
      };
      return { ...target, write: (steps) => step(() => target.write(steps)), unmark };
    },
  };
}
