// pm history prune: what it forgets and what it keeps, and a file that becomes smaller while others use it.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { type Pm, pmIn } from '../support/pm.ts';

const on = (day: string) => ({ now: () => new Date(`${day}T09:00:00Z`) });
const OLD = on('2025-01-10');
const LATER = on('2026-03-01');
const TODAY = on('2026-03-31');

let home = '';
let pm: Pm;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pm-prune-'));
  pm = pmIn(() => home);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const file = (): string => join(home, 'local.db');

function inFile<T>(look: (database: ReturnType<typeof openDatabase>) => T): T {
  const database = openDatabase(file());
  try {
    return look(database);
  } finally {
    database.close();
  }
}

/** Makes so many colors, and renames them twice: now, and later. */
async function colors(count: number): Promise<void> {
  const rows = (name: string) => Array.from({ length: count }, (_, at) => `${at + 10},${name} ${at},ff0000`);
  const save = (name: string): string => {
    const path = join(home, `${name}.csv`);
    writeFileSync(path, ['Rank,Name,Code', ...rows(name), ''].join('\n'));
    return path;
  };
  await pm(['import', 'colors', save('Paint'), '--mode', 'create', '--yes'], OLD).prints();
  await pm(
    ['import', 'colors', save('Paint'), '--mode', 'delete', '--yes', '--confirm', `local:${count}`],
    OLD,
  ).prints();
}

it('forgets what is older, and says what it would forget before', async () => {
  await pm('departments create --name Sales --parent Local --rank 1', OLD).prints();
  await pm('departments update Sales --focus Old', OLD).prints();
  await pm('departments update Sales --focus New', LATER).prints();
  await pm('history prune --older-than 365d -n', TODAY).says(/Would forget \d+ lines of history\./);
  expect(await pm('history departments Sales -o json', TODAY).rows()).not.toHaveLength(1);
  await pm('history prune --older-than 365d', TODAY).says(/Forgot \d+ lines of history\./);
  expect(await pm('history departments Sales -o json', TODAY).rows()).toMatchObject([
    { What: 'update', Before: 'Old', After: 'New' },
  ]);
  await pm('history prune --older-than 365d', TODAY).says('Forgot 0 lines of history.');
});

it('forgets nothing that came after the first line of that time, whatever the clock said', async () => {
  await pm('departments create --name Sales --parent Local --rank 1', LATER).prints();
  await pm('departments update Sales --focus Back', OLD).prints();
  await pm('history prune --older-than 365d', TODAY).says('Forgot 0 lines of history.');
});

describe('keeps', () => {
  it('the changes of a projected end, which dashboards count', async () => {
    await pm(
      'projects create --name Ferry --department Local --rank 1 --phase Idea --status "On track" --end-date-projected 2025-02-01',
      OLD,
    ).prints();
    await pm('projects update Ferry --end-date-projected 2025-03-01', OLD).prints();
    await pm('projects update Ferry --description Changed', OLD).prints();
    const changes = () =>
      inFile((database) =>
        database
          .prepare("SELECT Before FROM line JOIN line_name AS r ON r.Number = Resource AND r.Name = 'project'")
          .pluck()
          .all(),
      );
    expect(changes()).toHaveLength(3);
    await pm('history prune --older-than 365d', TODAY).prints();
    expect(changes()).toEqual([expect.stringContaining('EndDateProjected')]);
  });

  it('the last image of what was deleted for good, so that it can be made again', async () => {
    await colors(3);
    await pm('history prune --older-than 365d', TODAY).prints();
    await pm('undo --yes --confirm local:3', TODAY).prints();
    expect(
      (await pm('colors list -o json', TODAY).rows()).filter(({ Name }) => String(Name).startsWith('Paint')),
    ).toHaveLength(3);
    const kept = inFile((database) =>
      database
        .prepare(
          "SELECT What FROM line JOIN line_name AS r ON r.Number = Resource AND r.Name = 'color' WHERE At < 1767225600000",
        )
        .pluck()
        .all(),
    );
    expect(new Set(kept)).toEqual(new Set([3]));
  });
});

describe('a file with much history', () => {
  beforeEach(async () => {
    await pm('individuals list', OLD).prints();
  });

  const fill = (): void =>
    inFile((database) => {
      const entry = database.prepare(
        'INSERT INTO line (Site, At, Caller, Resource, ID, What, Before) SELECT Site, At, Caller, Resource, ?, 2, ? FROM line LIMIT 1',
      );
      database.transaction(() => {
        for (let at = 0; at < 12_000; at++) entry.run(`task ${at}`, JSON.stringify({ Name: 'x'.repeat(200) }));
      })();
    });
  const pragma = (name: string): unknown => inFile((database) => database.pragma(name, { simple: true }));

  it('becomes smaller', async () => {
    fill();
    const before = statSync(file()).size;
    await pm('history prune --older-than 365d', TODAY).says(/is [\d.]+ MiB smaller\./);
    expect(statSync(file()).size).toBeLessThan(before / 2);
    expect(pragma('freelist_count')).toBe(0);
    expect(pragma('integrity_check')).toBe('ok');
  });

  it('keeps its room where another program has written it anew, so that it cannot become smaller', async () => {
    inFile((database) => database.exec('PRAGMA auto_vacuum = NONE; VACUUM'));
    fill();
    await pm('history prune --older-than 365d', TODAY).prints();
    expect(pragma('freelist_count')).not.toBe(0);
  });
});

it('is for administrators, and for a number of days', async () => {
  await pm(
    'individuals create --first-name Bob --last-name B --user-name bob --email bob@example.org --primary-organization Local --primary-title x --primary-reports-to admin',
    OLD,
  ).prints();
  await pm('history prune --older-than 1d --as bob', TODAY).fails(5, 'administrators');
  await pm('history prune --older-than soon', TODAY).fails(2, 'a number of days');
  await pm('history prune', TODAY).fails(2, '--older-than');
});

it('is told by the doctor: since when history is kept, and what room it and the jobs take', async () => {
  await pm('departments create --name Sales --parent Local --rank 1', OLD).prints();
  const counted = (await pm('doctor -o json', TODAY).rows()).find(({ Check }) => Check === 'jobs')?.Found;
  expect(counted).toMatch(/^1 job: /);
  await pm('departments update Sales --focus New', LATER).prints();
  const found = async (check: string) =>
    (await pm('doctor -o json', TODAY).rows()).find(({ Check }) => Check === check)?.Found;
  expect(await found('history')).toMatch(/^[\d ]+ lines since 2025-01-10: [\d.]+ KiB of the [\d.]+ [KM]iB of /);
  expect(await found('jobs')).toMatch(/^2 jobs: [\d.]+ KiB of the .* are free$/);
  await pm('history prune --older-than 365d', TODAY).prints();
  expect(await found('history')).toMatch(/lines? since 2026-03-01/);
});
