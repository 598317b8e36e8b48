// Jobs on a service of other people's making whose client is killed: each record is made by one request, no member is
// lost, and the way back is whole. The floor: 8 rows over XML, some habits, and one kill of each command;
// the long run: 200 over JSON and XML, each habit, and kills until it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inLong, isLong } from '../support/long.ts';
import { type Member, usingPm } from '../support/pm.ts';
import type { StrangeService } from '../support/strange-service.ts';
import { ANSWERING, HABITS, MANNERS, strangeSite } from '../support/strange-site.ts';
import { PM } from '../support/terminal.ts';

const ROWS = inLong(8, 200);
/** Rows that are answered between two kills, at most, and how often a command is killed at most. */
const [BETWEEN, KILLS] = inLong([5, 1], [60, Number.POSITIVE_INFINITY]);
/** The suite tries a few of them. */
const SHORT = [
  'has all of these habits',
  'says nothing of a new record, and gives IDs of its own',
  'answers 503 to what it has done',
  'names the next page of a list by Link',
];
const CASES = Object.entries({ ...HABITS, ...ANSWERING, ...MANNERS }).filter(
  ([what]) => isLong || SHORT.includes(what),
);
const pm = usingPm();

describe.each(inLong(['xml'], ['json', 'xml']))('over %s, a service that', (wire) => {
  const env = { PM_PASSWORD: 'secret', PM_PROFILE: 's', PM_WIRE: wire };
  const run = (line: readonly string[]) => pm(line, { env });
  const state = (service: StrangeService): readonly Member[] => structuredClone(service.all('accountabilities'));

  it.each(CASES)('%s', async (_, habits) => {
    const service = await strangeSite(pm, habits);
    const killing = killer(service, () => ({ ...env, PM_HOME: pm.home }), run);
    await killing(['import', 'accountabilities', file('new', 'All of it.'), '--mode', 'create', '--yes']);
    const made = state(service);
    expect(made.map(({ Name }) => Name).sort()).toEqual(NAMES.toSorted());
    // What is not shown yet is sent again with its ID, which the service refuses.
    const sent = habits.lags && !habits.givesIDs ? service.received()['POST accountabilities'] : ROWS;
    expect(service.received()['POST accountabilities']).toBe(sent);

    await killing(['import', 'accountabilities', file('changed', 'Half of it.'), '--mode', 'update', '--yes']);
    expect(state(service)).toEqual(made.map((one) => ({ ...one, Description: 'Half of it.' })));
    await killing(['undo', '--yes']);
    expect(state(service)).toEqual(made);
    expect(service.received()['POST accountabilities']).toBe(sent);
  });
});

const NAMES = Array.from({ length: ROWS }, (_, at) => `Work ${at + 1}`);

function file(name: string, description: string): string {
  const path = join(pm.home, `${name}.csv`);
  const lines = NAMES.map((one, at) => `user${10 + (at % 6)},${at + 1},${one},${description}`);
  writeFileSync(path, ['AncestorID,Rank,Name,Description', ...lines, ''].join('\n'));
  return path;
}

/** The exit code while pm does not know what became of a row. */
const UNKNOWN = 9;
/** A job that stops where the service fails for a while. */
const STOPPED = 3;

type Run = (line: readonly string[]) => ReturnType<typeof pm>;

/** Runs a command, kills it after some answers, and goes on with its job until it ends. */
function killer(service: StrangeService, env: () => Readonly<Record<string, string>>, run: Run) {
  const count = (): number => Object.values(service.received()).reduce((sum, one) => sum + one, 0);
  const begun = async (line: readonly string[]): Promise<number | null> => {
    const until = count() + 1 + Math.floor(Math.random() * BETWEEN);
    const child = spawn(process.execPath, [PM, ...line], {
      env: { ...env(), PATH: process.env.PATH },
      stdio: 'ignore',
    });
    const gone = once(child, 'exit');
    while (child.exitCode === null && count() < until) await after(1);
    child.kill('SIGKILL');
    await gone;
    return child.exitCode;
  };
  /** Says of each row what the service knows. */
  const settle = async (job: string): Promise<void> => {
    for (const { Row } of await run(['jobs', 'show', job, '--rows', '--state', 'unknown', '-o', 'json']).rows()) {
      const made = service.all('accountabilities').find(({ Name }) => Name === NAMES[Number(Row) - 1]);
      const how = made ? ['--done', '--id', String(made.ID)] : ['--not-done'];
      await run(['jobs', 'settle', job, '--row', String(Row), ...how, '--yes']).prints();
    }
  };
  return async (line: readonly string[]): Promise<void> => {
    let next = line;
    let turns = 0;
    const go = async () => (turns < KILLS ? begun(next) : (await run(next)).exit);
    for (let exit = await go(); exit !== 0; exit = await go()) {
      expect([null, UNKNOWN, STOPPED]).toContain(exit);
      expect(++turns).toBeLessThan(2 * ROWS);
      const [job] = await run(['jobs', 'list', '--limit', '1', '-o', 'json']).rows();
      if (exit === UNKNOWN) await settle(String(job?.Job));
      next = job?.State === 'planning' || job === undefined ? line : ['jobs', 'resume', String(job.Job), '--yes'];
    }
  };
}
