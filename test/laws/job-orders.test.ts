// Commands on jobs in any order, with kills: each does what the table of pm help changes says, and nothing is lost or doubled.
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../src/contract/call.ts';
import { journalAt, journalFile } from '../engine/job-fixture.ts';
import { credentialOn, usingClient } from '../support/backends.ts';
import { ignoringIDs } from '../support/ignoring-ids.ts';
import { type Cell, COMMANDS, type Ground, playOrders, STATES } from '../support/job-orders.ts';
import { newSite } from '../support/site.ts';

const isLong = process.env.PM_TEST_LONG !== undefined;
/** Of each ground. */
const SEQUENCES = isLong ? 1_700 : 70;
/** Lists of records and jobs stay short. */
const SEQUENCES_PER_SITE = 5;

const ENGINE = async (): Promise<Ground> => {
  const { session } = (await newSite()).ada;
  if (!session.local) throw new Error('the engine is local');
  return { session, engine: session, jobs: session.local.jobs };
};

function play(open: () => Promise<Ground>): void {
  it('any order of commands does what the table says, and loses and doubles nothing', async () => {
    const cells = new Map<Cell, number>();
    let ground = await open();
    for (let seed = 1; seed <= SEQUENCES; seed++) {
      if (seed % SEQUENCES_PER_SITE === 0) ground = await open();
      await playOrders(ground, seed, cells);
    }
    if (isLong) expect(seldom(cells, ground)).toEqual([]);
  });
}

describe('on the engine', () => play(ENGINE));

describe.each([
  ['pm serve', (behind: Backend) => behind],
  ['a service that gives IDs of its own', ignoringIDs],
])('on %s', (_, serviceOver) => {
  let behind: Backend;
  const { client } = usingClient('application/json', () => behind);
  play(async () => {
    const { engine, ada } = await newSite();
    behind = serviceOver(engine.backend);
    const session = await client().open(await credentialOn(engine.backend));
    return { session, engine: ada.session, jobs: await journalAt(journalFile()) };
  });
});

const LEAST = 20;

/** The cells of the table that were not reached often enough. An engine knows what became of each row. */
function seldom(cells: ReadonlyMap<Cell, number>, { session }: Ground): readonly string[] {
  const possible = STATES.filter((state) => !session.local || (state !== 'unknown' && state !== 'rolling back'));
  const all = possible.flatMap((state) => COMMANDS.map((command): Cell => `${state}: ${command}`));
  return all.filter((cell) => (cells.get(cell) ?? 0) < LEAST).map((cell) => `${cell} ${cells.get(cell) ?? 0}`);
}
