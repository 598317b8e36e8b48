// P5: a large file imported by the embedded engine, and the memory it takes, against a program that checks nothing, against
// the durable writes of the import alone, and against sqlite-utils where it can be had.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driverFor } from '../../src/engine/store/sqlite/driver.ts';
import { type Line, timesLine } from './line.ts';
import { type Program, pm, processPeak, processTime } from './processes.ts';
import { makeIndividuals, newSite, type Site } from './site.ts';
import { sqliteUtils } from './sqlite-utils.ts';
import { writeTable } from './table-file.ts';
import { type Contender, medians } from './timing.ts';

const INDIVIDUALS = 5000;
const GOAL = 1.7;
const MOST_MIB = 180;

interface Wanted {
  readonly count: number;
  readonly rounds: number;
  /** Is it worth installing sqlite-utils for it? */
  readonly peers: boolean;
}

/** Imports so many accountabilities of 5,000 individuals as new ones, each time into the same site. */
export async function imports(root: string, { count, rounds, peers }: Wanted): Promise<readonly Line[]> {
  const site = await newSite();
  const owners = await makeIndividuals(site, INDIVIDUALS);
  await site.close();
  const folder = mkdtempSync(join(tmpdir(), 'pm-bench-import-'));
  try {
    const file = join(folder, 'accountabilities.csv');
    writeTable(file, owners, count);
    const home = join(folder, 'home');
    const peer = peers ? await sqliteUtils(folder) : undefined;
    const { ours, bare, floor } = programs(root, site, home, file);
    const anew =
      (program: Program): Contender =>
      () => {
        refill(home, site);
        return processTime(program);
      };
    // One run takes some MiB more than another, by when its garbage is collected.
    const { peak } = await medians(3, {
      peak: () => {
        refill(home, site);
        return processPeak(ours);
      },
    });
    const contenders: Record<string, Contender> = {
      ours: anew(ours),
      limit: anew(bare),
      floor: anew(floor),
    };
    if (peer) contenders.peer = anew(peer.insert(home, join(home, 'peer.db'), file));
    const time = await medians(rounds, contenders);
    return linesOf(count, peak, time);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await site.end();
  }
}

function linesOf(count: number, peak: number, time: Readonly<Record<string, number>>): readonly Line[] {
  const { ours = Number.NaN, limit = Number.NaN, floor = Number.NaN, peer } = time;
  const what = `import, ${count.toLocaleString('en')} rows of CSV`;
  const line = timesLine({ row: 'P5', what, goal: GOAL, ours, limit });
  const memory = `${peak.toFixed(0)} MiB`;
  const whole = { ...line, goal: `${line.goal}, ≤ ${MOST_MIB} MiB`, met: line.met && peak <= MOST_MIB, memory };
  const writes = timesLine({ row: 'P5', what: `${what}, its durable writes alone`, goal: GOAL, ours: floor, limit });
  const lines = [whole, { ...writes, goal: '', met: undefined }];
  if (peer === undefined) return lines;
  return [...lines, timesLine({ row: 'P5', what: `${what}, against sqlite-utils`, goal: 1, ours, limit: peer })];
}

type Programs = Readonly<Record<'ours' | 'bare' | 'floor', Program>>;

function programs(root: string, site: Site, home: string, file: string): Programs {
  const { user, session } = site;
  const { me } = session;
  const by = (program: string): Program => ({
    ...{ root, home, user },
    args: [
      join(root, 'test/bench', program),
      driverFor(process.versions),
      join(home, 'local.db'),
      file,
      me.site,
      me.id,
    ],
  });
  return {
    ours: { root, home, user, args: pm(root, `-p local import accountabilities ${file} --mode create --yes`) },
    bare: by('bare-import.js'),
    floor: by('bare-journaled-import.js'),
  };
}

/** The site as it was before the import. */
function refill(home: string, site: Site): void {
  rmSync(home, { recursive: true, force: true });
  cpSync(site.home, home, { recursive: true });
}
