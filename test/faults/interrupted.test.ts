// An import that is told to end, or whose reader has gone: it ends with the exit code of that, says how to go on, and
// leaves nothing by half.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JobState } from '../../src/contract/jobs.ts';
import { isLong } from '../support/long.ts';
import { type CommandResult, pmIn } from '../support/pm.ts';
import { PM, spawnUnread } from '../support/terminal.ts';
import { broughtToEnd, importing, jobsIn, made, usingGround, wanted } from './ground.ts';
import { sending, usingService } from './service.ts';

const ground = usingGround();
const service = usingService();
/** So many that it does not end before it is told to. */
const MANY = 8_000;
/** A file that never has room. */
const FULL = '/dev/full';

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;
/** This one in the suite, where each of them has one place; all of them in the long run. */
const mostly = (signal: NodeJS.Signals) => SIGNALS.filter(([name]) => isLong || name === signal);

/** What a child says until it ends, and its exit code as a shell tells it. */
async function ending(child: ChildProcess): Promise<CommandResult> {
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [exit, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { out, err, exit: exit ?? 128 + constants.signals[signal ?? 'SIGKILL'] };
}

type Stream = number | 'pipe';
const started = (
  args: readonly string[],
  home: string,
  stdout: Stream = 'pipe',
  stderr: Stream = 'pipe',
): ChildProcess =>
  spawn(process.execPath, [PM, ...args], {
    env: { PATH: process.env.PATH, PM_HOME: home, USER: 'admin' },
    stdio: ['ignore', stdout, stderr],
  });

async function isIn(home: string, state: JobState): Promise<void> {
  while (jobsIn(home).at(-1)?.state !== state) await pause(5);
}
const isRunning = (home: string): Promise<void> => isIn(home, 'running');

/** Says that it was interrupted and how to go on, the summary whole, and nothing for programmers. */
function expectTold({ out, err }: CommandResult, job: string | undefined): void {
  const resume = `pm jobs resume ${job?.slice(0, 8)}`;
  expect(err).toContain('Interrupted: pm finishes the running requests first.');
  expect(err).toContain(`To go on: ${resume}`);
  expect(err).not.toMatch(/\n\s+at /);
  expect(out.split('\n')).toHaveLength(3);
  expect(out).toContain(resume);
}

describe('a sample', () => {
  it.each(mostly('SIGINT'))('that %s interrupts is not made, and pm says so', async (signal, exit) => {
    const home = ground.home();
    const child = started(['seed', '--sample', 'large', '--individuals', '4000'], home);
    const told = ending(child);
    await new Promise<void>((resolve) => child.stderr?.on('data', (text: string) => text.includes('▲') && resolve()));
    await pause(200);
    child.kill(signal);
    const ended = await told;
    expect({ ...ended, err: ended.err.split('\n').slice(-4).join('\n') }).toEqual({
      ...{ exit, out: '' },
      err: [
        'Interrupted: the sample is removed again.',
        'error: interrupted: nothing of the sample was made',
        'hint: Run the command again to make it.\n',
      ].join('\n'),
    });
    expect(await pmIn(() => home)('individuals list -o json').rows()).toHaveLength(1);
  });
});

describe('on the embedded engine', () => {
  it.each(mostly('SIGINT'))('%s ends it with %i', async (signal, exit) => {
    const home = ground.home();
    const file = ground.colors(MANY);
    const child = started(importing(file), home);
    const told = ending(child);
    await isRunning(home);
    child.kill(signal);
    expect((await told).exit).toBe(exit);
    const job = jobsIn(home).at(-1);
    expectTold(await told, job?.id);
    expect(job?.state).toBe('stopped');
    expect(made(home)).toEqual(wanted(job?.counts.done ?? 0));
    expect(made(home).length).toBeLessThan(MANY);
    await broughtToEnd(home, file);
    expect(made(home)).toEqual(wanted(MANY));
  });

  it.each(mostly('SIGTERM'))('%s before the plan is whole ends it with %i, and leaves no job', async (signal, exit) => {
    const home = ground.home();
    const child = started(importing(ground.colors(MANY * 4)), home);
    const told = ending(child);
    await isIn(home, 'planning');
    child.kill(signal);
    expect((await told).exit).toBe(exit);
    expect((await told).err).toContain('interrupted; nothing of this was changed');
    expect(jobsIn(home)).toEqual([]);
    expect(made(home)).toEqual([]);
  });

  it('a signal takes back what was to be done as a whole', async () => {
    const home = ground.home();
    const child = started([...importing(ground.colors(MANY)), '--on-error', 'rollback'], home);
    const told = ending(child);
    await isRunning(home);
    child.kill('SIGINT');
    expect((await told).exit).toBe(130);
    expectTold(await told, jobsIn(home).at(-1)?.id);
    expect(made(home)).toEqual([]);
  });

  it('a reader that has gone ends it with 141, when all is done', async () => {
    const home = ground.home();
    const { exit, err } = await spawnUnread(importing(ground.colors(50)), home);
    expect(exit).toBe(141);
    expect(err).not.toMatch(/\n\s+at |EPIPE/);
    expect(made(home)).toEqual(wanted(50));
  });

  it.skipIf(!existsSync(FULL))('an output that is full ends it with 10, when all is done', async () => {
    const home = ground.home();
    const full = openSync(FULL, 'w');
    const { exit, err } = await ending(started(importing(ground.colors(50)), home, full));
    closeSync(full);
    expect(exit).toBe(10);
    expect(err).not.toMatch(/\n\s+at /);
    expect(err).toContain('Undo: pm undo');
    expect(err).toContain('the output could not be written');
    expect(made(home)).toEqual(wanted(50));
  });

  it.skipIf(!existsSync(FULL))('messages that nobody can be told end it with 10, when all is done', async () => {
    const home = ground.home();
    const full = openSync(FULL, 'w');
    const { exit, out } = await ending(started(importing(ground.colors(50)), home, 'pipe', full));
    closeSync(full);
    expect(exit).toBe(10);
    expect(out).toContain('pm undo');
    expect(made(home)).toEqual(wanted(50));
  });
});

describe('on a remote service', () => {
  it.each(mostly('SIGHUP'))('%s ends it with %i, and nothing is unknown', async (signal, exit) => {
    const visitor = await service.visitor();
    const names = service.names(120);
    const enough = service.line.when(10);
    const child = visitor.begins(sending(visitor.file(names)));
    const told = ending(child);
    await enough;
    child.kill(signal);
    expect((await told).exit).toBe(exit);
    expectTold(await told, await visitor.job());
    expect(await visitor.open()).toBe(0);
    expect(service.ids(names).length).toBeLessThan(names.length);
    await service.settled(visitor, names);
  });
});
