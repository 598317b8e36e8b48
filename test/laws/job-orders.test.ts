// Commands on jobs in any order, with kills: each does what the table of pm help changes says, and nothing is lost or doubled.
import { describe, expect, it } from 'vitest';
import { journalAt, journalFile } from '../engine/job-fixture.ts';
import { ignoringIDs } from '../support/ignoring-ids.ts';
import { type Cell, COMMANDS, type Ground, playOrders, STATES } from '../support/job-orders.ts';
import { newSite } from '../support/site.ts';

const isLong = process.env.PM_TEST_LONG !== undefined;
/** Of each ground. */
const SEQUENCES = isLong ? 1_700 : 70;
/** Lists of records and jobs stay short. */
const SEQUENCES_PER_SITE = 5;

/** A service, and whether the caller's program has the engine itself. */
const GROUNDS: readonly (readonly [string, () => Promise<Ground>])[] = [
  [
    'the engine',
    async () => {
      const { session } = (await newSite()).ada;
      if (!session.local) throw new Error('the engine is local');
      return { session, engine: session, jobs: session.local.jobs };
    },
  ],
  ['a service', async () => remote(false)],
  ['a service that gives IDs of its own', async () => remote(true)],
];

async function remote(gives: boolean): Promise<Ground> {
  const { engine: behind, ada } = await newSite();
  const backend = gives ? ignoringIDs(behind.backend) : behind.backend;
  const { local, ...session } = await backend.open({ user: ada.session.me.userName });
  return { session, engine: ada.session, jobs: await journalAt(journalFile()) };
}

describe.each(GROUNDS)('on %s', (_, open) => {
  it('any order of commands does what the table says, and loses and doubles nothing', async () => {
    const cells = new Map<Cell, number>();
    let ground = await open();
    for (let seed = 1; seed <= SEQUENCES; seed++) {
      if (seed % SEQUENCES_PER_SITE === 0) ground = await open();
      await playOrders(ground, seed, cells);
    }
    if (isLong) expect(seldom(cells, ground)).toEqual([]);
  });
});

const LEAST = 20;

/** The cells of the table that were not reached often enough. An engine knows what became of each row. */
function seldom(cells: ReadonlyMap<Cell, number>, { session }: Ground): readonly string[] {
  const possible = STATES.filter((state) => !session.local || (state !== 'unknown' && state !== 'rolling back'));
  const all = possible.flatMap((state) => COMMANDS.map((command): Cell => `${state}: ${command}`));
  return all.filter((cell) => (cells.get(cell) ?? 0) < LEAST).map((cell) => `${cell} ${cells.get(cell) ?? 0}`);
}
