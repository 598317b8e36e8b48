// P5 to P9 on a PostgreSQL server of this machine, against the same on SQLite; P12 there; and pm serve beside pgbench.
import { join } from 'node:path';
import { inWords, meets } from '../support/needs.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { serveProcess } from '../support/server-process.ts';
import { COUNT as CREATED, createAll } from './creates.ts';
import { growth } from './growth.ts';
import { gainLine, type Line, peerLine, timesLine } from './line.ts';
import { COMMAND, giveMany } from './lists.ts';
import { load, type Sent } from './load.ts';
import { pgbench } from './pgbench.ts';
import { pm, processTime } from './processes.ts';
import { askedByAny, COUNT as READ } from './reads.ts';
import { headersOf, newBodies, oneRecord, onServer, PATH, posted, type Served } from './served.ts';
import { makeIndividuals, newSite, type Site } from './site.ts';
import { writeTable } from './table-file.ts';
import { medians, timed } from './timing.ts';

const WHERE = 'PostgreSQL: ';
const MOST = 4;
const MANY = 100_000;
/** The individuals whom the rows of one file are about. */
const OWNERS = 100;
const POSTS = 1_000;
const CONNECTIONS = 32;
/** What is committed is on the disk, as on SQLite; the rest is as a server of some gigabytes has it. */
const SETTINGS = ['shared_buffers = 512MB', 'max_wal_size = 4GB'];

/** Makes a site in a file, or in a new database. */
type Make = () => Promise<Site>;

/** `most` is the number of records of P12. Nothing is measured where no server is installed. */
export async function onPostgres(root: string, most: number): Promise<readonly Line[]> {
  if (!meets('postgres')) {
    process.stderr.write(`not run, since this machine lacks ${inWords('postgres')}\n`);
    return [];
  }
  const server = await startPostgres(SETTINGS);
  const make: Make = async () => newSite(await server.newDatabase());
  try {
    return [
      await onBoth(make, (there, local) => imports(root, there, local)),
      await onBoth(make, (there, local) => lists(root, there, local)),
      await onBoth(make, creates),
      ...(await served(root, await server.newDatabase())),
      ...(await growth(most, { make, where: WHERE })),
    ];
  } finally {
    server.end();
  }
}

async function onBoth<T>(make: Make, measure: (there: Site, local: Site) => Promise<T>): Promise<T> {
  const [there, local] = [await make(), await newSite()];
  try {
    return await measure(there, local);
  } finally {
    await there.end();
    await local.end();
  }
}

const line = (row: string, what: string, { there, local }: Readonly<Record<'there' | 'local', number>>): Line =>
  timesLine({ row, what: `${WHERE}${what}, against SQLite`, goal: MOST, ours: there, limit: local });

const rows = `${MANY.toLocaleString('en')} rows`;

async function imports(root: string, there: Site, local: Site): Promise<Line> {
  const importing = async (site: Site) => {
    // Each time of other individuals, of whom none is there already.
    const files = ['first.csv', 'second.csv', 'third.csv'].map((name) => join(site.home, name));
    const owners = await makeIndividuals(site, files.length * OWNERS);
    for (const [at, file] of files.entries()) writeTable(file, owners.slice(at * OWNERS, (at + 1) * OWNERS), MANY);
    await site.close();
    return () => run(root, site, `import accountabilities ${files.shift()} --mode create --yes`);
  };
  const contenders = { there: await importing(there), local: await importing(local) };
  return line('P5', `import, ${rows} of CSV`, await medians(1, contenders));
}

async function lists(root: string, there: Site, local: Site): Promise<Line> {
  for (const site of [there, local]) await giveMany(site, MANY);
  const contenders = { there: () => run(root, there, COMMAND), local: () => run(root, local, COMMAND) };
  return line('P6', `list -o ndjson, ${rows}`, await medians(5, contenders));
}

const run = (root: string, { home, user, flags }: Site, command: string): Promise<number> =>
  processTime({ root, home, user, args: [...pm(root, command), ...flags] });

async function creates(there: Site, local: Site): Promise<Line> {
  let round = 0;
  const time = await medians(3, {
    there: () => timed(() => createAll(there, CREATED * round)),
    local: () => timed(() => createAll(local, CREATED * round++)),
  });
  const what = `${CREATED.toLocaleString('en')} creates in one transaction`;
  return line('P7', what, time);
}

/** A get and a create over HTTP, and what two processes and the database alone do. */
const served = (root: string, database: string): Promise<readonly Line[]> =>
  onServer(root, (local) => onServer(root, (there) => askedFor(root, there, local), database));

async function askedFor(root: string, there: Served, local: Served): Promise<readonly Line[]> {
  const { home, user, flags } = there.site;
  const second = await serveProcess(join(root, 'bin/pm.js'), home, user, ...flags);
  try {
    const [asked, askedLocally] = [await askingFor(there), await askingFor(local)];
    const urls = [there.server.url, second.url];
    const get = await medians(3, {
      ...{ there: () => asked(there.server.url), local: () => askedLocally(local.server.url) },
      both: async () => together(await Promise.all(urls.map(asked))),
      bare: () => pgbench(there, 'get', READ),
    });
    const post = await medians(3, {
      ...{ there: () => posting(there, POSTS), local: () => posting(local, POSTS) },
      both: () => timed(() => Promise.all(urls.map((url) => posting(there, POSTS / urls.length, url)))),
      bare: () => pgbench(there, 'create', POSTS),
    });
    return [
      line('P8', 'pm serve, GET one record', get),
      gain('P8', 'two pm serve against one, GET', READ, get),
      peerLine({ row: 'P8', what: `${WHERE}pgbench, the statements of a GET`, count: READ, time: get.bare }),
      line('P9', 'pm serve, POST create', post),
      gain('P9', 'two pm serve against one, POST to one site', POSTS, post),
      peerLine({ row: 'P9', what: `${WHERE}pgbench, the statements of a POST`, count: POSTS, time: post.bare }),
    ];
  } finally {
    await second.kill('SIGTERM');
  }
}

const gain = (row: string, what: string, count: number, time: Readonly<Record<'there' | 'both', number>>): Line =>
  gainLine({ row, what: `${WHERE}${what}`, count, ours: time.both, limit: time.there });

/** How long takes as much as each of them does in these times, if they do it together? */
const together = (times: readonly number[]): number => 1 / times.reduce((rate, time) => rate + 1 / time, 0);

/** Asks a server for one record again and again. */
async function askingFor(one: Served): Promise<(url: string) => Promise<number>> {
  const sent: Sent = { method: 'GET', path: `${PATH}/${await oneRecord(one)}`, headers: headersOf(one) };
  return (url) => askedByAny(url, sent);
}

const posting = (one: Served, count: number, url = one.server.url): Promise<number> =>
  load(
    url,
    newBodies(one, count).map((body) => posted(one, body)),
    CONNECTIONS,
  );
