// New records of a transaction wait on this side until something asks for them, and go together: what work sees, and what is
// kept, is as if each were sent at once.
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { contract, storedResources } from '../../src/contract/index.ts';
import { type Store, UniqueViolation, type Writer } from '../../src/engine/store/port.ts';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { openPostgres } from '../../src/engine/store/postgres/store.ts';
import { accountability as body, newSite } from '../bench/site.ts';
import { accountability, all, ids, individual, newStore as newFileStore, SITE } from '../engine/store-fixture.ts';
import { inLong } from '../support/long.ts';
import { usingPostgres } from '../support/postgres.ts';

const OWNED = all('accountability', { ordered: true });
const add = async (writer: Writer, id: string) => writer.insert('accountability', accountability(id, 'ann'));

describe('new records of a transaction', { tags: 'postgres' }, () => {
  const { server } = usingPostgres();

  async function newStore(onRepeat?: (failure: unknown) => void): Promise<Store> {
    const { store } = await openPostgres({
      address: addressOf(await server().newDatabase(), 'pm', '--database'),
      password: () => undefined,
      resources: storedResources,
      computed: {},
      onRepeat,
    });
    onTestFinished(() => store.close());
    await store.transaction(async (writer) => writer.insert('individual', individual('ann')));
    return store;
  }

  it('take at most 20 statements a thousand, where they are made one by one', async () => {
    const site = await newSite(await server().newDatabase());
    onTestFinished(() => site.end());
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    await site.session.local?.transaction(async ({ call, me }) => {
      for (let n = 0; n < 1_000; n++) await call(contract.accountability.operations.create, { body: body(me.id, n) });
    });
    expect(sent.mock.calls.length).toBeLessThanOrEqual(20);
    sent.mockRestore();
  });

  it('are seen by whatever reads them, and so is their history', async () => {
    const store = await newStore();
    await store.transaction(async (writer) => {
      for (const id of ['a', 'b']) await add(writer, id);
      expect((await writer.get('accountability', SITE, 'a'))?.ID).toBe('a');
      expect(await writer.isTaken(['accountability'], SITE, 'b')).toBe(true);
      expect(await writer.isTaken(['accountability'], SITE, 'c')).toBe(false);
      await add(writer, 'c');
      expect((await writer.find(OWNED)).map(({ ID }) => ID)).toEqual(['a', 'b', 'c']);
      const entry = { caller: 'ann', at: 0, resource: 'accountability', what: 'create', before: undefined };
      await writer.addLines(SITE, [{ ...entry, what: 'create', id: 'c' }]);
      expect(await writer.lines(SITE, 'accountability', 'c')).toHaveLength(1);
    });
  });

  it('are refused where they are made if their ID is taken, and the work may go on', async () => {
    const repeated: unknown[] = [];
    const store = await newStore((failure) => void repeated.push(failure));
    await store.transaction((writer) => add(writer, 'a'));
    let runs = 0;
    await store.transaction(async (writer) => {
      runs++;
      await add(writer, 'b');
      await expect(writer.savepoint(() => add(writer, 'a'))).rejects.toBeInstanceOf(UniqueViolation);
      await add(writer, 'c');
    });
    expect(await ids(store, OWNED)).toEqual(['a', 'b', 'c']);
    expect(runs).toBe(2);
    // Nobody else was in the way, so nobody is told.
    expect(repeated).toEqual([]);
  });

  it('of work that reports while it runs are refused at once, and it does not run again', async () => {
    const store = await newStore();
    await store.transaction((writer) => add(writer, 'a'));
    let runs = 0;
    const work = store.transaction(async (writer) => {
      runs++;
      await add(writer, 'a');
    }, 'once');
    await expect(work).rejects.toBeInstanceOf(UniqueViolation);
    expect(runs).toBe(1);
  });

  it('of work that shares a commit are kept but for those that are refused', async () => {
    const store = await newStore();
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'a', 'c', 'b', 'd'].map((id) => store.transaction((writer) => add(writer, id))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(UniqueViolation);
    expect(await ids(store, OWNED)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('of one piece of work are not lost where a read of another one fails', async () => {
    const store = await newStore();
    const outcomes = await Promise.allSettled([
      ...['a', 'b'].map((id) => store.transaction((writer) => add(writer, id))),
      // The server takes no such text, and then no further statement of the transaction.
      store.transaction((writer) => writer.get('accountability', SITE, 'no\0text')),
      store.transaction((writer) => add(writer, 'c')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await ids(store, OWNED)).toEqual(['a', 'b', 'c']);
  });

  it('are as on a file, whatever is written, read, refused and rolled back in which order', async () => {
    const [far, near] = [await newStore(), await newFileStore()];
    await near.transaction(async (writer) => writer.insert('individual', individual('ann')));
    let round = 0;
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const prefix = `${round++}-`;
        const [seen, wanted] = [await traceOf(far, steps, prefix), await traceOf(near, steps, prefix)];
        expect(seen).toEqual(wanted);
        expect(await ids(far, OWNED)).toEqual(await ids(near, OWNED));
      }),
      { numRuns: inLong(25, 500) },
    );
  });
});

type Step =
  | { readonly do: 'add' | 'get' | 'rename'; readonly id: string }
  | { readonly do: 'list' }
  | { readonly do: 'savepoint'; readonly steps: readonly Step[]; readonly fails: boolean };

const ID = fc.constantFrom('a', 'b', 'c', 'd');
const { steps: STEPS } = fc.letrec<{ step: Step; steps: readonly Step[] }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 6 }),
  step: fc.oneof(
    { depthSize: 'small' },
    fc.record({ do: fc.constantFrom('add', 'add', 'get', 'rename'), id: ID }) as fc.Arbitrary<Step>,
    fc.constant<Step>({ do: 'list' }),
    fc.record({ do: fc.constant('savepoint'), steps: tie('steps'), fails: fc.boolean() }) as fc.Arbitrary<Step>,
  ),
}));

/** What the steps see in one transaction. A refused record is tried in a savepoint, as the server wants it. */
async function traceOf(store: Store, steps: readonly Step[], prefix: string): Promise<readonly string[]> {
  return store.transaction(async (writer) => {
    const seen: string[] = [];
    const run = async (all: readonly Step[]): Promise<void> => {
      for (const step of all) seen.push(await taken(step));
    };
    const taken = async (step: Step): Promise<string> => {
      if (step.do === 'list') return (await writer.find(OWNED)).map(({ ID, Name }) => `${ID} ${Name}`).join();
      if (step.do === 'savepoint') {
        const work = async (): Promise<void> => {
          await run(step.steps);
          if (step.fails) throw new Error('back');
        };
        return writer.savepoint(work).then(() => 'kept', String);
      }
      const id = `${prefix}${step.id}`;
      if (step.do === 'get') return String((await writer.get('accountability', SITE, id))?.Name);
      if (step.do === 'rename')
        return writer.update('accountability', SITE, id, { Name: 'new' }).then(() => 'renamed', String);
      return writer.savepoint(() => add(writer, id)).then(() => 'added', String);
    };
    await run(steps);
    return seen;
  });
}
