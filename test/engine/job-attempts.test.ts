// Pieces of a change that fail alone: the rows around them are kept, in one transaction with the journal.
import { expect, it, onTestFinished } from 'vitest';
import type { Local, Session } from '../../src/contract/call.ts';
import { openDatabase } from '../../src/engine/store/sqlite/driver.ts';
import { refuses } from '../support/refuses.ts';
import { askerOf, each, newSite, type TestSite } from '../support/site.ts';
import { JOB, numbersOf, ready } from './job-fixture.ts';

const localOf = (session: Session): Local => {
  if (!session.local) throw new Error('the engine has local doors');
  return session.local;
};
const names = async ({ ada }: TestSite) => each(await ada.list('accountability', 'mine'), 'Name');

/** Runs one change in which each piece is an attempt of its own; answers the errors by piece. */
async function attempts(
  site: TestSite,
  ...pieces: readonly ((inside: ReturnType<typeof askerOf>) => Promise<unknown>)[]
) {
  return localOf(site.ada.session).transaction(async (session) => {
    const errors: unknown[] = [];
    for (const piece of pieces) {
      const attempt = localOf(session).savepoint((inner) => piece(askerOf(inner, site.engine)));
      errors.push(await attempt.then(() => undefined).catch((error: unknown) => error));
    }
    return errors;
  });
}

it('takes back the piece that fails, whole, and keeps those before and after it', async () => {
  const site = await newSite();
  const errors = await attempts(
    site,
    (inside) => inside.make('accountability', { Name: 'First' }),
    async (inside) => {
      await inside.make('accountability', { Name: 'Second' });
      await inside.make('accountability', { Rank: 'high' });
    },
    (inside) => inside.make('accountability', { Name: 'Third' }),
  );
  expect(errors).toMatchObject([undefined, { code: 'invalid' }, undefined]);
  expect([...(await names(site))].sort()).toEqual(['First', 'Third']);
});

it('takes a piece back also where its work goes on after a failed write', async () => {
  const site = await newSite();
  const errors = await attempts(site, async (inside) => {
    await inside.make('accountability', { Name: 'First' });
    await inside.make('accountability', { Rank: 'high' }).catch(() => undefined);
  });
  expect(errors).toMatchObject([{ code: 'invalid' }]);
  expect(await names(site)).toEqual([]);
});

it('keeps an attempt inside an attempt apart from the one around it', async () => {
  const site = await newSite();
  await localOf(site.ada.session).transaction((session) =>
    localOf(session).savepoint(async (outer) => {
      await askerOf(outer, site.engine).make('accountability', { Name: 'Outer' });
      const inner = localOf(outer).savepoint((deeper) =>
        askerOf(deeper, site.engine).make('accountability', { Rank: 'x' }),
      );
      await refuses(inner).with('invalid');
    }),
  );
  expect(await names(site)).toEqual(['Outer']);
});

it('is kept only with the transaction around it', async () => {
  const site = await newSite();
  const change = localOf(site.ada.session).transaction(async (session) => {
    await localOf(session).savepoint((inner) => askerOf(inner, site.engine).make('accountability'));
    throw new Error('thought better of it');
  });
  await expect(change).rejects.toThrow('thought better of it');
  expect(await names(site)).toEqual([]);
});

it('is a transaction of its own outside of one', async () => {
  const site = await newSite();
  const attempt = localOf(site.ada.session).savepoint(async (session) => {
    await askerOf(session, site.engine).make('accountability');
    throw new Error('thought better of it');
  });
  await expect(attempt).rejects.toThrow('thought better of it');
  expect(await names(site)).toEqual([]);
});

it('marks rows in the transaction of the change, and takes a mark back with its piece', async () => {
  const site = await newSite();
  const { jobs } = localOf(site.ada.session);
  await ready(jobs, 2);
  await localOf(site.ada.session).transaction(async (session) => {
    const local = localOf(session);
    await local.savepoint((inner) => localOf(inner).jobs.mark(JOB, [{ from: 1, to: 1, state: 'done' }]));
    const second = local.savepoint(async (inner) => {
      await localOf(inner).jobs.mark(JOB, [{ from: 2, to: 2, state: 'done' }]);
      throw new Error('no');
    });
    await expect(second).rejects.toThrow('no');
    await local.jobs.mark(JOB, [{ from: 2, to: 2, state: 'failed' }]);
    expect(await numbersOf(jobs.rows(JOB, { states: ['pending'] }))).toEqual([1, 2]);
  });
  expect((await jobs.head(JOB))?.counts).toEqual({ done: 1, failed: 1 });
});

it('fails the whole change when the database gives the transaction up, and keeps nothing that comes after', async () => {
  const site = await newSite();
  const database = openDatabase(site.engine.file);
  onTestFinished(() => void database.close());
  database.exec(`CREATE TRIGGER give_up BEFORE INSERT ON accountability WHEN new.Name = 'Bad'
    BEGIN SELECT RAISE(ROLLBACK, 'given up'); END`);
  const change = attempts(
    site,
    (inside) => inside.make('accountability', { Name: 'First' }),
    (inside) => inside.make('accountability', { Name: 'Bad' }),
    (inside) => inside.make('accountability', { Name: 'Third' }),
  );
  await expect(change).rejects.toThrow('given up');
  expect(await names(site)).toEqual([]);
  await site.ada.make('accountability', { Name: 'Next' });
  expect(await names(site)).toEqual(['Next']);
});
