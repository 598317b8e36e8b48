// What `-n` tells is what the run then does: of every operation that writes, for one record and for more than are held
// in memory. The long run tries all of them with many records; the suite those of one resource on the engine, and one of
// another on a service.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Change, changeBy } from '../../src/changes/plan/change.ts';
import { planner } from '../../src/changes/plan/planner.ts';
import type { Rehearsed } from '../../src/changes/rehearsal/rehearsed.ts';
import { runChange } from '../../src/changes/run-change.ts';
import { plannedRows } from '../../src/cli/changes/planned-changes.ts';
import type { Session } from '../../src/contract/call.ts';
import { isWritable } from '../../src/contract/field.ts';
import { contract, everyResource } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { isSoft, type Resource, type Row, type Value } from '../../src/contract/resource.ts';
import { ENGINE, REMOTES } from '../support/backends.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { OWNER } from '../support/engine.ts';
import { head } from '../support/job.ts';
import { isLong } from '../support/long.ts';
import { TODAY } from '../support/site.ts';
import { aRecord } from './asking.ts';
import { ALONE, jobsOf, prepared, RECORDED } from './changing.ts';

cheapDerivations();

/** The fewest that are not held in memory. */
const MANY = 501;
type Member = readonly [field: string, before: Value, after: Value];

const isLocal = ({ verb, writes }: Operation): boolean => verb === 'local' && writes;

/** Carries out changes, or rehearses them: what is told of it, member by member, and how many rows came to which state. */
async function told(session: Session, changes: readonly Change[], rehearse: boolean) {
  const found: Rehearsed[] = [];
  const members: Member[] = [];
  const { planAll, secrets } = planner(randomUUID);
  const options = {
    ...{ clock: () => new Date(TODAY), newID: randomUUID },
    secretOf: ({ number }: { number: number }) => secrets.get(number),
    onDone: (row: Rehearsed['row'], applied: NonNullable<Rehearsed['applied']>) => void found.push({ row, applied }),
  };
  const keep = async (rows: AsyncIterable<Rehearsed> | Iterable<Rehearsed>): Promise<void> => {
    for await (const lines of plannedRows(rows, { find: session.find }))
      for (const line of lines) members.push([String(line.Field), line.Before ?? null, line.After ?? null]);
  };
  const people = {
    planned: async () => undefined,
    rehearsed: keep,
    watch: (_total: number, work: (how: typeof options) => unknown) => work(options),
  };
  const jobs = await jobsOf(session);
  const order = { job: { ...head(session, 'import'), settings: {} }, rows: planAll(changes), rehearse };
  const summary = await runChange(
    { session, jobs: async () => jobs },
    order,
    people as Parameters<typeof runChange>[2],
    options,
  );
  if (!rehearse) await keep(found);
  return { members, counts: summary?.counts, made: found.map(({ applied }) => applied?.after) };
}

/** The members that a body can set, or the mark of a deletion, where they are not what they were. */
function difference(
  resource: Resource,
  verb: Operation['verb'],
  before: Row | undefined,
  after: Row | undefined,
): readonly Member[] {
  if (verb === 'delete' && !isSoft(resource)) return after ? [] : [['ID', String(before?.ID), null]];
  const isTurn = verb === 'delete' || verb === 'undelete';
  const shown = ([name, field]: [string, Resource['fields'][string]]): boolean =>
    isTurn ? name === 'Deleted' : name !== 'ID' && isWritable(field) && !field.writeOnly;
  return Object.entries(resource.fields)
    .filter(shown)
    .map(([name]): Member => [name, textOf(before?.[name]), textOf(after?.[name])])
    .filter(([, was, is]) => was !== is);
}

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
const sorted = (members: readonly Member[]): readonly Member[] =>
  [...members].sort(([one], [other]) => (one < other ? -1 : 1));
const asRead = async ({ find }: Session, { name }: Resource, id: string, place: Row): Promise<Row | undefined> =>
  (await find.record(name, { id, place }, 'deleted')).row;

/** How a record stands that the service need not show: one without an ID, or a deleted one. */
const knownBefore = ({ verb }: Operation, record: Row): Row | undefined =>
  verb === 'undelete' ? { ...record, Deleted: true } : Object.keys(record).length > 0 ? record : undefined;

/** What a remote service works out besides what it is sent. */
const unforeseen = new Map<string, readonly string[]>();

describe.each([
  [...ENGINE, /^accountabilities /],
  ...REMOTES.slice(0, 1).map((remote) => [...remote, /^colors update$/] as const),
] as const)('%s', (_backend, begin, some) => {
  const opens = begin();

  describe.each(RECORDED)('%s', (name, resource, operation) => {
    it('does to one record what a rehearsal tells', async () => {
      const session = await opens();
      const { changes, records } = await prepared(session, resource, operation, { count: 1 });
      const [record = {}] = records;
      const id = String(record.ID ?? '');
      const read = id === '' ? undefined : await asRead(session, resource, id, record);
      const before = read ?? knownBefore(operation, record);
      const { members } = await told(session, changes, true);
      if (read) expect(await asRead(session, resource, id, record)).toEqual(read);
      const run = await told(session, changes, false);
      expect(run.counts).toEqual({ done: 1 });
      const [answer] = run.made;
      // A remote service need not show what is deleted.
      const answered = operation.verb === 'delete' && isSoft(resource) ? answer : undefined;
      const made = id === '' ? String(answer?.ID ?? '') : id;
      const after =
        made === '' ? answer : ((await asRead(session, resource, made, { ...record, ...answer })) ?? answered);
      const real = difference(resource, operation.verb, before, after);
      const open = members.filter(([, , after]) => after !== '(not shown)');
      expect(open).not.toEqual([]);
      if (session.local) return expect(sorted(open)).toEqual(sorted(real));
      const foreseen = open.map(([field]) => field);
      if (!operation.takes) expect(sorted(real)).toEqual(expect.arrayContaining([...open]));
      const others = real.map(([field]) => field).filter((field) => !foreseen.includes(field));
      if (others.length > 0) unforeseen.set(name, others);
    });

    it.runIf((isLong && !ALONE.includes(resource.name)) || some.test(name))(
      'does to many records what a rehearsal tells',
      async () => {
        const session = await opens();
        const { changes } = await prepared(session, resource, operation, { count: MANY });
        const rehearsed = await told(session, changes, true);
        const run = await told(session, changes, false);
        if (session.local) expect(rehearsed).toMatchObject({ members: run.members, counts: run.counts });
        else if (!operation.takes) expect(run.members).toEqual(expect.arrayContaining([...rehearsed.members]));
      },
    );
  });
});

const { archive, individual, securityGroup, site, token } = contract;
type Wordy = readonly [Operation, (session: Session) => Promise<Change>, readonly Member[]];

const membership = async (session: Session) => ({
  Group: (await aRecord(session, securityGroup)).ID,
  Individual: session.me.id,
});

/** What is not ordinary says what it does in words. */
const WORDS: readonly Wordy[] = [
  [
    securityGroup.operations.addMember,
    async (session) => changeBy(securityGroup.operations.addMember, { body: await membership(session) }),
    [['Member', null, OWNER]],
  ],
  [
    securityGroup.operations.deleteMember,
    async (session) => {
      const body = await membership(session);
      await session.call(securityGroup.operations.addMember, { body });
      return changeBy(securityGroup.operations.deleteMember, { body });
    },
    [['Member', OWNER, null]],
  ],
  [
    archive.operations.take,
    async ({ me }) => changeBy(archive.operations.take, { body: { Item: me.id, Name: 'End of the quarter' } }),
    [['Archive', null, 'End of the quarter']],
  ],
  [
    individual.operations.setPassword,
    async ({ me }) =>
      changeBy(
        individual.operations.setPassword,
        { body: { Individual: me.id, Password: 'Canary-in-a-mine' } },
        { id: me.id },
      ),
    [['Password', null, '(not shown)']],
  ],
  [
    individual.operations.grantGlobal,
    async ({ me }) => changeBy(individual.operations.grantGlobal, { body: { Individual: me.id } }, { id: me.id }),
    [['Global administrator', null, OWNER]],
  ],
  [
    site.operations.create,
    async () => changeBy(site.operations.create, { body: { Name: 'Second', Admin: 'zoe' } }),
    [
      ['Site', null, 'Second'],
      ['Administrator', null, 'zoe'],
    ],
  ],
  [
    token.operations.create,
    async () => changeBy(token.operations.create, { body: { Kind: 'user' } }),
    [['Token', null, 'user']],
  ],
  [
    token.operations.revoke,
    async ({ call }) => {
      const { ID } = await call(token.operations.create, { body: { Kind: 'user' } });
      return changeBy(token.operations.revoke, { body: { ID } });
    },
    [['Token', expect.any(String), null]],
  ],
];

describe('what only the embedded engine does', () => {
  const opens = ENGINE[1]();

  it.each(WORDS.map((one) => [`${one[0].resource} ${one[0].name}`, ...one] as const))(
    'is said in words by %s, by the rehearsal as by the run',
    async (_name, _operation, wanted, members) => {
      const session = await opens();
      const changes = [await wanted(session)];
      expect(await told(session, changes, true)).toMatchObject({ members, counts: { done: 1 } });
      expect(await told(session, changes, false)).toMatchObject({ members, counts: { done: 1 } });
    },
  );

  it('is all of it tried', () => {
    const local = everyResource.flatMap(({ operations }) => Object.values(operations).filter(isLocal));
    expect(new Set(WORDS.map(([operation]) => operation))).toEqual(new Set(local));
  });
});

it('is all but what a service works out by itself', () => {
  expect(Object.fromEntries(unforeseen)).toEqual({
    'departments create': ['ParentID'],
    'tasks toggleCompleted': ['EndDateActual'],
  });
});
