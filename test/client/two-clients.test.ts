// Two clients that change one record at once: no change is lost without a word (D10).
import { expect, it, onTestFinished } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { openServer } from '../../src/server/index.ts';
import { clientOn, credentialOn } from '../support/backends.ts';
import { newEngine, OWNER } from '../support/engine.ts';
import { refuses } from '../support/refuses.ts';

const { create, get, update } = contract.accountability.operations;
const BEGIN = new Date('2026-05-13T09:00:00Z');

/** Two sessions on one endpoint, in the two syntaxes, and a record that both have read. */
async function twoReaders(): Promise<{ ann: Session; bob: Session; record: Row; read(): Promise<Row> }> {
  const engine = await newEngine(BEGIN);
  const served = await openServer({ backend: engine.backend, clock: () => BEGIN, log: () => undefined });
  const clients = [clientOn(served.url), clientOn(served.url, { wire: 'xml' })] as const;
  onTestFinished(async () => {
    for (const client of clients) await client.close();
    await served.close();
    await engine.end();
  });
  const credential = await credentialOn(engine.backend);
  const [ann, bob] = [await clients[0].open(credential), await clients[1].open(credential)];
  const own = await engine.backend.open({ user: OWNER });
  const made = await own.call(create, { body: { AncestorID: own.me.id, Rank: 1, Name: 'Old', Description: 'Old' } });
  const read = (session: Session): Promise<Row> =>
    session.call(get, { by: 'plain', params: { accountabilityid: String(made.ID) } });
  const [record, seen] = [await read(ann), await read(bob)];
  expect(record).toEqual(seen);
  return { ann, bob, record, read: () => read(own) };
}

/** Puts the record back with this change; answers it as it is then, or the error. */
const change = (session: Session, record: Row, members: Row): Promise<Row | ServiceError> =>
  session
    .call(update, { params: { id: String(record.ID) }, body: { ...record, ...members } })
    .catch((error: unknown) => {
      if (error instanceof ServiceError) return error;
      throw error;
    });

it('at the same moment: one change is made, and the other client gets an error', async () => {
  const { ann, bob, record, read } = await twoReaders();
  const outcomes = await Promise.all([
    change(ann, record, { Name: 'New' }),
    change(bob, record, { Description: 'New' }),
  ]);
  const made = outcomes.filter((one) => !(one instanceof ServiceError));
  const refused = outcomes.filter((one) => one instanceof ServiceError);
  expect(refused.map(({ code, exit }) => ({ code, exit }))).toEqual([{ code: 'drifted', exit: 7 }]);
  expect(refused[0]?.message).toMatch(/has changed since it was read/);
  expect([await read()]).toEqual(made);
});

it('one after the other: the second is refused until it has read again, and then both changes are there', async () => {
  const { ann, bob, record, read } = await twoReaders();
  await change(ann, record, { Name: 'New' });
  await refuses(bob.call(update, { params: { id: String(record.ID) }, body: { ...record, Description: 'New' } })).with(
    'drifted',
    'Read it again',
  );
  const params = { accountabilityid: String(record.ID) };
  await change(bob, await bob.call(get, { by: 'plain', params }), { Description: 'New' });
  expect(await read()).toMatchObject({ Name: 'New', Description: 'New' });
});

it('without having read it, a client overwrites', async () => {
  const { ann, bob, record, read } = await twoReaders();
  await change(ann, record, { Name: 'New' });
  await change(ann, record, { Description: 'New' });
  await refuses(bob.call(update, { params: { id: String(record.ID) }, body: record })).with('drifted');
  expect(await read()).toMatchObject({ Name: 'Old', Description: 'New' });
});

it('a record that stands only in lists: who changes what was listed before is refused', async () => {
  const { ann, bob } = await twoReaders();
  const { list, create: createValue, update: updateValue } = contract.coreValue.operations;
  await ann.call(createValue, { body: { Rank: 1, Name: 'Old', Description: 'Old' } });
  const firstOf = async (session: Session): Promise<Row> => {
    for await (const row of session.list(list)) return row;
    throw new Error('there is no core value');
  };
  const put = (session: Session, row: Row, members: Row): Promise<Row> =>
    session.call(updateValue, { params: { id: String(row.ID) }, body: { ...row, ...members } });
  const [seenByAnn, seenByBob] = [await firstOf(ann), await firstOf(bob)];
  await put(ann, seenByAnn, { Name: 'New' });
  await refuses(put(bob, seenByBob, { Rank: 9 })).with('drifted', 'Read it again');
  await put(bob, await firstOf(bob), { Rank: 9 });
  expect(await firstOf(ann)).toMatchObject({ Name: 'New', Rank: 9 });
});
