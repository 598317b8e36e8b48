// PGlite: PostgreSQL in this process, with one connection. It shows what statements answer, and nothing about several at once.
import { type PGlite, type Results, types } from '@electric-sql/pglite';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { type Connection, PARSERS, type Result } from '../../src/engine/store/postgres/connection.ts';
import { explained } from '../../src/engine/store/postgres/failure.ts';
import { numbered } from '../../src/engine/store/postgres/placeholders.ts';
import type { Place, Places } from './on-postgres.ts';

const ADDRESS = addressOf('postgres://pm@localhost/pglite', 'pm', 'a test');

/** Each database is a schema of its own. One that is not needed any more is emptied for the next: making tables takes long. */
export async function onPglite(): Promise<Places> {
  const { PGlite: Lite } = await import('@electric-sql/pglite');
  const lite = await Lite.create();
  let made = 0;
  const schemas = new Map<Place, string>();
  const free: string[] = [];
  return {
    async make(isContract) {
      const used = isContract ? free.pop() : undefined;
      const schema = used ?? `place_${++made}`;
      if (used === undefined) await lite.exec(`CREATE SCHEMA ${schema}`);
      else await empty(lite, schema);
      const place = { address: ADDRESS, connectOnly: async () => connectionIn(lite, schema) };
      if (isContract) schemas.set(place, schema);
      return place;
    },
    async drop(place) {
      const schema = schemas.get(place);
      if (schema !== undefined) free.push(schema);
    },
    end: () => lite.close(),
  };
}

/** Deletes all but what the database says about itself; keys of other tables are not looked at. */
async function empty(lite: PGlite, schema: string): Promise<void> {
  const { rows } = await lite.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = '${schema}'`,
  );
  const tables = rows.filter(({ name }) => !name.endsWith('.pm_database'));
  await lite.exec(
    `SET session_replication_role = replica;
    ${tables.map(({ name }) => `DELETE FROM ${name}`).join(';')};
    SET session_replication_role = DEFAULT`,
  );
}

const PARSING = {
  rowMode: 'array',
  parsers: Object.fromEntries([
    ...[types.JSON, types.JSONB, types.DATE, types.TIMESTAMP, types.TIMESTAMPTZ].map((type) => [type, String]),
    ...PARSERS,
  ]),
} as const;

/** The schema whose statements run now. */
let current = '';

function connectionIn(lite: PGlite, schema: string): Connection {
  let isSpoiled = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(async () => {
      if (current !== schema) await lite.exec(`SET search_path TO ${schema}`);
      current = schema;
      return work();
    });
    last = turn.catch(() => {
      isSpoiled = true;
    });
    return turn.catch((error: unknown) => {
      throw explained('PGlite', error);
    });
  };
  const ask: Connection['ask'] = (sql, params = []) =>
    inTurn(async () => resultOf(sql, await lite.query<unknown[]>(numbered(sql).text, [...params], PARSING)));
  const exec: Connection['exec'] = (sql) =>
    inTurn(async () => {
      const found = await lite.exec(sql, PARSING);
      const result = resultOf(sql, found.at(-1) as Results<unknown[]> | undefined);
      // What failed before a transaction has not spoiled it.
      if (sql.startsWith('BEGIN')) isSpoiled = false;
      if (!/^(?:COMMIT|ROLLBACK)/.test(sql)) return result;
      // PGlite does not say that a COMMIT became a ROLLBACK.
      const did = isSpoiled ? 'ROLLBACK' : result.did;
      isSpoiled = false;
      return { ...result, did };
    });
  return {
    address: 'PGlite',
    id: crypto.randomUUID(),
    ask,
    // What is asked next meets a spoiled transaction where this fails.
    ahead: (sql, params) => void (params ? ask(sql, params) : exec(sql)).catch(() => undefined),
    exec,
    renewPlans: () => undefined,
    isLost: () => false,
    close: async () => undefined,
  };
}

const resultOf = (sql: string, found: Results<unknown[]> | undefined): Result => ({
  rows: found?.rows ?? [],
  count: found?.affectedRows || (found?.rows.length ?? 0),
  did: /^\w+/.exec(sql.trim())?.[0].toUpperCase() ?? '',
});
