// Where the fault tests stand: sites of their own, files of colors to import, and a look past the program at what is there.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { planner } from '../../src/changes/plan/planner.ts';
import { planJob } from '../../src/changes/run/job.ts';
import { openServing } from '../../src/cli/serving.ts';
import type { JobHead } from '../../src/contract/jobs.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { isAlive } from '../../src/files/processes.ts';
import { head } from '../support/job.ts';
import { isLong } from '../support/long.ts';
import { NOW, type Pm, pmIn } from '../support/pm.ts';
import { drafts } from './acknowledging.ts';

export interface Ground {
  /** A folder that is gone after the last test. */
  readonly root: string;
  /** A folder without a site. */
  empty(): string;
  /** A new site with one administrator. */
  home(): string;
  /** A file that makes so many colors: `new 1`, `new 2`, … The service gives their IDs, so one made twice is there twice. */
  colors(count: number): string;
  /** The same site as it stands now. */
  copy(home: string): string;
}

/** Ground for all tests of a file; `fill` puts in what every site of it holds. */
export function usingGround(fill?: (pm: Pm) => Promise<unknown>): Ground {
  let root = '';
  const fresh = (): string => mkdtempSync(join(root, 'home-'));
  const copy = (home: string): string => {
    const other = fresh();
    cpSync(home, other, { recursive: true });
    return other;
  };
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'pm-faults-'));
    const pm = pmIn(() => join(root, 'template'));
    await pm('individuals list').prints('admin');
    await fill?.(pm);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return {
    get root() {
      return root;
    },
    empty: fresh,
    home: () => copy(join(root, 'template')),
    copy,
    colors(count) {
      const file = join(root, `colors-${count}.csv`);
      const rows = wanted(count).map((name, at) => `${at + 10},${name},ff0000`);
      writeFileSync(file, ['Rank,Name,Code', ...rows, ''].join('\n'));
      return file;
    },
  };
}

/** The names of the colors of such a file. */
export const wanted = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `new ${at + 1}`);

/** The words that import it. */
export const importing = (file: string): readonly string[] => ['import', 'colors', file, '--mode', 'create', '--yes'];

/** The words that delete the new colors of a site, which is for good. */
export function deleting(home: string): readonly string[] {
  const file = join(home, 'leaving.csv');
  const ids = look(home, "SELECT ID FROM color WHERE Name LIKE 'new %'").map(({ ID }) => String(ID));
  writeFileSync(file, ['ID', ...ids, ''].join('\n'));
  return ['import', 'colors', file, '--mode', 'delete', '--key', 'ID'];
}

/** The names of the new colors of a site, in the order in which they were made. */
export const made = (home: string): readonly string[] =>
  look(home, "SELECT Name FROM color WHERE Name LIKE 'new %' ORDER BY ID").map(({ Name }) => String(Name));

/** Those that are there more than once. */
export const twice = (names: readonly string[]): readonly string[] =>
  names.filter((name, at) => names.indexOf(name) !== at);

/** Its jobs, the oldest first. */
export const jobsIn = (home: string): readonly Pick<JobHead, 'id' | 'state' | 'counts'>[] =>
  look(home, "SELECT ID, State, Counts, LockPid FROM job WHERE State <> 'pruned' ORDER BY Sequence").map(
    ({ ID, State, Counts, LockPid }) => {
      const counts = JSON.parse(String(Counts)) as JobHead['counts'];
      return { id: String(ID), state: stateOf(String(State), counts, LockPid), counts };
    },
  );

function stateOf(
  stored: string,
  { pending = 0, intent = 0, unknown = 0 }: JobHead['counts'],
  pid: unknown,
): JobHead['state'] {
  if (stored !== 'running') return stored as JobHead['state'];
  if (pending + intent + unknown === 0) return 'ended';
  return pid !== null && isAlive(Number(pid)) ? 'running' : 'stopped';
}

/** How many lines the past of the site has. */
export const pastOf = (home: string): number => Number(look(home, 'SELECT count(*) AS n FROM line')[0]?.n);

/** Is the file whole? */
export const isSound = (home: string): boolean => look(home, 'PRAGMA integrity_check')[0]?.integrity_check === 'ok';

function look(home: string, sql: string): readonly Readonly<Record<string, unknown>>[] {
  const database = openDatabase(join(home, 'local.db'));
  try {
    return database.prepare<[], Record<string, unknown>>(sql).all();
  } finally {
    database.close();
  }
}

/** Goes on with whatever a command left behind, as somebody would who reads what it says. */
export async function broughtToEnd(home: string, file: string): Promise<void> {
  const pm = pmIn(() => home);
  const last = jobsIn(home).at(-1);
  if (last?.state === 'planned' || last?.state === 'running' || last?.state === 'stopped')
    await pm(['jobs', 'resume', last.id, '--yes']).prints();
  else if (last?.state !== 'ended') await pm(importing(file)).prints();
}

/** Plans a job in a site that is to make so many colors, agreed to unless told; answers its ID. `sealed` runs before its database is closed. */
export async function plannedIn(
  home: string,
  count: number,
  settings?: JobHead['settings'],
  sealed?: () => void,
): Promise<string> {
  const { backend } = await openServing({ home, owner: 'admin', clock: () => NOW });
  const session = await backend.open({ user: 'admin' });
  const job = { ...head(session, 'import'), profile: 'local', ...(settings ? { settings } : {}) };
  const { planAll } = planner(() => crypto.randomUUID());
  if (session.local) await planJob(session.local.jobs, job, planAll(drafts(session.me.site, wanted(count))));
  sealed?.();
  await backend.close();
  return job.id;
}

/** A long run says how many kills left what behind. */
export function tellKills(what: string, left: readonly string[]): void {
  const counts = [...new Set(left)].map((one) => `${left.filter((other) => other === one).length} ${one}`);
  if (isLong) console.info(`${what}: ${left.length} kills, which left ${counts.join(', ')}`);
}

/** Does all of these, so many at a time. */
export async function inTurns<T, R>(all: readonly T[], lanes: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = all.entries();
  const lane = async (): Promise<void> => {
    for (const [at, one] of waiting) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
