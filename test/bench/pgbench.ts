// What the database alone does in the same time: pgbench sends the statements of a request of pm serve, prepared, in as many
// round trips.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WITH_GUID } from '../../src/engine/records/bodies.ts';
import { LOCK } from '../../src/engine/store/postgres/site-of.ts';
import { onDatabase } from '../support/postgres-server.ts';
import type { Served } from './served.ts';

const CONNECTIONS = 8;

/** The milliseconds of so many requests. Throws where it fails. */
export async function pgbench(served: Served, request: Request, count: number): Promise<number> {
  const { home, database = '' } = served.site;
  const script = join(home, `${request}.sql`);
  const [record] = await onDatabase(database, 'SELECT "ID" FROM accountability LIMIT 1');
  writeFileSync(script, TRIPS[request](served, String(record?.[0])).map(together).join(''));
  const each = Math.ceil(count / CONNECTIONS);
  const load = ['-c', String(CONNECTIONS), '-j', '1', '-t', String(each)];
  const { stdout } = await promisify(execFile)('pgbench', ['-n', '-M', 'prepared', ...load, '-f', script, database]);
  const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  if (!(rate > 0)) throw new Error(stdout);
  return (count / rate) * 1000;
}

type Request = 'get' | 'create';

/** Statements that are sent together. */
type Trip = readonly string[];

const together = (trip: Trip): string => {
  const lines = trip.map((sql) => `${sql.replaceAll('\n', ' ')};\n`).join('');
  return trip.length > 1 ? `\\startpipeline\n${lines}\\endpipeline\n` : lines;
};

const login = ({ site }: Served): string =>
  `SELECT individual.*, site.*, secret.Hash FROM "individual_UserName" AS name
  JOIN individual ON individual."SiteID" = name."SiteID" AND individual."ID" = name."ID"
  LEFT JOIN site ON site."SiteID" = individual."SiteID" AND site."ID" = individual."SiteID"
  LEFT JOIN secret ON secret.SiteID = individual."SiteID" AND secret.IndividualID = individual."ID"
  WHERE name."Held" = '${site.user}'`;

/** As pm sends them where nobody else asks, for a record whose ID is given. */
const TRIPS: Readonly<Record<Request, (served: Served, record: string) => readonly Trip[]>> = {
  get: (served, record) => [
    [login(served)],
    [`SELECT * FROM accountability WHERE "SiteID" = '${served.site.session.me.site}' AND "ID" = '${record}'`],
  ],
  create(served, record) {
    const { id, site } = served.site.session.me;
    const key = `"SiteID" = '${site}' AND "ID" =`;
    return [
      [login(served)],
      [
        'BEGIN ISOLATION LEVEL READ COMMITTED',
        LOCK.replace('?', `'${site}'`),
        `INSERT INTO commit_marker (ID, Token, At) VALUES (pg_backend_pid(), gen_random_uuid(), now())
          ON CONFLICT (ID) DO UPDATE SET Token = excluded.Token, At = excluded.At`,
      ],
      [
        `SELECT * FROM accountability WHERE ${key} '${NEW}'`,
        `SELECT ${WITH_GUID.map((name) => `EXISTS (SELECT 1 FROM "${name}" WHERE ${key} '${NEW}')`).join(' OR ')}`,
        `SELECT * FROM individual WHERE ${key} '${id}'`,
      ],
      [
        `INSERT INTO accountability ("ID", ${COLUMNS}) SELECT gen_random_uuid()::text, ${COLUMNS}
          FROM accountability WHERE ${key} '${record}'`,
        `INSERT INTO line (Site, At, Caller, Resource, ID, What) VALUES (1, 0, 1, 1, '${record}', 1)`,
        'COMMIT',
      ],
    ];
  },
};

/** No record has it. */
const NEW = 'new';
const COLUMNS = '"AncestorID", "Rank", "Name", "SiteID", "Created", "CreatedBy", "Updated", "UpdatedBy", "Name$"';
