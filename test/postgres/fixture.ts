// Transactions on a table of things, beside the tables of the store itself.
import { onTestFinished } from 'vitest';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import type { Patience } from '../../src/engine/store/postgres/again.ts';
import { type Connection, connect, LIMITS, type Limits } from '../../src/engine/store/postgres/connection.ts';
import { POSTGRES } from '../../src/engine/store/postgres/dialect.ts';
import { OWN_TABLES } from '../../src/engine/store/postgres/migrate.ts';
import { type Pool, poolOf } from '../../src/engine/store/postgres/pool.ts';
import type { Transaction } from '../../src/engine/store/postgres/transactions/transaction.ts';
import { type InTransaction, transactionsOn } from '../../src/engine/store/postgres/transactions/transactions.ts';
import { eachAhead, eachLater, one, run } from '../../src/engine/store/sql/steps.ts';
import { onDatabase } from '../support/postgres.ts';

export interface Things {
  readonly pool: Pool;
  readonly inTransaction: InTransaction;
  /** The failures after which work ran again. */
  readonly repeated: unknown[];
  connect(): Promise<Connection>;
}

interface Options {
  readonly most?: number;
  readonly waitMs?: number;
  readonly patience?: Patience;
  readonly limits?: Partial<Limits>;
}

/** Makes the tables in an empty database. */
export async function makeThings(address: string): Promise<void> {
  const thing = 'CREATE TABLE thing (SiteID TEXT, ID INTEGER, Number INTEGER, PRIMARY KEY (SiteID, ID))';
  await onDatabase(address, [thing, ...OWN_TABLES].join(';'));
}

/** Opens what works on the tables; it ends with the test. */
export function openThings(address: string, { most = 4, waitMs = 5_000, limits, ...more }: Options = {}): Things {
  const whole = { ...LIMITS, ...limits };
  const open = () => connect(addressOf(address, 'pm', '--database'), () => undefined, whole);
  const pool = poolOf(open, { most, waitMs, ...more });
  const repeated: unknown[] = [];
  onTestFinished(() => pool.close());
  const inTransaction = transactionsOn({ pool, connect: open, onRepeat: (failure) => void repeated.push(failure) });
  return { pool, inTransaction, repeated, connect: open };
}

export const addThing = (transaction: Transaction, site: string, id: number): Promise<number> =>
  transaction.run(run('INSERT INTO thing (SiteID, ID, Number) VALUES (?, ?, 0)', [site, id]));

const THING = [
  { name: 'SiteID', type: 'TEXT' },
  { name: 'ID', type: 'INTEGER' },
  { name: 'Number', type: 'INTEGER' },
] as const;

const INSERT_THING = POSTGRES.insertEach('thing', THING);

/** The same without waiting for it. */
export const addThingAhead = (transaction: Transaction, site: string, id: number): Promise<void> =>
  transaction.run(eachAhead(INSERT_THING, [[site, id, 0]]));

/** The same, sent with the COMMIT where nothing asks for it before. */
export const addThingLater = (transaction: Transaction, site: string, id: number): Promise<void> =>
  transaction.run(eachLater(INSERT_THING, [[site, id, 0]], [`${site} ${id}`]));

/** Reads the number, and writes it one higher: two that do so at once lose one of both unless they wait. */
export async function countUp(transaction: Transaction, site: string, id: number): Promise<void> {
  const [number] =
    (await transaction.run(one('SELECT Number FROM thing WHERE SiteID = ? AND ID = ?', [site, id]))) ?? [];
  await transaction.run(run('UPDATE thing SET Number = ? WHERE SiteID = ? AND ID = ?', [Number(number) + 1, site, id]));
}

export const thingsIn = async (address: string): Promise<string> =>
  (await onDatabase(address, 'SELECT SiteID, ID, Number FROM thing ORDER BY 1, 2')).map((row) => row.join(' ')).join();
