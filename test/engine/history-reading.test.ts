// The past as its owner reads it: of one record from its beginning, of the site from its end.
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { driver, openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { refuses } from '../support/refuses.ts';
import { askerOf, newSite, type TestSite } from '../support/site.ts';
import { ready } from './job-fixture.ts';
import { newFile, opened, SITE } from './store-fixture.ts';

const historyOf = ({ ada }: TestSite) => {
  if (!ada.session.local) throw new Error('the engine has local doors');
  return ada.session.local.history;
};

it('shows the past of one record, with members of the contract alone', async () => {
  const site = await newSite();
  const top = await site.ada.make('organization', { Name: 'Sales' });
  await site.ada.change('organization', top.ID, { Name: 'Selling' });
  await site.ada.delete('organization', top.ID);
  const past = await historyOf(site).of('organization', String(top.ID));
  expect(past.map(({ what }) => what)).toEqual(['create', 'update', 'delete']);
  expect(past[1]).toMatchObject({
    caller: site.ada.id,
    resource: 'organization',
    id: top.ID,
    before: { Name: 'Sales' },
  });
  expect(past[2]?.before).toMatchObject({ Deleted: false, UpdatedBy: site.ada.id });
  expect(past[2]?.before).not.toHaveProperty('TreeKey');
});

it('shows unknown members of an open resource as members', async () => {
  const site = await newSite();
  const made = await site.ada.make('organization', { Motto: 'Onward' });
  await site.ada.change('organization', made.ID, { Motto: 'Upward' });
  const past = await historyOf(site).of('organization', String(made.ID));
  expect(past.at(-1)?.before).toMatchObject({ Motto: 'Onward' });
  expect(past.at(-1)?.before).not.toHaveProperty('Others');
});

it('shows the past of the site from its end, no more than asked for', async () => {
  const site = await newSite();
  const made = [];
  for (const Name of ['a', 'b', 'c']) made.push((await site.ada.make('accountability', { Name })).ID);
  const past = await historyOf(site).since(undefined, 2);
  expect(past.map(({ id, resource }) => [resource, id])).toEqual([
    ['accountability', made[2]],
    ['accountability', made[1]],
  ]);
  expect(past[0]?.sequence).toBeGreaterThan(past[1]?.sequence ?? 0);
});

it('shows what was written since the first line of a moment, although the clock was set back then', async () => {
  const site = await newSite();
  const write = async (at: string) => {
    site.at(at);
    return (await site.ada.make('accountability')).ID;
  };
  await write('2026-06-01T00:00:00Z');
  const late = await write('2026-06-03T00:00:00Z');
  const back = await write('2026-06-01T00:00:00Z');
  const next = await write('2026-06-02T00:00:00Z');
  const ids = async (at: string) => (await historyOf(site).since(at, 100)).map(({ id }) => id);
  expect(await ids('2026-06-02T00:00:00Z')).toEqual([next, back, late]);
  expect(await ids('2026-06-03T01:00:00+01:00')).toEqual([next, back, late]);
  expect(await ids('2026-06-03T00:00:01Z')).toEqual([]);
  await refuses(historyOf(site).since('yesterday', 1)).with('invalid', 'yesterday');
});

it('sees inside a transaction what that has written, and outside nothing of it yet', async () => {
  const site = await newSite();
  const newest = async (session: Session) => (await session.local?.history.since(undefined, 1))?.[0]?.id;
  await site.ada.session.local?.transaction(async (session) => {
    const made = await askerOf(session, site.engine).make('accountability');
    expect(await newest(session)).toBe(made.ID);
    expect(await newest(site.ada.session)).not.toBe(made.ID);
  });
});

it('finds lines of the past and of jobs by their indexes, in order, without a sort', async () => {
  const file = await newFile();
  const store = await opened(file);
  const prepare = vi.spyOn(driver().prototype, 'prepare');
  await store.siteLines(SITE, undefined, 10);
  await store.siteLines(SITE, 1, 10);
  await store.transaction(async ({ jobs }) => {
    await ready(jobs, 1, 'j');
    await jobs.mark('j', [{ from: 1, to: 1, state: 'done' }]);
    for await (const row of jobs.rows('j')) expect(row.state).toBe('done');
    await jobs.heads('p');
    await jobs.delete(['j']);
  });
  const statements = new Set(prepare.mock.calls.map(([sql]) => sql).filter((sql) => /history|job/.test(sql)));
  prepare.mockRestore();
  const database = openDatabase(file);
  onTestFinished(() => void database.close());
  const plans = [...statements].map((sql) => {
    const nulls = Array<null>(sql.split('?').length - 1).fill(null);
    const steps = database.prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...nulls);
    return { sql, steps: steps.map(({ detail }) => detail) };
  });
  expect(plans.length).toBeGreaterThan(12);
  // A list that is bound is read whole.
  expect(plans.filter(({ steps }) => steps.some((step) => /^SCAN (?!json_each)|TEMP B-TREE/.test(step)))).toEqual([]);
  const past = plans.filter(({ sql }) => sql.includes('FROM line'));
  const reading = past.map(({ steps }) => steps.filter((step) => !/^(CORRELATED )?SCALAR SUBQUERY/.test(step)));
  expect(reading.flat().filter((step) => !/line_in_order|INTEGER PRIMARY KEY|line_name/.test(step))).toEqual([]);
});

it('is forgotten in pieces, between which others write', async () => {
  const site = await newSite();
  const database = openDatabase(site.engine.file);
  onTestFinished(() => void database.close());
  const fill = database.prepare(
    `INSERT INTO line (Site, At, Caller, Resource, ID, What)
    SELECT Number, 1577836800000, Number, Number, ?, 1 FROM line_name WHERE Name = ?`,
  );
  database.prepare('DELETE FROM line').run();
  database.transaction(() => {
    for (let at = 0; at < 12_000; at++) fill.run(`task ${at}`, site.id);
  })();
  expect(await historyOf(site).countOld('2021-01-01')).toMatchObject({ lines: 12_000 });
  const pieces: number[] = [];
  for await (const piece of historyOf(site).prune('2021-01-01')) {
    pieces.push(piece);
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
  }
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(12_000);
  expect(await historyOf(site).since(undefined, 1)).toEqual([]);
});
