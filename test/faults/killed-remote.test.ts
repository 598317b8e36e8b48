// A job on a remote service whose client or whose server is killed: no more is unknown than was in flight, of a killed client
// twice as much, and each record is made once. The floor: 4 kills of the client, 4 in an undo and 1 of the server; the long
// run: 300 of each.
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { inLong } from '../support/long.ts';
import { CONCURRENCY, sending, usingService } from './service.ts';

const KILLS = inLong(4, 300);
const MOST_SENT = 8;
/** More than are sent before the last kill: few kills need more to spare. */
const ROWS = KILLS * MOST_SENT * inLong(3, 1.5);
const SERVER_KILLS = inLong(1, 300);
const service = usingService();

it(`a client that is killed ${KILLS} times`, async () => {
  const visitor = await service.visitor();
  const wanted = service.names(ROWS);
  let command = sending(visitor.file(wanted));
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = service.line.when(1 + Math.floor(Math.random() * MOST_SENT));
    const child = visitor.begins(command);
    const gone = once(child, 'exit');
    await Promise.race([enough, gone]);
    expect(child.exitCode).toBeNull();
    child.kill('SIGKILL');
    await gone;
    expect(await visitor.open()).toBeLessThanOrEqual(2 * CONCURRENCY);
    command = ['jobs', 'resume', await visitor.job(), '-p', 'prod'];
  }
  const states = (await visitor.rows()).map(({ state }) => state);
  expect(states).toContain('done');
  expect(states).toContain('pending');
  await service.settled(visitor, wanted);
});

it(`an undo whose client is killed ${KILLS} times marks its job with its first row, and is not done again`, async () => {
  const visitor = await service.visitor();
  const pm = (...line: readonly string[]) => visitor.pm([...line, '-p', 'prod']);
  await pm('import', 'accountabilities', visitor.file(service.names(ROWS)), '--yes').prints();
  const job = await visitor.job();
  let command: readonly string[] = ['undo', job, '--yes', '-p', 'prod'];
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = service.line.when(1 + Math.floor(Math.random() * MOST_SENT));
    const child = visitor.begins(command);
    const gone = once(child, 'exit');
    await Promise.race([enough, gone]);
    expect(child.exitCode).toBeNull();
    child.kill('SIGKILL');
    await gone;
    await pm('undo', '--yes').fails(7, `is undoing job ${job}`, 'pm jobs resume');
    await pm('jobs', 'resume', job).fails(7, 'is undoing job');
    command = ['jobs', 'resume', await visitor.job(), '-p', 'prod'];
  }
  await visitor.pm(command);
  expect(new Set((await visitor.rows()).map(({ state }) => state))).toEqual(new Set(['done']));
  await pm('undo', job, '--yes').fails(7, 'is undone already');
});

it(`a server that is killed ${SERVER_KILLS} times`, async () => {
  const visitor = await service.visitor();
  const wanted = service.names((SERVER_KILLS + 1) * MOST_SENT * 2);
  let command = sending(visitor.file(wanted));
  for (let kill = 0; kill < SERVER_KILLS; kill++) {
    const enough = service.line.when(1 + Math.floor(Math.random() * MOST_SENT));
    const told = visitor.pm(command);
    await enough;
    await service.dies();
    expect([3, 8, 9]).toContain((await told).exit);
    expect(await visitor.open()).toBeLessThanOrEqual(CONCURRENCY);
    await service.lives();
    command = ['jobs', 'resume', await visitor.job(), '-p', 'prod'];
  }
  await service.settled(visitor, wanted);
});
