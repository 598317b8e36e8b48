// A job whose process is killed: nothing is lost, nothing is done twice, and one resume brings it to its end.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CONCURRENCY } from '../../src/contract/call.ts';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import { aClient, aServer, CREDENTIAL } from '../client/client-session.ts';
import { json, ME } from '../support/fake-server.ts';
import { fakeService } from '../support/fake-service.ts';
import { jobsOf } from '../support/job.ts';
import { inLong } from '../support/long.ts';
import { begun, programIn } from '../support/program.ts';
import { newSite } from '../support/site.ts';

const KILLS = inLong(3, 30);

const OPTIONS = `{ clock: () => new Date(), newID: () => crypto.randomUUID(), rowsPerCommit: 20,
  onProgress: () => process.stdout.write('.') }`;

/** Runs a job on the engine, or through a client. */
const PROGRAM = `
  import { resumeJob } from './src/changes/run/job.ts';
  import { openClient } from './src/client/index.ts';
  import { resources } from './src/contract/index.ts';
  import { computedFields, openEngine } from './src/engine/index.ts';
  import { openJournal } from './src/engine/store/journal/journal.ts';
  import { openSqlite } from './src/engine/store/sqlite/store.ts';
  const [kind = '', file = '', job = '', at = ''] = process.argv.slice(2);
  const parts = { clock: () => new Date(), newID: () => crypto.randomUUID() };
  async function onEngine() {
    const store = await openSqlite({ file, resources, computed: computedFields });
    const session = await openEngine({ ...parts, store, owner: at }).open({ user: at });
    return { session, jobs: session.local!.jobs };
  }
  async function onService() {
    const client = openClient({ url: at, profile: 'prod', wire: 'json', timeout: 20_000, retries: 0, concurrency: 4,
      newID: parts.newID, random: Math.random, pause: async () => undefined, now: () => Date.now() });
    return { session: await client.open(${JSON.stringify(CREDENTIAL)}), jobs: await openJournal(file) };
  }
  const { session, jobs } = await (kind === 'engine' ? onEngine() : onService());
  await resumeJob(session, jobs, job, ${OPTIONS});
  process.stdout.write('end');
`;

let folder = '';
let program = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pm-killed-job-'));
  program = await programIn(folder, PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const creates = (count: number, AncestorID: string) =>
  Array.from({ length: count }, (_, at) => ({
    resource: 'accountability',
    operation: 'create',
    body: { Rank: at + 1, Name: `n${at + 1}`, Description: 'x', AncestorID },
  }));

const namesOf = (rows: Iterable<Readonly<Record<string, unknown>>>): unknown[] =>
  [...rows].map(({ Name }) => Name).sort();

it('on the embedded engine is done as far as its journal says, and to its end when it is resumed', async () => {
  const { ada, engine } = await newSite();
  const all = creates(2000, ada.id);
  const job = await jobsOf(ada.session).plan(...all);
  const mine = () => ada.list('accountability', { individual: ada.id });
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = begun(program, 'engine', engine.file, job.id, 'ada');
    const ended = once(child, 'exit');
    for (let heard = 0; heard <= kill % 4; heard++) await Promise.race([once(child.stdout ?? child, 'data'), ended]);
    child.kill('SIGKILL');
    await ended;
    const rows = await job.rows();
    const done = rows.filter(({ state }) => state === 'done').map(({ body }) => body ?? {});
    expect(namesOf(await mine())).toEqual(namesOf(done));
  }
  expect((await job.resume()).counts).toEqual({ done: 2000 });
  expect(namesOf(await mine())).toEqual(namesOf(all.map(({ body }) => body)));
});

it('on a remote service leaves no more open than twice what is in flight, and is done once when it is resumed', async () => {
  const server = await aServer();
  server.does(json(ME));
  const session = await aClient(server.url).client.open(CREDENTIAL);
  const service = fakeService(server, { me: ME });
  const journal = await openJournal(join(folder, 'journal.db'));
  const all = creates(400, ME.ID);
  const job = await jobsOf(session, journal).plan(...all);
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = begun(program, 'service', join(folder, 'journal.db'), job.id, server.url);
    const enough = service.writes().length + 3 + (kill % 7);
    while (service.writes().length < enough) await new Promise((wake) => setImmediate(wake));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const open = (await job.states()).filter((state) => state === 'intent' || state === 'unknown');
    expect(open.length).toBeLessThanOrEqual(2 * CONCURRENCY.writes);
  }
  expect(await job.resume()).toMatchObject({ counts: { done: 400 }, exit: 0 });
  expect(namesOf(service.records.values())).toEqual(namesOf(all.map(({ body }) => body)));
  await journal.close();
});
