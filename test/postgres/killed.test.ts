// A server that is killed, and a pm that is killed, at a random moment of an import, an update and an undo: each row is done
// once, whoever goes on from there. The floor: 3 kills of each of both; the long run: 30, of twice the rows.
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { tellKills, usingGround } from '../faults/ground.ts';
import { inLong } from '../support/long.ts';
import { type Pm, pmIn } from '../support/pm.ts';
import { onDatabase, usingPostgres } from '../support/postgres.ts';
import { spawnedWhile } from '../support/terminal.ts';

const [KILLS, ROWS] = inLong([3, 1_000], [30, 2_000]);
/** The longest time from the first row of a job to the kill, and from there to the new start of the server. */
const [UNTIL_KILL_MS, UNTIL_START_MS] = [ROWS * 0.3, 500];
const ground = usingGround();

/** What the colors of a round have become: their ranks begin there, and their history has so many lines. */
/** As lines number them. */
const WHATS = ['create', 'update', 'delete', 'undelete'];

interface Wanted {
  readonly rank: number;
  readonly past: Readonly<Record<string, number>>;
}

interface Command extends Wanted {
  readonly line: readonly string[];
}

interface Scene {
  readonly pm: (line: string | readonly string[]) => ReturnType<Pm>;
  readonly address: string;
  kill(child: ChildProcess): Promise<void>;
}

const fileOf = (round: number, rank: number): string => {
  const file = join(ground.root, `round-${round}-${rank}.csv`);
  const rows = Array.from({ length: ROWS }, (_, at) => `${rank + at},round ${round} no ${at},ff0000`);
  writeFileSync(file, ['Rank,Name,Code', ...rows, ''].join('\n'));
  return file;
};

describe('on PostgreSQL', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  const sceneOf = async (kill: Scene['kill']): Promise<Scene> => {
    const address = await server().newDatabase();
    const there = pmIn(() => ground.root);
    const pm = (line: string | readonly string[]) => there(line, { env: { PM_DATABASE: address } });
    await pm('individuals list');
    return { pm, address, kill };
  };

  /** An import, an update of what it made, and the undo of the update. */
  async function* commands({ pm }: Scene): AsyncGenerator<readonly [round: number, command: Command]> {
    for (let round = 1; ; round++) {
      const made = fileOf(round, 10);
      yield [round, { line: ['import', 'colors', made, '--mode', 'create', '-y'], rank: 10, past: { create: 1 } }];
      const changed = fileOf(round, 90_010);
      const update = ['import', 'colors', changed, '--mode', 'update', '--key', 'Name', '-y'];
      yield [round, { line: update, rank: 90_010, past: { create: 1, update: 1 } }];
      const job = await newest(pm);
      yield [round, { line: ['undo', String(job?.ID), '-y'], rank: 10, past: { create: 1, update: 2 } }];
    }
  }

  /** Runs a command, kills meanwhile, and brings it to its end. Answers how it was left; undefined where it was too fast. */
  async function killedIn(scene: Scene, { line }: Command): Promise<string | undefined> {
    const before = await newest(scene.pm);
    const states = ['running', ...(Math.random() < 0.3 ? ['planning', 'planned'] : [])];
    let isHit = false;
    const env = { PM_DATABASE: scene.address };
    const { exit } = await spawnedWhile(line, { home: ground.root, env }, async (child) => {
      while (child.exitCode === null && !(await isBegun(scene.address, before?.ID, states))) await pause(5);
      await pause(Math.random() * UNTIL_KILL_MS);
      isHit = child.exitCode === null;
      if (isHit) await scene.kill(child);
    });
    const job = await newest(scene.pm);
    const left = job?.ID === before?.ID ? 'nothing' : String(job?.State);
    // What was not planned to its end is given again.
    if (left === 'nothing' || left === 'planning') await scene.pm(line).says();
    else if (left !== 'ended') await scene.pm(`jobs resume ${String(job?.ID)} -y`).says();
    return isHit ? `${left} (exit ${exit})` : undefined;
  }

  async function expectDone({ address }: Scene, round: number, { rank, past }: Wanted): Promise<void> {
    const colors = `SELECT "ID", "Name", "Rank" FROM "color" WHERE "Name" LIKE 'round ${round} no %' ORDER BY "Rank"`;
    const found = (await onDatabase(address, colors)).map(([, name, at]) => `${name}: ${at}`);
    expect(found).toEqual(Array.from({ length: ROWS }, (_, at) => `round ${round} no ${at}: ${rank + at}`));
    const lines = `SELECT What, count(*), count(DISTINCT h.ID) FROM line h JOIN (${colors}) c ON c."ID"::text = h.ID
      WHERE Resource = (SELECT Number FROM line_name WHERE Name = 'color') GROUP BY What ORDER BY What`;
    const wanted = Object.entries(past).map(([what, times]) => [WHATS.indexOf(what) + 1, times * ROWS, ROWS]);
    expect((await onDatabase(address, lines)).map((counts) => counts.map(Number))).toEqual(wanted);
  }

  it.each([
    [
      'the server',
      async () => {
        server().kill();
        await pause(Math.random() * UNTIL_START_MS);
        server().start();
      },
    ],
    ['pm', async (child: ChildProcess) => void child.kill('SIGKILL')],
  ])(`${KILLS} kills of %s lose nothing and double nothing`, async (who, kill) => {
    const scene = await sceneOf(kill);
    const left: string[] = [];
    for await (const [round, command] of commands(scene)) {
      const how = await killedIn(scene, command);
      if (how !== undefined) left.push(`${command.line[0]} ${how}`);
      await expectDone(scene, round, command);
      if (left.length === KILLS) break;
    }
    tellKills(who, left);
    expect(left.filter((how) => !how.includes('nothing'))).not.toEqual([]);
  });
});

const newest = async (pm: Scene['pm']) => (await pm('jobs list -o json').rows()).at(0);

/** Is a later job in the journal than this one, and of one of these states? */
const isBegun = async (address: string, before: unknown, states: readonly string[]): Promise<boolean> =>
  (await onDatabase(address, 'SELECT ID, State FROM job ORDER BY Sequence DESC LIMIT 1')).some(
    ([job, state]) => job !== before && states.includes(String(state)),
  );
