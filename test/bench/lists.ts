// P6: a long list as a stream of lines, and the memory it takes, against a program that only reads and writes.
import { join } from 'node:path';
import { contract } from '../../src/contract/index.ts';
import { driverFor } from '../../src/engine/store/sqlite/driver.ts';
import { type Line, timesLine } from './line.ts';
import { type Program, pm, processPeak, processTime } from './processes.ts';
import { accountability, fill, newSite, type Site } from './site.ts';
import { medians } from './timing.ts';

const GOAL = 2;
const MOST_MIB = 150;
export const COMMAND = 'accountabilities list --mine -o ndjson';

/** Lists so many accountabilities of one individual. */
export async function lists(root: string, count: number, rounds: number): Promise<Line> {
  const site = await newSite();
  await giveMany(site, count);
  await site.close();
  try {
    const { home, user } = site;
    const ours: Program = { root, home, user, args: pm(root, COMMAND) };
    const program = join(root, 'test/bench/bare-list.js');
    const bare: Program = { ...ours, args: [program, driverFor(process.versions), site.file, statement(site)] };
    const peak = await processPeak(ours);
    const time = await medians(rounds, { ours: () => processTime(ours), limit: () => processTime(bare) });
    const line = timesLine({
      row: 'P6',
      what: `list -o ndjson, ${count.toLocaleString('en')} rows`,
      goal: GOAL,
      ...time,
    });
    const goal = `${line.goal}, ≤ ${MOST_MIB} MiB`;
    return { ...line, goal, met: line.met && peak <= MOST_MIB, memory: `${peak.toFixed(0)} MiB` };
  } finally {
    await site.end();
  }
}

export async function giveMany(site: Site, count: number): Promise<void> {
  const owner = site.session.me.id;
  const { create } = contract.accountability.operations;
  const first = await site.session.call(create, { body: accountability(owner, 0) });
  await fill(site, 'accountability', String(first.ID), count - 1, (n) => ({
    Rank: n % 1000,
    Name: String(accountability(owner, n).Name),
  }));
}

/** The same members of the same records in the same order. */
function statement({ session }: Site): string {
  const members = Object.keys(contract.accountability.fields).map((name) => `"${name}"`);
  const where = `"SiteID" = '${session.me.site}' AND "AncestorID" = '${session.me.id}' AND "Deleted" = 0 AND "DeletedByRef" = 0`;
  return `SELECT ${members.join(', ')} FROM accountability WHERE ${where} ORDER BY "Rank", "Name$", "ID"`;
}
