// What a writer for many records answers and leaves is what the plain one does, in any order of reads and writes.
import { expect, it } from 'vitest';
import type { Row } from '../../src/contract/resource.ts';
import { type BatchWriter, batchWriterOn } from '../../src/engine/batch/batch-writer.ts';
import type { Writer } from '../../src/engine/store/port.ts';
import { counted } from '../support/counted.ts';
import { refuses } from '../support/refuses.ts';
import { seeded } from '../support/seeded.ts';
import { accountability, all, individual, keep, newStore, organization, SITE, setDeleted } from './store-fixture.ts';

const PEOPLE = ['ann', 'bea', 'cid', 'dan', 'eve'];
const KINDS = ['individual', 'accountability', 'organizationMember', 'organization', 'task'];
const ALL = [...KINDS, 'color', 'comment'];
const member = (ID: string, IndividualID: string, more: Row = {}): Row => ({ SiteID: SITE, ID, IndividualID, ...more });
const entry = (id: string, name: string) =>
  ({ at: 1, caller: 'ann', resource: 'accountability', id, what: 'update', before: { Name: name } }) as const;

const task = (ID: string, AncestorID: string): Row => ({ SiteID: SITE, ID, AncestorID, Name: ID });

type Step = (writer: Writer) => Promise<unknown>;

/** A read or a write of a few records; some of the writes find a value that is taken. */
function stepOf(random: () => number, number: number): Step {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const [who, other, what] = [pick(PEOPLE), pick(PEOPLE), `a${Math.floor(random() * 8)}`];
  const steps: readonly Step[] = [
    async (writer) => writer.insert('accountability', accountability(`n${number}`, who)),
    async (writer) => writer.insert('organizationMember', member(`m${number}`, who, { Primary: random() < 2 })),
    async (writer) => writer.insert('individual', individual(`p${number}`, { UserID: `u${number}` })),
    async (writer) =>
      writer.insert('color', { SiteID: SITE, ID: await writer.nextID('color', SITE), Name: `${number}` }),
    (writer) => writer.reserveID('color', SITE, number),
    (writer) => writer.update('accountability', SITE, what, { Name: `name ${number % 5}`, AncestorID: other }),
    (writer) => writer.update('organizationMember', SITE, `m${number - 3}`, { IndividualID: other }),
    async (writer) => {
      await writer.remove('accountability', SITE, [what]);
      return [await writer.isTaken(KINDS, SITE, what), await writer.kindOf(KINDS, SITE, what)];
    },
    (writer) => writer.remove('color', SITE, [`${number - 2}`]),
    (writer) => setDeleted(writer, 'individual', who, number % 2 === 0),
    (writer) => setDeleted(writer, 'individual', other, number % 3 === 0),
    (writer) => setDeleted(writer, 'organization', `o${number % 5}`, number % 2 === 0),
    (writer) => setDeleted(writer, 'task', `t${number % 4}`, number % 4 < 2),
    (writer) => setDeleted(writer, 'accountability', what, number % 2 === 0),
    async (writer) => writer.insert('organization', organization(`n${number}`, `o${number % 5}`)),
    (writer) => writer.update('organization', SITE, `o${number % 5}`, { ParentID: `o${(number * 3) % 5}` }),
    (writer) => writer.update('task', SITE, `t${number % 4}`, { AncestorID: pick([who, `o${number % 5}`]) }),
    (writer) => writer.get('organization', SITE, `o${(number * 2) % 5}`),
    (writer) => writer.get('task', SITE, `t${number % 4}`),
    (writer) => writer.find(all('task', { equals: { AncestorID: who } })),
    async (writer) => writer.addLines(SITE, [entry(what, `${number}`), entry(what, `${number} again`)]),
    (writer) => writer.get('accountability', SITE, what),
    (writer) => writer.get('individual', SITE, `p${number - 2}`),
    (writer) => writer.kindOf(KINDS, SITE, pick([what, who, `m${number - 1}`, `p${number - 1}`])),
    (writer) => writer.isTaken(KINDS, SITE, pick([what, who, `u${number - 1}`, 'nothing'])),
    (writer) => writer.takenAmong(KINDS, SITE, [who, `m${number - 1}`, 'nothing']),
    (writer) => writer.find({ ...all('accountability', { equals: { AncestorID: who } }), deleted: pick([0, 1, 2]) }),
    (writer) => writer.find({ ...all('organizationMember', { equals: { IndividualID: who } }), deleted: pick([0, 2]) }),
    (writer) => writer.find(all('accountability', { named: { Name: `name ${number % 5}` } })),
    (writer) => writer.count('accountability', SITE, 'AncestorID'),
    (writer) => writer.grants(SITE, who),
    (writer) =>
      writer
        .savepoint(async () => {
          await writer.insert('accountability', accountability(`s${number}`, who));
          if (number % 2 === 0) throw new Error('no');
        })
        .catch((error: Error) => error.message),
  ];
  return pick(steps);
}

/** A deletion, an undeletion or a read in a tree and of what belongs to it. */
function treeStepOf(random: () => number): Step {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const [one, gone] = [pick(['o0', 'o1', 'o2', 'o3', 'o4']), random() < 0.6];
  const steps: readonly Step[] = [
    (writer) => setDeleted(writer, 'organization', one, gone),
    (writer) => setDeleted(writer, 'organization', one, gone),
    (writer) => writer.get('organization', SITE, one),
    (writer) => writer.get('organization', SITE, one),
    (writer) => writer.get('task', SITE, pick(['t0', 't1', 't2', 't3'])),
    (writer) => setDeleted(writer, 'task', pick(['t1', 't3']), gone),
    (writer) => writer.update('organization', SITE, one, { Name: `${random()}` }),
  ];
  return pick(steps);
}

const TREE_AHEAD = {
  records: new Map([
    ['organization', new Set(['o0', 'o1', 'o2', 'o3', 'o4', 'top'])],
    ['task', new Set(['t0', 't1', 't2', 't3'])],
  ]),
  naming: [],
};

/** Lists that are in no order, in one. */
const inOrder = (answer: unknown): unknown =>
  Array.isArray(answer)
    ? answer.map((one) => JSON.stringify(one)).sort()
    : answer instanceof Map
      ? [...answer]
      : answer;

const AHEAD = {
  records: new Map([
    ['accountability', new Set(['a0', 'a1', 'a2', 'absent'])],
    ['individual', new Set(['ann', 'bea'])],
    ['organization', new Set(['o0', 'o1'])],
  ]),
  deleted: new Map([['organization', new Set(['o1', 'o2', 'o3', 'o4'])]]),
  made: new Map([['accountability', new Set(['n1', 'n2', 'a3'])]]),
  naming: [{ resource: 'organizationMember', field: 'IndividualID', ids: new Set(['ann', 'bea', 'cid']) }],
};

async function left(writer: Writer): Promise<unknown> {
  const lists = ALL.map((resource) => writer.find(all(resource)));
  const histories = Array.from({ length: 8 }, (_, n) => writer.lines(SITE, 'accountability', `a${n}`));
  const entries = (await Promise.all(histories)).map((some) => some.map(({ sequence: _sequence, ...one }) => one));
  return [(await Promise.all(lists)).map(inOrder), entries, await writer.nextID('color', SITE)];
}

it('answers and leaves what the plain one does', () => answersAsPlain(stepOf, AHEAD));

it('does so where records of a tree are deleted and brought back one after the other', () =>
  answersAsPlain(treeStepOf, TREE_AHEAD));

async function answersAsPlain(
  step: (random: () => number, number: number) => Step,
  ahead: Parameters<BatchWriter['readAhead']>[1],
): Promise<void> {
  const store = await newStore();
  await keep(store, {
    individual: PEOPLE.map((name) => individual(name)),
    accountability: Array.from({ length: 8 }, (_, n) => accountability(`a${n}`, PEOPLE[n % 3] ?? '')),
    organization: ['top', 'o0', 'o0', 'o1', 'o1'].map((parent, n) => organization(`o${n}`, parent)),
    organizationMember: PEOPLE.map((name, n) => member(`of ${name}`, name, { OrganizationID: `o${n % 3}` })),
    task: Array.from({ length: 4 }, (_, n) => task(`t${n}`, n % 2 === 0 ? 'ann' : 'o1')),
    comment: PEOPLE.map((name, n) => ({
      SiteID: SITE,
      ID: `about ${name}`,
      AncestorID: n % 2 === 0 ? 't0' : name,
      Body: 'x',
    })),
  });
  /** Runs the steps of a seed, and rolls them back. */
  const run = async (seed: number, isBatch: boolean): Promise<readonly unknown[]> => {
    const seen: unknown[] = [];
    const work = async (plain: Writer): Promise<void> => {
      const random = seeded(seed);
      const batch = batchWriterOn(plain);
      if (isBatch) await batch.readAhead(SITE, ahead);
      for (let number = 1; number <= 40; number++)
        seen.push(inOrder(await step(random, number)(isBatch ? batch.writer : plain)));
      if (isBatch) await batch.flush();
      seen.push(await left(plain));
      throw new Error('rolled back');
    };
    await expect(store.transaction(work)).rejects.toThrow('rolled back');
    return seen;
  };
  for (let seed = 1; seed <= 60; seed++)
    expect({ seed, seen: await run(seed, true) }).toEqual({ seed, seen: await run(seed, false) });
}

it('sends many writes in a few calls, in their order', async () => {
  const { store, calls } = counted(await newStore());
  await store.transaction(async (plain) => {
    const { writer, flush } = batchWriterOn(plain);
    await writer.insert('individual', individual('ann'));
    for (let n = 0; n < 100; n++) {
      await writer.insert('accountability', accountability(`a${n}`, 'ann'));
      await writer.update('accountability', SITE, `a${n}`, { Name: `named ${n}` });
      await writer.addLines(SITE, [entry(`a${n}`, `${n}`)]);
    }
    await flush();
  });
  expect(calls()).toEqual({ insertMany: 2, addLines: 1 });
  expect(await store.find(all('accountability', { named: { Name: 'named 7' } }))).toMatchObject([{ ID: 'a7' }]);
  expect((await store.siteLines(SITE, undefined, 2)).map(({ id }) => id)).toEqual(['a99', 'a98']);
});

it('sends many deletions in a few calls, with what belongs to the records', async () => {
  const PEOPLE_TOO = Array.from({ length: 100 }, (_, n) => `p${n}`);
  const { store, calls } = counted(await newStore());
  await keep(store, {
    individual: PEOPLE_TOO.map((name) => individual(name)),
    organizationMember: PEOPLE_TOO.map((name) => member(`of ${name}`, name)),
    color: PEOPLE_TOO.map((name) => ({ SiteID: SITE, ID: Number(name.slice(1)), Name: name })),
  });
  calls();
  await store.transaction(async (plain) => {
    const { writer, flush, readAhead } = batchWriterOn(plain);
    const records = new Map([['individual', new Set(PEOPLE_TOO)]]);
    const colors = ['color', new Set(PEOPLE_TOO.map((name) => name.slice(1)))] as const;
    await readAhead(SITE, { records: new Map([...records, colors]), naming: [] });
    for (const name of PEOPLE_TOO) {
      await setDeleted(writer, 'individual', name, true);
      await writer.remove('color', SITE, [name.slice(1)]);
      await writer.addLines(SITE, [entry(name, 'gone')]);
    }
    await flush();
  });
  expect(calls()).toEqual({ find: 2, setDeleted: 1, remove: 1, addLines: 1 });
  expect(await store.find({ ...all('organizationMember'), deleted: 0 })).toEqual([]);
  expect(await store.find(all('color'))).toEqual([]);
});

it('refuses a value that is taken when it is sent, and does not go on after that', async () => {
  const store = await newStore();
  await keep(store, { individual: [individual('ann')] });
  const batch = store.transaction(async (plain) => {
    const { writer, flush } = batchWriterOn(plain);
    await writer.insert('individual', individual('other', { UserName: 'ann' }));
    await refuses(flush()).with('conflict', 'UserName');
    await refuses(flush()).with('conflict', 'UserName');
    throw new Error('rolled back');
  });
  await expect(batch).rejects.toThrow('rolled back');
});
