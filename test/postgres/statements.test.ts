// How many statements a job sends to the server, with BEGIN, COMMIT and all: each is a round trip, so that rows share them. The
// suite tries what makes, moves and takes away most; the long run the rest.
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { inLong, isLong } from '../support/long.ts';
import { usingPm } from '../support/pm.ts';
import { usingPostgres } from '../support/postgres.ts';

const pm = usingPm();
const sent = vi.spyOn(pg.Client.prototype, 'query');

/** Both are too many to be planned in memory. The second number is of half a thousand rows more, or of two thousand. */
const [SOME, MORE] = inLong([510, 1_010], [600, 2_600]);
const MOST = 20;
const PERSON = 'UserName,FirstName,LastName,Email,PrimaryTitle,PrimaryReportsTo,PrimaryOrganizationID';

const table = (head: string, rows: number, row: (n: number) => string): string =>
  [head, ...Array.from({ length: rows }, (_, n) => row(n))].join('\n');

/** As pm says it. */
const grouped = (count: number): string => String(count).replace(/\B(?=\d{3}$)/, ' ');

/** A command, and what it reads. */
type Step = readonly [line: string, stdin?: string];

describe(`a thousand rows take at most ${MOST} statements`, { tags: 'postgres' }, () => {
  const { newSite } = usingPostgres();

  /** The statements of each step of a job of so many rows, on a database of its own. */
  async function statementsOf(rows: number, steps: (rows: number, department: string) => readonly Step[]) {
    const env = { PM_DATABASE: await newSite() };
    const [first] = await pm('organizations list -o json', { env }).rows();
    const counts: number[] = [];
    for (const [line, stdin] of steps(rows, String(first?.ID))) {
      const [newest] = await pm('jobs list -o json', { env }).rows();
      sent.mockClear();
      const wanted = line === 'redo' ? `undo ${String(newest?.ID)} -y` : line;
      await pm(wanted, { env, ...(stdin === undefined ? {} : { stdin }) }).says(grouped(rows));
      counts.push(sent.mock.calls.length);
    }
    return counts;
  }

  async function staysBelow(steps: (rows: number, department: string) => readonly Step[]): Promise<void> {
    const [some, more] = [await statementsOf(SOME, steps), await statementsOf(MORE, steps)];
    const each = more.map((count, at) => (count - (some[at] ?? 0)) / ((MORE - SOME) / 1_000));
    expect(each.filter((count) => count > MOST)).toEqual([]);
  }

  it('where people are made, changed and deleted, and all of it is taken back, and done again', () =>
    staysBelow((rows, department) => {
      const people = (title: string): string =>
        table(PERSON, rows, (n) => `u${n},Ann,Lee${n},u${n}@example.com,${title},admin,${department}`);
      return [
        ['import individuals - -y', people('Driver')],
        ['import individuals - -y', people('Boss')],
        ['undo -y'],
        ['undo -y'],
        ['redo'],
        [`import individuals - -y --confirm database:${rows} --mode delete`, table('UserName', rows, (n) => `u${n}`)],
        ['undo -y'],
      ];
    }));

  it.runIf(isLong)('where comments and basic roles are made, deleted and brought back, which others show', () =>
    staysBelow((rows, department) => {
      const comments = table('AncestorID,Body', rows, (n) => `${department},C${n}`);
      const roles = table('Individual,Name,Rank', rows, (n) => `admin,R${n},${n}`);
      return [
        ['import comments - -y --mode create', comments],
        ['undo -y'],
        ['redo'],
        ['import basic-roles - -y --mode create', roles],
        ['undo -y'],
        ['redo'],
      ];
    }),
  );

  it.runIf(isLong)('where records are made to which nothing belongs, and deleted again', () =>
    staysBelow((rows) => {
      const parts = table('Individual,Name,Rank,Description', rows, (n) => `admin,A${n},${n},x`);
      const departments = table('Name,Rank', rows, (n) => `D${n},${n + 2}`);
      const colors = table('Name,Code,Rank', rows, (n) => `C${n},#00ff00,${n}`);
      const below = table('Name,Parent,Rank', rows, (n) => `S${n},D${n},1`);
      return [
        ['import accountabilities - -y --mode create', parts],
        ['undo -y'],
        ['redo'],
        ['import organizations - -y --mode create', departments],
        ['undo -y'],
        ['redo'],
        ['import organizations - -y --mode create', below],
        ['undo -y'],
        ['redo'],
        ['import colors - -y --mode create', colors],
        ['undo -y'],
      ];
    }),
  );

  it('where departments are deleted and brought back that have others below them', () =>
    staysBelow((rows) => {
      const departments = table('Name,Rank', rows, (n) => `D${n},${n + 2}`);
      const below = table('Name,Parent,Rank', rows, (n) => `S${n},D${n},1`);
      return [
        ['import organizations - -y --mode create', departments],
        ['import organizations - -y --mode create', below],
        [
          `import organizations - -y --confirm database:${rows} --mode delete --key Name`,
          table('Name', rows, (n) => `D${n}`),
        ],
        ['undo -y'],
        ['redo'],
      ];
    }));
});
