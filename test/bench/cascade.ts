// P13: deleting what owns a hundred thousand records, against one UPDATE of as many rows.
import type { Session } from '../../src/contract/call.ts';
import { contract } from '../../src/contract/index.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { type Line, timesLine } from './line.ts';
import { fill, newSite, type Site } from './site.ts';
import { medians, timed } from './timing.ts';

const COUNT = 100_000;
const ROUNDS = 7;
const GOAL = 3;

/** Deletes and undeletes an organization that owns so many comments; the way back is not timed. */
export async function cascade(): Promise<Line> {
  const site = await newSite();
  try {
    const id = await organizationWithComments(site);
    const database = openDatabase(site.file);
    database.pragma('synchronous = FULL');
    database.pragma('cache_size = -65536');
    const update = database.prepare('UPDATE comment SET DeletedByRef = ? WHERE SiteID = ? AND AncestorID = ?');
    const mark = (gone: 0 | 1): void => void update.run(gone, site.session.me.site, id);
    const settle = (): void => void database.pragma('wal_checkpoint(TRUNCATE)');
    const time = await medians(ROUNDS, {
      async ours() {
        const taken = await timed(() => turn(site.session, 'delete', id));
        await turn(site.session, 'undelete', id);
        settle();
        return taken;
      },
      async limit() {
        const taken = await timed(() => mark(1));
        mark(0);
        settle();
        return taken;
      },
    });
    database.close();
    const what = `delete what owns ${COUNT.toLocaleString('en')} records`;
    return timesLine({ row: 'P13', what, goal: GOAL, ...time });
  } finally {
    await site.end();
  }
}

const turn = (session: Session, verb: 'delete' | 'undelete', id: string): Promise<unknown> =>
  session.call(contract.organization.operations[verb], { params: { id } });

async function organizationWithComments(site: Site): Promise<string> {
  const { session } = site;
  const made = await session.call(contract.organization.operations.create, { body: { Rank: 2, Name: 'North' } });
  const id = String(made.ID);
  const body = { AncestorID: id, Body: 'Came by and was told that everything is as it should be.' };
  const first = await session.call(contract.comment.operations.create, { body });
  await fill(site, 'comment', String(first.ID), COUNT - 1, () => ({}));
  return id;
}
