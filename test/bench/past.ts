// P19: a long list as it was, against the same list as it is and a second.
import { type Line, timesLine } from './line.ts';
import { COMMAND, giveMany } from './lists.ts';
import { type Program, pm, processTime } from './processes.ts';
import { newSite } from './site.ts';
import { medians } from './timing.ts';

const COUNT = 100_000;
const ROUNDS = 7;
const MOST_MS = 1_000;

/** How much longer the list takes of a moment behind all changes. */
export async function listOfThePast(root: string): Promise<Line> {
  const site = await newSite();
  await giveMany(site, COUNT);
  await site.close();
  try {
    const now: Program = { root, home: site.home, user: site.user, args: pm(root, COMMAND) };
    const then: Program = { ...now, args: pm(root, `${COMMAND} --at -0h`) };
    const time = await medians(ROUNDS, { ours: () => processTime(then), limit: () => processTime(now) });
    const what = `list --at, ${COUNT.toLocaleString('en')} rows, beyond the list as it is`;
    return timesLine({ row: 'P19', what, ours: time.ours - time.limit, limit: MOST_MS, goal: 1 });
  } finally {
    await site.end();
  }
}
