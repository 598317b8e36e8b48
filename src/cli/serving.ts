// The database behind pm serve: the local one, or a temporary one with a sample.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { contract, storedResources } from '../contract/index.ts';
import { isGood } from '../engine/auth/tokens.ts';
import { writeDate } from '../engine/context.ts';
import { computedFields, openEngine } from '../engine/index.ts';
import type { Store } from '../engine/store/port.ts';
import { openSqlite } from '../engine/store/sqlite/store.ts';
import { seedSample } from '../sites/seed.ts';
import { type Opened, openDatabase, openLocal, type Place, withLocal } from './backend.ts';

export interface Serving extends Opened {
  /** Can the database be read? */
  isReady(): Promise<boolean>;
  /** The name of a user who can log in, by a password or a token; undefined if no user can. */
  loginUser(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** SQLite blocks the process while it waits for another writer, so it waits briefly and the transaction is retried. */
const BUSY_MS = 100;
const PAUSE_MS = 250;
const TRIES = 12;
/** How long a request waits for a server of the database that has gone away, whatever --timeout says. */
const AWAY_MS = 5_000;

/** Opens the database of a place; creates a missing one. */
export async function openServing(place: Place): Promise<Serving> {
  if (place.database) {
    const { store, created } = await openDatabase(place, {
      ...place.database,
      awayMs: AWAY_MS,
      hasManyReaders: true,
    });
    return { ...servingOn(place, store), place: place.database.address.shown, created };
  }
  const { backend: maker, created, place: file } = await openLocal(place);
  await maker.close();
  const options = { file, resources: storedResources, computed: computedFields };
  const store = await openSqlite({ ...options, busyMs: BUSY_MS, reopens: true });
  return { ...servingOn(place, retryingBusy(store)), place: file, created };
}

function servingOn({ clock, owner, minPassword }: Place, store: Store): Omit<Serving, 'place' | 'created'> {
  const backend = openEngine({ store, clock, owner, minPassword, newID: () => crypto.randomUUID() });
  return {
    backend,
    isReady: readiness(store),
    loginUser: () => loginUser(store, writeDate(clock())),
    close: () => backend.close(),
  };
}

export interface Sample {
  readonly place: Place;
  readonly user: string;
  readonly password: string;
  /** Deletes the database. */
  end(): void;
}

/** Creates a temporary database with the small sample and a random password. */
export async function smallSample(now: () => Date): Promise<Sample> {
  const home = mkdtempSync(join(tmpdir(), 'pm-serve-'));
  const end = (): void => rmSync(home, { recursive: true, force: true });
  const user = 'admin';
  const { individual } = contract;
  const password = randomBytes(12).toString('base64url');
  try {
    await fillSmall({ home, owner: user }, now(), (session) =>
      session.call(individual.operations.setPassword, { body: { Individual: session.me.id, Password: password } }),
    );
  } catch (error) {
    end();
    throw error;
  }
  return { place: { home, owner: user, clock: now }, user, password, end };
}

/** Makes a site with the small sample; `finish` works on it last, as the administrator. */
export async function fillSmall(
  place: Omit<Place, 'clock'>,
  today: Date,
  finish?: (session: Session) => Promise<unknown>,
): Promise<void> {
  let at = today;
  await withLocal({ ...place, clock: () => at }, {}, async (session) => {
    await seedSample({ sample: 'small' }, { session, setClock: (then) => (at = then), today });
    await finish?.(session);
  });
}

function retryingBusy(store: Store): Store {
  return {
    ...store,
    async transaction(work, runs) {
      for (let tries = 1; ; tries++) {
        try {
          return await store.transaction(work, runs);
        } catch (error) {
          if (tries === TRIES || runs === 'once' || !(error instanceof ServiceError) || error.code !== 'busy')
            throw error;
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
      }
    },
  };
}

/** A balancer asks again and again, and wants to know soon. */
const READY_MS = 2_000;

/** Does the database answer in time? All that ask meanwhile get the same answer. */
function readiness(store: Store): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  return () => {
    running ??= isReadable(store).finally(() => {
      running = undefined;
    });
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, READY_MS, false).unref());
    return Promise.race([running, late]);
  };
}

const isReadable = (store: Store): Promise<boolean> =>
  store.find({ resource: 'site', site: undefined, deleted: 0, limit: 1 }).then(
    () => true,
    () => false,
  );

/** A user with a password, else one with a good token; a token of a site is good with every user of it. */
async function loginUser(store: Store, now: string): Promise<string | undefined> {
  const all = await store.find({ resource: 'site', site: undefined, deleted: 0 });
  const sites = all.map(({ ID }) => String(ID));
  for (const site of sites) {
    const user = await store.userWithPassword(site);
    if (user !== undefined) return user;
  }
  for (const site of sites) {
    const good = (await store.tokens(site)).filter((token) => isGood(token, now));
    if (good.length === 0) continue;
    const holders = new Set(good.map(({ IndividualID }) => IndividualID));
    const named = await store.find({ resource: 'individual', site, deleted: 0 });
    const user = named.find(({ ID, UserName }) => UserName && (holders.has(null) || holders.has(String(ID))));
    if (user) return String(user.UserName);
  }
  return undefined;
}
