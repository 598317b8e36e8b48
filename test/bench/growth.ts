// P12: what a get, a page and a create cost where there are many records, against where there are few. A get may grow as much as
// the same statement alone.
import { contract } from '../../src/contract/index.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { growthLine, type Line, timesLine } from './line.ts';
import { accountability, fill, makeIndividuals, newSite, reopened, type Site } from './site.ts';
import { type Contender, medians, timed } from './timing.ts';

const FEW = 1000;
/** Records of each owner, in both sites. */
const EACH = 100;
const PAGE = 50;
const GETS = 400;
const ROUNDS = 101;
const GOAL = 1.3;

/** Where the sites are made, and how a line about them begins. */
interface Where {
  readonly make?: () => Promise<Site>;
  readonly where?: string;
}

interface Filled {
  readonly site: Site;
  readonly owners: readonly string[];
  readonly records: readonly string[];
}

/**
 * Measures the three on 1,000 accountabilities and on `many`. Both sites are asked for as many different records, in the
 * large one from all over it: what is compared is the size of the site, and not how much of it is in use.
 */
export async function growth(
  many: number,
  { make = () => newSite(), where = '' }: Where = {},
): Promise<readonly Line[]> {
  const small = await filled(await make(), FEW);
  const large = await filled(await make(), many);
  try {
    const lines: Line[] = [];
    const against = `${many.toLocaleString('en')} records against ${FEW.toLocaleString('en')}`;
    const bare = large.site.database === undefined ? await bareGrowth(large, small) : undefined;
    if (bare) lines.push(growthLine({ row: 'P12', what: `${where}a bare select: ${against}`, ...bare }));
    for (const { what, count, work } of OPERATIONS) {
      const time = await medians(ROUNDS, {
        ours: often(large, count, work),
        limit: often(small, count, work),
      });
      const each = { ours: time.ours / count, limit: time.limit / count };
      const goal = bare && work === getOne ? Number((bare.ours / bare.limit).toFixed(2)) : GOAL;
      lines.push(timesLine({ row: 'P12', what: `${where}${what}: ${against}`, goal, ...each }));
    }
    return lines;
  } finally {
    await small.site.end();
    await large.site.end();
  }
}

/** The records that are got, by a prepared statement in one transaction: what the tree and the caches of the machine cost. */
async function bareGrowth(large: Filled, small: Filled): Promise<{ readonly ours: number; readonly limit: number }> {
  const [many, few] = [bareGets(large), bareGets(small)];
  try {
    const time = await medians(ROUNDS, { ours: many.read, limit: few.read });
    return { ours: time.ours / GETS, limit: time.limit / GETS };
  } finally {
    many.close();
    few.close();
  }
}

function bareGets({ site, records }: Filled): { read: Contender; close(): void } {
  const database = openDatabase(site.file, { readonly: true });
  const get = database.prepare('SELECT * FROM accountability WHERE SiteID = ? AND ID = ?').raw();
  let turn = 0;
  const read = database.transaction(() => {
    for (let i = 0; i < GETS; i++) get.get(site.session.me.site, pick(records, turn++));
  });
  return { read: () => timed(read), close: () => database.close() };
}

async function filled(site: Site, count: number): Promise<Filled> {
  const owners = await makeIndividuals(site, count / EACH);
  const [first = ''] = owners;
  const { create } = contract.accountability.operations;
  const sample = await site.session.call(create, { body: accountability(first, 0) });
  const records = await fill(site, 'accountability', String(sample.ID), count - 1, (n) => ({
    AncestorID: owners[n % owners.length] ?? first,
    Rank: Math.floor(n / owners.length),
    Name: String(accountability(first, n).Name),
  }));
  return { site: await reopened(site), owners: spread(owners, FEW / EACH), records: spread(records, FEW) };
}

/** So many of the list, from its beginning to its end. */
function spread(list: readonly string[], count: number): readonly string[] {
  const step = Math.max(1, Math.floor(list.length / count));
  return list.filter((_, n) => n % step === 0).slice(0, count);
}

type Work = (filled: Filled, turn: number) => Promise<unknown>;

const OPERATIONS: readonly { readonly what: string; readonly count: number; readonly work: Work }[] = [
  { what: 'get', count: GETS, work: getOne },
  { what: `a page of ${PAGE} with a filter`, count: 100, work: readPage },
  // Few at a time: then the median is a create, and not the moment when SQLite empties its wal.
  { what: 'create', count: 5, work: createOne },
];

function often(filled: Filled, count: number, work: Work): Contender {
  let turn = 0;
  return () =>
    timed(async () => {
      for (let i = 0; i < count; i++) await work(filled, turn++);
    });
}

const pick = (list: readonly string[], turn: number): string => list[turn % list.length] as string;

function getOne({ site, records }: Filled, turn: number): Promise<unknown> {
  const { get } = contract.accountability.operations;
  return site.session.call(get, { by: 'plain', params: { accountabilityid: pick(records, turn) } });
}

async function readPage({ site, owners }: Filled, turn: number): Promise<number> {
  const { list } = contract.accountability.operations;
  const input = { by: 'individual', params: { individualid: pick(owners, turn) }, query: { deleted: 0 } };
  let count = 0;
  for await (const _row of site.session.list(list, input, { limit: PAGE })) count++;
  if (count !== PAGE) throw new Error(`the page holds ${count} records`);
  return count;
}

function createOne({ site, owners }: Filled, turn: number): Promise<unknown> {
  const { create } = contract.accountability.operations;
  return site.session.call(create, { body: accountability(pick(owners, turn), turn) });
}
