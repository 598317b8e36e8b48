// Makes the tables of an empty database, and brings those of an older pm forward, once: of several processes that begin at the
// same time one does it, and the others wait for its row.
import { FIND_CLONE, otherKind } from '../clone/mark.ts';
import { areNewest, CLONE, type FileKind, newestOf, type OnUpgraded, stepsFrom } from '../schema/versions.ts';
import { type Raw, unusable } from '../sql/steps.ts';
import { type Connection, closedAfter } from './connection.ts';
import { codeOf } from './failure.ts';
import { type Pool, rollBack, withConnection } from './pool.ts';
import { SITE_TABLE } from './site-of.ts';
import { MARKER_TABLE } from './transactions/commit-marker.ts';

/** The tables that this store has besides those of all stores. */
export const OWN_TABLES = [SITE_TABLE, MARKER_TABLE];

/** The one row of the database about itself. Version 0: its tables are not made yet. */
const DATABASE_TABLE = `CREATE TABLE IF NOT EXISTS pm_database (
  ID INTEGER PRIMARY KEY,
  Application BIGINT NOT NULL,
  Version INTEGER NOT NULL,
  Sha256 TEXT NOT NULL
)`;
const CLAIM = `INSERT INTO pm_database (ID, Application, Version, Sha256) VALUES (1, ?, 0, '') ON CONFLICT (ID) DO NOTHING`;
const FIND = 'SELECT Application, Version, Sha256 FROM pm_database WHERE ID = 1';
const WRITE = 'UPDATE pm_database SET Version = ?, Sha256 = ? WHERE ID = 1';
/** Those of others, too, on which this user has no rights: information_schema hides them. Extensions may have views there. */
const TABLES = `SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'f') AND c.relname <> 'pm_database'
  ORDER BY c.relname LIMIT 1`;
const ENCODING = "SELECT current_setting('server_encoding')";
/** Indexes of many records take long, and so do other processes that make them. */
const BEGIN = 'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';

/** The tables that this pm works with. */
export interface Wanted {
  readonly kind: FileKind;
  /** The SQL of each table and index. */
  readonly statements: readonly string[];
  /** Called once this process has brought older tables forward. */
  readonly onUpgraded?: OnUpgraded | undefined;
}

/**
 * Brings the tables to this version where they are not of it; for that `open` makes a connection which may take as long as it
 * takes. Throws as `prepare`.
 */
export async function bringTables(pool: Pool, open: () => Promise<Connection>, wanted: Wanted): Promise<void> {
  if (await withConnection(pool, (connection) => isPrepared(connection, wanted.kind))) return;
  await closedAfter(open, (connection) => prepare(connection, wanted));
}

async function isPrepared(connection: Connection, kind: FileKind): Promise<boolean> {
  const state = await stateOrEmpty(connection);
  return state !== undefined && checked(connection.address, state, kind);
}

/**
 * Makes the tables, or changes older ones; answers whether this call did. Throws `storage` for a database of others, or of another
 * pm; it is then as it was.
 */
export async function prepare(connection: Connection, wanted: Wanted): Promise<boolean> {
  const state = await stateOrEmpty(connection);
  if (state === undefined) await claim(connection, wanted.kind);
  else if (checked(connection.address, state, wanted.kind)) return false;
  return makeTables(connection, wanted);
}

/** The version of its tables, which are left as they are; 0 where there are none yet. Throws as `prepare`. */
export async function versionIn(connection: Connection, kind: FileKind): Promise<number> {
  const state = await stateOrEmpty(connection);
  if (state !== undefined) checked(connection.address, state, kind);
  return state?.version ?? 0;
}

interface State {
  readonly application: number;
  readonly version: number;
  readonly sha256: string;
  /** The clone that is under way there. */
  readonly clone: Raw | undefined;
}

/** Undefined for a database without our table. */
async function stateOf(connection: Connection, locked = ''): Promise<State | undefined> {
  try {
    const [row] = (await connection.ask(`${FIND}${locked}`)).rows;
    if (!row) return undefined;
    const [application, version, sha256] = row;
    const isClone = application === CLONE.applicationID && Number(version) > 0;
    const [clone] = isClone ? (await connection.ask(FIND_CLONE)).rows : [];
    return { application: Number(application), version: Number(version), sha256: String(sha256), clone };
  } catch (error) {
    if (codeOf(error) === '42P01') return undefined;
    throw error;
  }
}

/** Is it of this version? False where its tables are to be made or changed. Throws `storage`. */
function checked(address: string, { application, version, sha256, clone }: State, kind: FileKind): boolean {
  if (application !== kind.applicationID)
    throw (
      otherKind({ place: address, kind: application, another: ANOTHER, clone }, kind) ??
      notOurs(address, 'a table pm_database that means something else')
    );
  return (
    version !== 0 && areNewest(kind, { place: address, number: version, sha256, another: ANOTHER, back: () => NO_COPY })
  );
}

/** Puts our row into a database that is empty. Two that create its table at once get in each other's way, whatever the statement says. */
async function claim(connection: Connection, kind: FileKind): Promise<void> {
  try {
    await connection.exec(DATABASE_TABLE);
  } catch (error) {
    if (!['23505', '42P07', '42710', '40001'].includes(codeOf(error) ?? '')) throw error;
  }
  await connection.ask(CLAIM, [kind.applicationID]);
}

/** Undefined for a database that is empty, and can be ours. Throws `storage` for any other. */
async function stateOrEmpty(connection: Connection): Promise<State | undefined> {
  const state = await stateOf(connection);
  if (state !== undefined) return state;
  const [other] = (await connection.ask(TABLES)).rows;
  // Another process may have made them since.
  const made = other && (await stateOf(connection));
  if (made) return made;
  if (other) throw notOurs(connection.address, `the table ${String(other[0])}`);
  const encoding = String((await connection.ask(ENCODING)).rows[0]?.[0]);
  if (encoding === 'UTF8') return undefined;
  const reason = `keeps its texts as ${encoding}, and not as UTF8, which holds all characters`;
  throw unusable(
    connection.address,
    reason,
    'Name another one, which createdb makes from template0 with the encoding UTF8.',
  );
}

const NO_COPY =
  'No copy of before lies there: to go back, restore your last backup from before the upgrade. What was changed since is not in it.';
const ANOTHER = 'Name a database of its own: createdb makes an empty one.';

const notOurs = (address: string, what: string): Error =>
  unusable(address, `is not a database of pm: it has ${what}`, ANOTHER);

/** All in one transaction: whatever ends it, the tables are the old ones or the new ones. */
async function makeTables(connection: Connection, { kind, statements, onUpgraded }: Wanted): Promise<boolean> {
  const { number, sha256 } = newestOf(kind);
  await connection.exec(BEGIN);
  try {
    const state = await stateOf(connection, ' FOR UPDATE');
    // Another process was faster.
    const isMade = state !== undefined && checked(connection.address, state, kind);
    if (!isMade) {
      const changes = state?.version
        ? stepsFrom(kind, state.version).flatMap(({ onServer }) => onServer)
        : [...statements, ...OWN_TABLES];
      await connection.exec(changes.join(';\n'));
      await connection.ask(WRITE, [number, sha256]);
    }
    await connection.exec('COMMIT');
    if (!isMade && state && state.version > 0) onUpgraded?.(state.version, number);
    return !isMade;
  } catch (error) {
    await rollBack(connection);
    throw error;
  }
}
