// A migration that is killed at a call by which it changes the disk: the database is as it was or migrated, and what is
// called a copy is a whole one. The floor: a few calls of each kind; the long run: every call.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { restore } from '../support/database-text.ts';
import { isLong } from '../support/long.ts';
import { next, usingNextPm, withPhone } from '../support/next-version.ts';
import { madeIn, migrated, newFile, query } from '../support/older-files.ts';
import { inTurns, isSound, usingGround } from './ground.ts';
import { type Point, pointsOf, runUntil } from './tracing.ts';

const program = usingNextPm();
const command = (): readonly string[] => [program(), 'individuals', 'list', '-o', 'json'];
/** The individuals that are listed. */
const LIVE = `SELECT 1 FROM "individual" WHERE "Deleted" = 0 AND "SiteID" = (SELECT "SiteID" FROM "individual" ORDER BY rowid LIMIT 1)`;
const FEW = 2;
const LANES = 3;
/** What opens it in the place of that program. */
const NEXT = { resources: withPhone, kind: next() };
const ground = usingGround();

let older = '';
/** A folder of pm's with an older database. */
const olderHome = (): string => ground.copy(older);

/** The first, the last and some between. */
function chosen(all: readonly Point[]): readonly Point[] {
  if (isLong) return all;
  const kinds = [...new Set(all.map(({ call }) => call))];
  return kinds.flatMap((kind) => {
    const points = all.filter(({ call }) => call === kind);
    const step = Math.max(1, Math.floor((points.length - 1) / FEW));
    return points.filter((_, i) => i % step === 0);
  });
}

interface Seen extends Point {
  readonly exit: number;
  readonly sound: boolean;
  /** Copies that have their name and are not whole, or that others may read. */
  readonly badCopies: readonly string[];
  /** Whether everybody is there once the next one opens it. */
  readonly goesOn: boolean;
  readonly tables: unknown;
}

/** `what` happens at the point in place of the call. */
async function brokenAt(point: Point, what: string, people: number): Promise<Seen> {
  const home = olderHome();
  const file = join(home, 'local.db');
  const { exit } = await runUntil(point, what, command(), home);
  const badCopies = readdirSync(home).filter((name) => /\.version-\d/.test(name) && isBad(join(home, name), people));
  const sound = isSound(home);
  const goesOn = query(await migrated(file, NEXT), LIVE).length === people;
  return { ...point, exit, sound, badCopies, goesOn, tables: madeIn(file) };
}

function isBad(copy: string, people: number): boolean {
  const [whole] = query(copy, 'PRAGMA integrity_check');
  const isWhole = whole?.integrity_check === 'ok' && query(copy, LIVE).length === people;
  return !isWhole || (statSync(copy).mode & 0o077) !== 0;
}

describe('the migration of a database', { tags: 'strace' }, () => {
  let all: readonly Point[] = [];
  let people = 0;
  beforeAll(async () => {
    older = ground.empty();
    restore('local', join(older, 'local.db'));
    const home = olderHome();
    people = query(join(home, 'local.db'), LIVE).length;
    all = await pointsOf(command(), home);
  });

  it('leaves a database that goes on, and no half copy, wherever it is killed', async () => {
    const points = chosen(all);
    expect(points.length).toBeGreaterThan(10);
    const seen = await inTurns(points, LANES, (point) => brokenAt(point, 'signal=SIGKILL', people));
    const tables = madeIn(await newFile(NEXT));
    const well = { exit: -1, sound: true, badCopies: [], goesOn: true, tables };
    expect(seen).toEqual(points.map((point) => ({ ...point, ...well })));
  });

  it('leaves a database that goes on, and no half copy, wherever the disk is full', async () => {
    const points = chosen(all).filter((_, at) => isLong || at % 3 === 0);
    const seen = await inTurns(points, LANES, (point) => brokenAt(point, 'error=ENOSPC', people));
    const tables = madeIn(await newFile(NEXT));
    // What is only kept for later commands may be missing.
    expect(seen.filter(({ exit }) => exit !== 0 && exit !== 10)).toEqual([]);
    expect(seen.some(({ exit }) => exit === 10)).toBe(true);
    const well = { sound: true, badCopies: [], goesOn: true, tables };
    expect(seen.map(({ exit, ...one }) => one)).toEqual(points.map((point) => ({ ...point, ...well })));
  });
});
