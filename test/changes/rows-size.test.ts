// A file of any length becomes changes in flat memory, where its rows do not name each other.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { type InputFile, openInput } from '../../src/changes/files/index.ts';
import type { Change } from '../../src/changes/plan/change.ts';
import { intakeOf } from '../../src/changes/rows/intake.ts';
import { newKeyLines } from '../../src/changes/rows/keys.ts';
import type { Records } from '../../src/changes/rows/row-draft.ts';
import type { Row } from '../../src/contract/resource.ts';
import { wished } from '../support/intake.ts';
import { inLong } from '../support/long.ts';

const MIB = 1 << 20;
const COUNT = inLong(75_000, 300_000);
/** What they take where they are held, and at most where they are not. */
const [HELD, FLAT] = inLong([16, 16], [60, 40]);
const OWNERS = 5_000;

setFlagsFromString('--expose-gc');
const clean = runInNewContext('gc') as () => void;

const idOf = (at: number): string => `aaaaaaaa-0000-4000-8000-${String(at % OWNERS).padStart(12, '0')}`;

/** A service on which every third line is there already. */
const records: Records = {
  me: { id: idOf(0), site: 'bbbbbbbb-0000-4000-8000-000000000000' },
  find: {
    record: async (_, { id = '' }) => ({ state: 'live', row: { ID: id } }),
    byMembers: async (_, { AncestorID, Name }) => {
      const at = Number(String(Name).slice('Line '.length));
      if (Math.floor(at / OWNERS) % 3 !== 0) return [];
      const ID = `cccccccc-0000-4000-8000-${String(at).padStart(12, '0')}`;
      return [{ ID, AncestorID, Name, Rank: 1, Description: 'As it was', Deleted: false } as Row];
    },
  },
  resolve: async (_, text) => text,
};

async function all(path: string, each: (changes: readonly Change[]) => void) {
  const input: InputFile = await openInput(path);
  const intake = intakeOf(input, records, wished('accountability', {}));
  for await (const changes of intake.changes()) each(changes);
  await input.close();
  return intake.counts;
}

/** The bytes that are in use, without what waits to be cleaned away. */
function held(): number {
  clean();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe(`${COUNT} accountabilities`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pm-files-'));
  const path = join(folder, 'long.csv');
  beforeAll(() => {
    const rows = Array.from(
      { length: COUNT },
      (_, at) => `${idOf(at)},Line ${at},${at % 100},"What it means, ${at}"\n`,
    );
    writeFileSync(path, `Individual,Name,Rank,Description\n${rows.join('')}`);
    return () => rmSync(folder, { recursive: true, force: true });
  });

  it('are handed on without being held', async () => {
    const before = held();
    let most = 0;
    let batches = 0;
    const tally = await all(path, () => {
      if (batches++ % 50 === 49) most = Math.max(most, held() - before);
    });
    expect(tally).toMatchObject({ rows: COUNT, updates: COUNT / 3, creates: (COUNT / 3) * 2 });
    expect(most / MIB).toBeGreaterThan(0);
    expect(most / MIB).toBeLessThan(FLAT);
  });

  it('would be noticed if they were held', async () => {
    const kept: Change[] = [];
    await all(path, (changes) => void kept.push(...changes));
    expect(kept).toHaveLength(COUNT);
    const holding = held();
    kept.length = 0;
    expect((holding - held()) / MIB).toBeGreaterThan(HELD);
  });
});

describe('the keys of a file', () => {
  it('are met again on the line where they stood first, however many there are', () => {
    const seen = newKeyLines();
    const keys = Array.from({ length: 200_000 }, (_, at) => `${idOf(at)}\u0000line ${at}`);
    expect(keys.filter((key, at) => seen.add(key, at + 2) !== undefined)).toEqual([]);
    expect(keys.every((key, at) => seen.add(key, 1)?.line === at + 2)).toBe(true);
  });
});
