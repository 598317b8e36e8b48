// The law that any order of commands on jobs does what the table says, on one ground.
import { expect, it } from 'vitest';
import type { Ground } from '../support/job-orders/commands.ts';
import { playOrders } from '../support/job-orders/play.ts';
import { type Cell, COMMANDS, STATES } from '../support/job-orders/table.ts';
import { inLong, isLong } from '../support/long.ts';

/** Of each ground. */
const SEQUENCES = inLong(18, 1_700);
/** On a server the long run takes more than half an hour. */
const MOST_MS = inLong(5, 120) * 60_000;
/** Lists of records and jobs stay short. */
const SEQUENCES_PER_SITE = 5;

export function play(open: () => Promise<Ground>, sequences: number = SEQUENCES): void {
  it(
    'any order of commands does what the table says, and loses and doubles nothing',
    async () => {
      const cells = new Map<Cell, number>();
      let ground = await open();
      for (let seed = 1; seed <= sequences; seed++) {
        if (seed % SEQUENCES_PER_SITE === 0) ground = await open();
        await playOrders(ground, seed, cells);
      }
      if (isLong && sequences === SEQUENCES) expect(seldom(cells, ground)).toEqual([]);
    },
    MOST_MS,
  );
}

const LEAST = 20;

/** The cells of the table that were not reached often enough. An engine knows what became of each row. */
function seldom(cells: ReadonlyMap<Cell, number>, { session }: Ground): readonly string[] {
  const possible = STATES.filter((state) => !session.local || (state !== 'unknown' && state !== 'rolling back'));
  const all = possible.flatMap((state) => COMMANDS.map((command): Cell => `${state}: ${command}`));
  return all.filter((cell) => (cells.get(cell) ?? 0) < LEAST).map((cell) => `${cell} ${cells.get(cell) ?? 0}`);
}
