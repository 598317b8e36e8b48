// P22: two sites compared, of one kind of ID and of their own, against the time that listing both takes.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Line, timesLine } from './line.ts';
import { COMMAND, giveMany } from './lists.ts';
import { type Program, pm, processPeak, processTime } from './processes.ts';
import { newSite } from './site.ts';
import { medians } from './timing.ts';

const GOAL = 2;
const MOST_MIB = 250;

/** Compares a site of so many records with a copy of it, and with a site that has as many under other IDs. */
export async function differences(root: string, count: number): Promise<readonly Line[]> {
  const [site, other] = [await newSite(), await newSite()];
  for (const one of [site, other]) await giveMany(one, count);
  await site.close();
  await other.close();
  try {
    const { home, user } = site;
    const copy = join(home, 'copy.db');
    copyFileSync(site.file, copy);
    const list: Program = { root, home, user, args: pm(root, COMMAND) };
    const both = async () => (await processTime(list)) + (await processTime({ ...list, home: other.home }));
    const lines: Line[] = [];
    for (const [what, file] of [
      ['a copy', copy],
      ['a site with IDs of its own', other.file],
    ] as const) {
      const ours: Program = { ...list, args: [...pm(root, 'diff'), file, '-o', 'none'] };
      const peak = await processPeak(ours);
      const time = await medians(3, { ours: () => processTime(ours), limit: both });
      const words = `pm diff with ${what}, ${count.toLocaleString('en')} records`;
      const line = timesLine({ row: 'P22', what: words, goal: GOAL, ...time });
      const goal = `${line.goal}, ≤ ${MOST_MIB} MiB`;
      lines.push({ ...line, goal, met: line.met && peak <= MOST_MIB, memory: `${peak.toFixed(0)} MiB` });
    }
    return lines;
  } finally {
    await site.end();
    await other.end();
  }
}
