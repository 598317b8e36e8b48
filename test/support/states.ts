// Two sites as states: a site in another database, with the IDs of the first or with IDs of its own; and how one becomes the other.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { storedResources } from '../../src/contract/index.ts';
import { computedFields, makeFirstSite, openEngine } from '../../src/engine/index.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { createSqlite } from '../../src/engine/store/sqlite/file/create.ts';
import { openSqlite } from '../../src/engine/store/sqlite/store.ts';
import { compare, type Difference, type Wish } from '../../src/sites/state/compare.ts';
import { changesOf } from '../../src/sites/state/plan.ts';
import type { State } from '../../src/sites/state/state.ts';
import { OWNER } from './engine.ts';
import { gathered, jobsOf } from './job.ts';
import { siteOn, type TestSite, TODAY } from './site.ts';

/** The same site in another database; what is made in it from now on has IDs of its own. */
export async function copyOf({ engine }: TestSite): Promise<TestSite> {
  const file = newFile();
  const database = openDatabase(engine.file);
  database.prepare('VACUUM INTO ?').run(file);
  database.close();
  return openOn(file, '1');
}

/** A new site with IDs of its own. */
export async function otherSite(): Promise<TestSite> {
  const file = newFile();
  const parts = { clock: () => new Date(TODAY), newID: idsOf('2') };
  const options = { file, resources: storedResources, computed: computedFields };
  const first = { name: 'Test', admin: OWNER, global: true };
  await createSqlite(options, async (store) => void (await makeFirstSite({ ...parts, store }, first)));
  return openOn(file, '3');
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pm-states-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'local.db');
}

/** The same IDs in each run. */
function idsOf(first: string): () => string {
  let count = 0;
  return () => `${first}0000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
}

async function openOn(file: string, first: string): Promise<TestSite> {
  let now = new Date(TODAY);
  const store = await openSqlite({ file, resources: storedResources, computed: computedFields });
  const backend = openEngine({ store, clock: () => now, newID: idsOf(first), owner: OWNER });
  onTestFinished(() => backend.close());
  const setClock = (at: Date): void => {
    now = at;
  };
  return siteOn({ backend, store, file, setClock, end: async () => undefined });
}

export const stateOf = ({ ada, engine }: TestSite): State => ({
  name: engine.file,
  session: ada.session,
  place: engine.file,
});

export const differences = (wanted: State, there: State, wish: Partial<Wish> = {}): Promise<readonly Difference[]> =>
  gathered(compare(wanted, there, { newID: () => crypto.randomUUID(), ...wish }));

/** Makes the one like the other by a job. Answers why rows were refused. */
export async function makeLike(
  wanted: State,
  there: State,
  { prune = [], ...wish }: Partial<Wish> & { prune?: readonly string[] } = {},
): Promise<readonly string[]> {
  const changes = await changesOf(there.session, await differences(wanted, there, wish), prune);
  if (changes.length === 0) return [];
  const job = await jobsOf(there.session).plan(...changes);
  await job.run({ onError: 'continue' });
  return (await job.rows()).flatMap(({ state, resource, operation, result }) =>
    state === 'done' ? [] : [`${state} ${operation} ${resource}: ${result?.error?.message ?? ''}`],
  );
}
