// A job on a remote service: nothing is lost and nothing is done twice, whatever the network does.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unfinishedJob } from '../../src/changes/jobs/access.ts';
import type { Change } from '../../src/changes/plan/change.ts';
import { checkNotRollingBack } from '../../src/changes/run/job.ts';
import { rollBack } from '../../src/changes/undo.ts';
import type { ClientOptions } from '../../src/client/connection.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { JobHead, JobStore } from '../../src/contract/jobs.ts';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import { aSession } from '../client/client-session.ts';
import { ME, says } from '../support/fake-server.ts';
import { type FakeService, type Fault, fakeService } from '../support/fake-service.ts';
import { jobsOf } from '../support/job.ts';
import { refuses } from '../support/refuses.ts';

async function aService({ gives = false, ...options }: Partial<ClientOptions> & { gives?: boolean } = {}) {
  const { server, session } = await aSession({ retries: 0, ...options });
  const service = fakeService(server, { gives });
  const folder = mkdtempSync(join(tmpdir(), 'pm-journal-'));
  const file = join(folder, 'journal.db');
  const journal = await openJournal(file);
  onTestFinished(async () => {
    await journal.close();
    rmSync(folder, { recursive: true });
  });
  return { service, server, file, session, ...jobsOf(session, journal) };
}

const creates = (count: number): readonly Change[] =>
  Array.from({ length: count }, (_, at) => ({
    resource: 'accountability',
    operation: 'create',
    body: { Rank: at + 1, Name: `n${at + 1}`, Description: 'x', AncestorID: ME.ID },
  }));

const colors = (...names: readonly string[]): readonly Change[] =>
  names.map((Name) => ({ resource: 'color', operation: 'create', body: { SiteID: ME.SiteID, Rank: 1, Name } }));

const names = ({ records }: FakeService): unknown[] => [...records.values()].map(({ Name }) => Name).sort();

const IDS = [1, 2, 3].map((number) => `a0000000-0000-4000-8000-00000000000${number}`);

/** Puts three records there, as they are read. */
function withThree({ records }: FakeService) {
  return IDS.map((ID, at) => {
    const row = {
      ID,
      Rank: at,
      Name: `o${at}`,
      Description: 'x',
      AncestorID: ME.ID,
      Deleted: false,
      DeletedByRef: false,
    };
    records.set(ID, row);
    return row;
  });
}

const updates = (
  rows: readonly { readonly ID: string }[],
  patch: Change['patch'] = { Name: 'new' },
): readonly Change[] =>
  rows.map(({ ID }) => ({ resource: 'accountability', operation: 'update', id: ID, patch: patch ?? {} }));

/** A journal that gives so many rows, and then none. */
const readable = (jobs: JobStore, count: number): JobStore => ({
  ...jobs,
  async *rows(...wanted) {
    let given = 0;
    for await (const row of jobs.rows(...wanted)) {
      if (given++ === count) throw new ServiceError('storage', 'the disk is gone');
      yield row;
    }
  },
});

describe('new records', () => {
  it('are all made, the first of them alone', async () => {
    const { service, plan, jobs } = await aService();
    const job = await plan(...creates(12));
    expect(await job.run()).toMatchObject({ counts: { done: 12 }, exit: 0 });
    expect(service.records.size).toBe(12);
    expect(service.mostAtOnce()).toBeLessThanOrEqual(4);
    expect((await jobs.head(job.id))?.settings).toMatchObject({ keepsIDs: true });
  });

  it.each<[string, Fault]>([
    ['lost before it was done', 'before'],
    ['lost after it was done', 'after'],
  ])('are made once where a request is %s', async (_name, fault) => {
    for (const place of [0, 1, 3]) {
      const { service, plan } = await aService();
      service.fails(...Array.from({ length: place }, () => undefined), fault);
      const job = await plan(...creates(5));
      await job.run();
      const { counts, exit } = await job.resume();
      expect({ place, counts, exit }).toEqual({ place, counts: { done: 5 }, exit: 0 });
      expect(names(service)).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']);
    }
  });

  it.each<[Fault, string]>([
    [429, 'too_many'],
    [503, 'unreachable'],
  ])('wait for a later run where the service answers %s', async (fault, code) => {
    const { service, plan } = await aService();
    service.fails(undefined, fault);
    const job = await plan(...creates(3));
    expect(await job.run()).toMatchObject({ job: { state: 'stopped' }, stopped: { code } });
    expect((await job.resume()).counts).toEqual({ done: 3 });
    expect(names(service)).toEqual(['n1', 'n2', 'n3']);
  });

  it('are known by the IDs of a service that gives its own, and can be undone', async () => {
    const { service, plan } = await aService({ gives: true });
    const job = await plan(...creates(3));
    expect((await job.run()).counts).toEqual({ done: 3 });
    expect((await job.undo()).counts).toEqual({ done: 3 });
    expect([...service.records.values()].map(({ Deleted }) => Deleted)).toEqual([true, true, true]);
  });

  it('are named by them in the rows that follow', async () => {
    const { service, plan } = await aService({ gives: true });
    const own = 'b0000000-0000-4000-8000-000000000001';
    const [first] = creates(1);
    const job = await plan(
      { ...first, resource: 'accountability', operation: 'create', id: own },
      ...updates([{ ID: own }]),
    );
    expect((await job.run()).counts).toEqual({ done: 2 });
    expect(names(service)).toEqual(['new']);
  });

  it('are named by them in an undo of the rows that follow', async () => {
    const { service, plan } = await aService({ gives: true });
    const [before, own] = ['a', 'b'].map((letter) => `${letter}0000000-0000-4000-8000-000000000001`);
    const [first, second] = creates(2);
    service.records.set(before ?? '', { ...first?.body, ID: before, Deleted: false, DeletedByRef: false });
    const job = await plan(
      { resource: 'accountability', operation: 'create', ...first, id: own ?? '' },
      { resource: 'accountability', operation: 'create', body: { ...second?.body, AncestorID: own } },
      { resource: 'accountability', operation: 'update', id: before ?? '', patch: { AncestorID: own } },
    );
    expect((await job.run()).counts).toEqual({ done: 3 });
    expect((await job.undo()).counts).toEqual({ done: 3 });
    expect([...service.records.values()].map(({ Deleted, AncestorID }) => [Deleted, AncestorID])).toMatchObject([
      [false, ME.ID],
      [true, ME.ID],
      [true, 'f0000000-0000-4000-8000-000000000001'],
    ]);
  });

  it.each<[string, Fault, object, readonly string[]]>([
    ['made', 'after', { done: 3 }, ['n1', 'n2', 'n3']],
    ['not made', 'before', { done: 2, unknown: 1 }, ['n1', 'n3']],
  ])('of such a service that got no answer and were %s are not made twice', async (_name, fault, counts, wanted) => {
    const { service, plan } = await aService({ gives: true });
    service.fails(undefined, fault);
    const job = await plan(...creates(3));
    await job.run();
    expect((await job.resume()).counts).toEqual(counts);
    expect(names(service)).toEqual(wanted);
  });

  it('of such a service that got no answer are not taken for a deleted record like them', async () => {
    const { service, plan } = await aService({ gives: true });
    service.fails(undefined, 'before');
    const job = await plan(...creates(2));
    expect((await job.run()).counts).toEqual({ done: 1, unknown: 1 });
    const [ID = ''] = IDS;
    service.records.set(ID, { ...creates(2)[1]?.body, ID, Deleted: true, DeletedByRef: false });
    expect((await job.resume()).counts).toEqual({ done: 1, unknown: 1 });
  });

  it.each<[string, readonly (Fault | undefined)[]]>([
    ['was answered', ['before', undefined]],
    ['was not answered, too', ['before', 'before']],
  ])('of such a service are not taken for the record of a row like them, which %s', async (_name, faults) => {
    const { service, plan } = await aService({ gives: true });
    service.fails(undefined, ...faults);
    const [first, second] = creates(2) as readonly [Change, Change];
    const job = await plan(first, second, second);
    await job.run({ concurrency: 1 });
    const [ID = ''] = IDS;
    if (service.records.size < 2) service.records.set(ID, { ...second.body, ID, Deleted: false, DeletedByRef: false });
    expect((await job.resume()).counts).toEqual({ done: 2, unknown: 1 });
    expect(names(service)).toEqual(['n1', 'n2']);
  });

  it('of such a service are looked for in the lists as they are now', async () => {
    const { service, session, plan } = await aService({ gives: true });
    service.fails(undefined, 'before');
    const job = await plan(...creates(2));
    expect((await job.run()).counts).toEqual({ done: 1, unknown: 1 });
    expect(await session.find.byMembers('accountability', { AncestorID: ME.ID })).toHaveLength(1);
    const [ID = ''] = IDS;
    service.records.set(ID, { ...creates(2)[1]?.body, ID, Deleted: false, DeletedByRef: false });
    expect((await job.resume()).counts).toEqual({ done: 2 });
    expect(names(service)).toEqual(['n1', 'n2']);
  });
});

describe('new records with numbers', () => {
  it('that got no answer are found by what was not there before', async () => {
    const { service, plan } = await aService();
    await (await plan(...colors('red'))).run();
    service.fails('after');
    const job = await plan(...colors('red', 'blue'));
    expect((await job.run()).counts).toEqual({ done: 2 });
    expect(names(service)).toEqual(['blue', 'red', 'red']);
    const [row] = await job.rows();
    expect(row?.result).toMatchObject({ id: '2' });
  });

  it('stay unknown where several could be it', async () => {
    const { service, plan } = await aService();
    service.fails('after');
    const job = await plan(...colors('red'));
    service.meanwhile(() => service.records.set('77', { ID: 77, SiteID: ME.SiteID, Rank: 1, Name: 'red' }));
    expect(await job.run()).toMatchObject({ counts: { unknown: 1 }, exit: 9 });
    expect(await job.resume()).toMatchObject({ counts: { unknown: 1 } });
    expect(service.writes()).toHaveLength(1);
  });

  it('are not sent again where nobody knows whether they were made', async () => {
    const { service, plan } = await aService();
    service.fails('before');
    const job = await plan(...colors('red'));
    expect(await job.run()).toMatchObject({ counts: { unknown: 1 }, exit: 9 });
    expect(await job.resume()).toMatchObject({ counts: { unknown: 1 }, exit: 9 });
    expect(service.writes()).toHaveLength(1);
    await refuses(job.undo()).with('unknown_outcome', 'does not know what became of 1 row', 'pm jobs resume');
  });
});

describe('changes of records', () => {
  it('wait for a later run where something else than the service answers', async () => {
    const { service, server, plan } = await aService();
    const job = await plan(...updates(withThree(service)));
    server.does(says(200, '<html>Please log in</html>', { 'content-type': 'text/html' }));
    const told = await job.run();
    expect(told).toMatchObject({ job: { state: 'stopped' }, counts: { pending: 3 }, stopped: { code: 'bad_answer' } });
    withThree(fakeService(server));
    expect((await job.resume()).counts).toEqual({ done: 3 });
  });

  it.each<Fault>(['before', 'after'])('are done whether a request is lost %s it was done', async (fault) => {
    const { service, plan } = await aService();
    const rows = withThree(service);
    service.fails(undefined, fault);
    const job = await plan(...updates(rows.slice(0, 2)), {
      ...{ resource: 'accountability', operation: 'delete', id: IDS[2] ?? '' },
    });
    await job.run({ concurrency: 1 });
    expect(await job.resume()).toMatchObject({ counts: { done: 3 }, exit: 0 });
    expect([...service.records.values()]).toMatchObject([{ Name: 'new' }, { Name: 'new' }, { Deleted: true }]);
  });

  it('that got no answer are not done where the record has only some of their values', async () => {
    const { service, plan } = await aService();
    const [row] = withThree(service);
    service.fails('before');
    const job = await plan(...updates(row ? [row] : [], { Name: 'o0', Description: 'new' }));
    expect((await job.run()).counts).toEqual({ unknown: 1 });
    expect(await job.resume()).toMatchObject({ counts: { done: 1 }, exit: 0 });
    expect(service.records.get(IDS[0] ?? '')).toEqual({ ...row, Description: 'new' });
  });

  it('can be undone after they were settled', async () => {
    const { service, plan } = await aService();
    const rows = withThree(service);
    service.fails('after');
    const job = await plan(...updates(rows));
    await job.run();
    await job.resume();
    expect((await job.undo()).counts).toEqual({ done: 3 });
    expect([...service.records.values()]).toEqual(rows);
  });

  it('of one record come in their order', async () => {
    const { service, plan } = await aService();
    const [row] = withThree(service);
    const all = ['1', '2', '3', '4', '5'].flatMap((Name) => updates(row ? [row] : [], { Name }));
    expect((await (await plan(...all)).run()).counts).toEqual({ done: 5 });
    expect(service.writes().map(({ body }) => (JSON.parse(body) as { Name: string }).Name)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    expect(service.mostAtOnce()).toBe(1);
  });

  it('keep every other member of the record as it is', async () => {
    const { service, plan } = await aService();
    const rows = withThree(service);
    await (await plan(...updates(rows.slice(0, 1)))).run();
    expect(service.records.get(IDS[0] ?? '')).toEqual({ ...rows[0], Name: 'new' });
  });

  it('are not made where the record drifted', async () => {
    const { service, plan } = await aService();
    const [one, two] = withThree(service);
    const job = await plan(...[one, two].flatMap((now) => (now ? [{ ...updates([now])[0], now } as Change] : [])));
    service.records.set(IDS[0] ?? '', { ...one, Description: 'theirs' });
    expect(await job.run()).toMatchObject({ counts: { drifted: 1, done: 1 }, exit: 3 });
  });

  it('go on after a refusal', async () => {
    const { service, plan } = await aService();
    const rows = withThree(service);
    service.fails(400);
    expect(await (await plan(...updates(rows))).run()).toMatchObject({ counts: { failed: 1, done: 2 }, exit: 3 });
  });
});

describe('all or nothing', () => {
  it('takes back what was done before a row failed', async () => {
    const { service, plan, jobs } = await aService();
    const rows = withThree(service);
    service.fails(undefined, undefined, 400);
    const job = await plan(...updates(rows));
    const { counts, rolledBack, exit } = await job.run({ onError: 'rollback', concurrency: 1 });
    expect({ counts, exit }).toEqual({ counts: { done: 2, failed: 1 }, exit: 3 });
    expect(rolledBack).toMatchObject({ counts: { done: 2 }, exit: 0 });
    expect([...service.records.values()]).toEqual(rows);
    expect((await jobs.head(job.id))?.undoneBy).toBe(rolledBack?.job.id);
  });

  it('is tried once: what others have changed can be taken back by an undo that is told so', async () => {
    const { service, session, plan, jobs } = await aService();
    const rows = withThree(service);
    service.fails(undefined, undefined, 400);
    const job = await plan(...updates(rows));
    await job.run({ onError: 'stop', concurrency: 1 });
    await jobs.set(job.id, { settings: { agreed: true, onError: 'rollback' } });
    for (const ID of IDS.slice(0, 2)) service.records.set(ID, { ...service.records.get(ID), Name: 'theirs' });
    const options = { clock: () => new Date(), newID: () => crypto.randomUUID() };
    const head = async () => (await jobs.head(job.id)) as JobHead;
    await refuses(checkNotRollingBack(session, jobs, await head())).with('conflict', 'being undone', 'jobs resume');
    const { rolledBack } = await rollBack(session, jobs, await job.resume(), options);
    expect(rolledBack?.counts).toEqual({ drifted: 2 });
    expect((await rollBack(session, jobs, await job.resume(), options)).rolledBack).toBeUndefined();
    await checkNotRollingBack(session, jobs, await head());
    expect((await job.undo({ onDrift: 'overwrite' })).counts).toEqual({ done: 2 });
    expect([...service.records.values()]).toEqual(rows);
  });

  it('is what the same command goes on with, until it is done', async () => {
    const { service, session, plan, jobs } = await aService();
    service.fails(undefined, undefined, 400);
    const job = await plan(...updates(withThree(service)));
    await job.run({ onError: 'stop', concurrency: 1 });
    await jobs.set(job.id, { settings: { agreed: true, onError: 'rollback' } });
    const head = (await jobs.head(job.id)) as JobHead;
    const again = { ...head, id: crypto.randomUUID() };
    expect((await unfinishedJob(jobs, again, () => true))?.id).toBe(job.id);
    const options = { clock: () => new Date(), newID: () => crypto.randomUUID() };
    await rollBack(session, jobs, await job.resume(), options);
    expect(await unfinishedJob(jobs, again, () => true)).toBeUndefined();
  });
});

describe('the journal', () => {
  it('has the intent of a row before its request leaves', async () => {
    const { service, server, plan, jobs } = await aService();
    const job = await plan(...creates(1));
    const states: string[] = [];
    server.does(async (_heard, response) => {
      for await (const row of jobs.rows(job.id)) states.push(row.state);
      response.socket?.destroy();
    });
    await job.run();
    expect(states[0]).toBe('intent');
    expect(service.records.size).toBe(0);
  });

  it('has no intent of new records that were not sent once a row has stopped the job', async () => {
    const { service, plan } = await aService();
    const job = await plan(...creates(20));
    service.fails(undefined, undefined, undefined, undefined, 400);
    await job.run({ onError: 'stop', concurrency: 4 });
    const states = await job.states();
    expect(states.slice(8)).toEqual(Array.from({ length: 12 }, () => 'pending'));
    expect(states).not.toContain('intent');
    expect(await job.resume()).toMatchObject({ counts: { done: 19, failed: 1 } });
    expect(service.records.size).toBe(19);
  });

  it('cannot be read: the rows in flight are waited for, and their outcomes are stored', async () => {
    const { service, session, plan, jobs } = await aService();
    const job = await plan(...updates(withThree(service)));
    const broken = jobsOf(session, readable(jobs, 2));
    await refuses(broken.job(job.id).run()).with('storage', 'the disk is gone');
    expect(await job.states()).toEqual(['done', 'done', 'pending']);
  });

  it('cannot be read: what was found out about rows without an answer is stored', async () => {
    const { service, session, plan, jobs } = await aService();
    const job = await plan(...updates(withThree(service), { Name: 'o0' }));
    await jobs.start(job.id, { agreed: true });
    await jobs.mark(job.id, [{ from: 1, to: 3, state: 'intent' }]);
    await refuses(jobsOf(session, readable(jobs, 1)).job(job.id).resume()).with('storage', 'the disk is gone');
    expect(await job.states()).toEqual(['done', 'intent', 'intent']);
  });

  it('holds no password', async () => {
    const { server, plan, file, jobs } = await aService();
    server.does(
      (heard, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(heard.body),
    );
    const job = await plan({
      ...{ resource: 'individual', operation: 'create', line: 2, sha256: 'f'.repeat(64) },
      body: { UserName: 'x', FirstName: 'X', LastName: 'Y', Password: 'Canary-4711' },
    });
    const [row] = await job.rows();
    expect(row).toMatchObject({ secret: { members: ['Password'], line: 2 } });
    expect((await job.run({ secretOf: () => undefined })).failures).toMatchObject([{ error: { code: 'usage' } }]);
    await job.retry({ secretOf: () => ({ Password: 'Canary-4711' }) });
    expect(server.requests.at(-1)?.body).toContain('Canary-4711');
    expect((await jobs.head(job.id))?.counts).toEqual({ done: 1 });
    for (const name of [file, `${file}-wal`]) expect(readFileSync(name).includes('Canary-4711')).toBe(false);
  });
});
