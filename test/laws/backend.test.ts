// Law 4: one story for every resource, told alike by whatever answers. The long run asks in each media type; the suite in
// one of each syntax.
import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import type { Fault } from '../../src/contract/errors.ts';
import type { Field } from '../../src/contract/field.ts';
import { contract, resources, storedResources } from '../../src/contract/index.ts';
import { RULES } from '../../src/contract/kinds.ts';
import { addressOf, type Operation } from '../../src/contract/operation.ts';
import { isSoft, type Resource, type Row } from '../../src/contract/resource.ts';
import { ENGINE, REMOTES } from '../support/backends.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { inLong } from '../support/long.ts';
import { refuses } from '../support/refuses.ts';
import { recorded, type Transcripts, withoutIDs } from '../support/transcript.ts';
import { aRecord, filters, listed, one, operation, pathMembers } from './asking.ts';
import { changeable, sampleBody, sampleValue } from './sample.ts';

cheapDerivations();

/** `application/json` and `text/xml`: between them they are of each kind. */
const SERVED = inLong([...REMOTES.slice(0, 1), ...REMOTES.slice(-1)], REMOTES);

/** What every back end told, in each test. */
const told = new Map<string, Transcripts>();

const NOTHING = { guid: '0f8fad5b-d9cb-469f-a165-70867728950e', integer: 999 };

const named = (resource: Resource): readonly [string, Resource] => [resource.command, resource];
const all = storedResources.map(named);
const having = (...operations: string[]) =>
  storedResources.filter((resource) => operations.every((name) => isDone(resource, name))).map(named);
const isDone = ({ operations }: Resource, name: string): boolean =>
  operations[name] !== undefined && operations[name].verb !== 'unsupported';
const refused = ({ operations }: Resource): readonly Operation[] =>
  Object.values(operations).filter(({ verb }) => verb === 'unsupported');
const refusesAny = (resource: Resource): boolean => refused(resource).length > 0;
const made = storedResources.filter(({ operations }) => operations.create?.verb === 'create').map(named);

const isLimited = (field: Field): boolean => field.max !== undefined && field.rule !== 'read-only';
const isName = (field: Field): boolean => field.name === true;
const refers = (field: Field): boolean => field.to !== undefined && field.rule !== 'read-only' && !field.nullOnly;
const refersByGuid = (field: Field): boolean => refers(field) && field.kind === 'guid';
const madeWith = (fits: (field: Field) => boolean) =>
  made.filter(([, resource]) => Object.values(resource.fields).some(fits));

describe.each([ENGINE, ...SERVED])('%s', (name, begin) => {
  const transcripts: Transcripts = new Map();
  told.set(name, transcripts);
  const begun = begin();
  const opens = async () => recorded(await begun(), transcripts);

  describe.each(made)('%s: a new record', (_command, resource) => {
    it('has what its body says, and is read back alike', async () => {
      const session = await opens();
      const body = await sampleBody(session, resource);
      const record = await session.call(operation(resource, 'create'), { body });
      expect(differences(resource, body, record)).toEqual([]);
      if (resource.operations.get) expect(await one(session, resource, 'get', record)).toEqual(record);
      expect(await listed(session, resource, record)).toContainEqual(record);
    });

    it('demands all that is required, and says so of each', async () => {
      const session = await opens();
      const demanded = fieldsOf(resource, ({ rule }) => rule === 'required' || rule === 'required on create');
      const error = await refuses(session.call(operation(resource, 'create'), { body: {} })).with('invalid');
      expect(faults(error, 'required')).toEqual(demanded.filter((name) => !resource.fields[name]?.nullOnly));
    });
  });

  describe.each(madeWith(isLimited))('%s: a new record', (_command, resource) => {
    it('refuses texts that are too long, and says so of each', async () => {
      const session = await opens();
      const limited = fieldsOf(resource, isLimited);
      const tooLong = limited.map((name) => [name, 'x'.repeat(Number(resource.fields[name]?.max) + 1)]);
      const body = { ...(await sampleBody(session, resource)), ...Object.fromEntries(tooLong) };
      const refused = refuses(session.call(operation(resource, 'create'), { body }));
      expect(faults(await refused.with('invalid', /the limit is \d+/), 'too_long')).toEqual(limited);
    });
  });

  describe.each(madeWith(isName))('%s: a new record', (_command, resource) => {
    it('refuses names with blanks around them or a sign that turns them, and says so of each', async () => {
      const session = await opens();
      const names = fieldsOf(resource, isName);
      const body = await sampleBody(session, resource);
      for (const wrong of [' x', 'x\u00a0', 'x\n', 'a\tb', 'a\u202eb']) {
        const misnamed = { ...body, ...Object.fromEntries(names.map((name) => [name, wrong])) };
        const refused = refuses(session.call(operation(resource, 'create'), { body: misnamed }));
        expect(faults(await refused.with('invalid', /U\+[0-9A-F]{4}/), 'malformed')).toEqual(names);
      }
    });
  });

  describe.each(madeWith(refersByGuid))('%s: a new record', (_command, resource) => {
    it('refuses references that are no GUID, and says so of each', async () => {
      const session = await opens();
      const references = fieldsOf(resource, refersByGuid);
      const wrong = Object.fromEntries(references.map((name) => [name, 'not-a-guid']));
      const body = { ...(await sampleBody(session, resource)), ...wrong };
      const refused = refuses(session.call(operation(resource, 'create'), { body }));
      expect(faults(await refused.with('invalid', /not a GUID/), 'malformed')).toEqual(references);
    });
  });

  describe.each(madeWith(refers))('%s: a new record', (_command, resource) => {
    it('refuses references to nothing, and says so of each', async () => {
      const session = await opens();
      const references = fieldsOf(resource, refers);
      const wrong = references.map((name) => [
        name,
        NOTHING[resource.fields[name]?.kind === 'integer' ? 'integer' : 'guid'],
      ]);
      const body = { ...(await sampleBody(session, resource)), ...Object.fromEntries(wrong) };
      const refused = refuses(session.call(operation(resource, 'create'), { body }));
      expect(faults(await refused.with('invalid', /names/), 'reference')).toEqual(references);
    });
  });

  describe.each(having('update'))('%s: an update', (_command, resource) => {
    it('changes every member that may change, and is read back alike', async () => {
      const session = await opens();
      const before = await aRecord(session, resource);
      const changes = Object.fromEntries(changeable(resource).map((name) => [name, sampleValue(resource, name, 1)]));
      const after = await one(session, resource, 'update', before, { ...before, ...changes });
      expect(Object.keys(changes)).not.toEqual([]);
      expect(differences(resource, changes, after)).toEqual([]);
      if (resource.operations.get) expect(await one(session, resource, 'get', after)).toEqual(after);
      if (resource.operations.list) expect(await listed(session, resource, after)).toContainEqual(after);
    });

    it('changes nothing where the record is sent back as it was read', async () => {
      const session = await opens();
      const before = await aRecord(session, resource);
      expect(await one(session, resource, 'update', before, before)).toEqual(before);
    });

    it('demands all that is required, and says so of each', async () => {
      const session = await opens();
      const before = await aRecord(session, resource);
      const inPath = pathMembers(resource, operation(resource, 'update'), before);
      const demanded = fieldsOf(resource, ({ rule }) => rule === 'required').filter((name) => !inPath.includes(name));
      const sent = 'ID' in resource.fields ? { ID: before.ID ?? null } : {};
      const error = await refuses(one(session, resource, 'update', before, sent)).with('invalid');
      expect(faults(error, 'required')).toEqual(demanded);
    });

    it('refuses a member that it does not know, or keeps it where the list of fields is cut', async () => {
      const session = await opens();
      const before = await aRecord(session, resource);
      const answer = one(session, resource, 'update', before, { ...before, Unheard: 'of' });
      if (resource.open) expect(await answer).toMatchObject({ Unheard: 'of' });
      else expect(faults(await refuses(answer).with('invalid', /Unheard/), 'unknown_member')).toEqual(['Unheard']);
    });
  });

  describe.each(having('undelete'))('%s: a deleted record', (_command, resource) => {
    it('is listed as deleted, not read, and comes back as it was', async () => {
      const session = await opens();
      const record = await aRecord(session, resource);
      const gone = await one(session, resource, 'delete', record);
      expect(gone).toMatchObject({ ID: record.ID, Deleted: true, DeletedByRef: false });
      for (const deleted of filters(resource, record)) {
        const found = (await listed(session, resource, record, deleted)).find(({ ID }) => ID === record.ID);
        expect({ deleted, found }).toEqual({ deleted, found: deleted === 0 ? undefined : gone });
      }
      if (resource.operations.get) await refuses(one(session, resource, 'get', record)).with('deleted', 'undelete');
      await refuses(one(session, resource, 'update', record, record)).with('deleted', 'undelete');
      expect(await one(session, resource, 'delete', record)).toEqual(gone);
      const back = await one(session, resource, 'undelete', record);
      expect(back).toEqual(record);
      expect(await one(session, resource, 'undelete', record)).toEqual(back);
      expect(await listed(session, resource, record)).toContainEqual(record);
    });
  });

  describe.each(having('delete').filter(([, resource]) => !isSoft(resource)))(
    '%s: a deletion',
    (_command, resource) => {
      it('answers the record as it last stood, and is final', async () => {
        const session = await opens();
        const record = await aRecord(session, resource);
        expect(await one(session, resource, 'delete', record)).toEqual(record);
        expect(await listed(session, resource, record)).not.toContainEqual(record);
        await refuses(one(session, resource, 'delete', record)).with('not_found', String(record.ID));
        await refuses(one(session, resource, 'update', record, record)).with('not_found', String(record.ID));
      });
    },
  );

  describe.each(storedResources.filter(refusesAny).map(named))(
    '%s: what the service does not do',
    (_command, resource) => {
      it.each(refused(resource))('is said so: $name', async (operation) => {
        const session = await opens();
        const call = session.call(operation, { params: { id: NOTHING.guid }, body: {} });
        await refuses(call).with('unsupported', `does not ${operation.name}`);
      });
    },
  );

  describe.each(all)('%s: what does not exist', (_command, resource) => {
    const verbs = ['get', 'update', 'delete', 'undelete'].filter((name) => isDone(resource, name));

    it('is found by no operation', async () => {
      const session = await opens();
      const record = await aRecord(session, resource);
      const owners = fieldsOf(resource, (field) => field.owner === true).map((name) => [name, NOTHING.guid]);
      const nowhere = { ...record, ...Object.fromEntries(owners), ID: NOTHING[resource.id] };
      expect(verbs.length).toBeGreaterThan(0);
      for (const verb of verbs) {
        const body = verb === 'update' ? nowhere : undefined;
        await refuses(one(session, resource, verb, nowhere, body)).with('not_found', String(NOTHING[resource.id]));
      }
    });
  });
});

describe.each(SERVED)('%s', (_name, begin) => {
  const opens = begin();

  it('refuses every operation of a site that may not be used over the interface (D3)', async () => {
    const session = await opens();
    const site = one(session, contract.site, 'update', { ID: session.me.site }, await openSite(session));
    expect(await site).toMatchObject({ FeatureApi: false });
    for (const resource of resources) {
      for (const each of Object.values(resource.operations)) {
        if (each.verb !== 'local' && each !== contract.session.operations.login)
          await refuses(asked(session, each)).with('feature_off', 'switched off');
      }
    }
  });
});

/** The site as it is, with the feature switched off. */
async function openSite(session: Session): Promise<Row> {
  const [site] = await listed(session, contract.site, {});
  return { ...site, FeatureApi: false };
}

/** Any operation, on records that are not there. */
async function asked(session: Session, each: Operation): Promise<unknown> {
  const [by = '', route] = Object.entries(each.routes)[0] ?? [];
  const names = route ? addressOf(route).params : [];
  const input = { by, params: Object.fromEntries(names.map((name) => [name, NOTHING.guid])) };
  if (!each.many) return session.call(each, each.writes ? { ...input, body: {} } : input);
  for await (const row of session.list(each, input)) return row;
  return 'an empty list';
}

describe.each(SERVED)('%s', (name) => {
  it('tells the whole story as the embedded engine does, word for word', () => {
    const mine = told.get(name) ?? new Map();
    expect(mine.size).toBeGreaterThan(0);
    for (const [test, entries] of mine) {
      const engines = told.get(ENGINE[0])?.get(test) ?? [];
      expect({ test, told: withoutIDs(entries) }).toEqual({ test, told: withoutIDs(engines) });
    }
  });
});

/** Members that were sent and did not come back alike. */
const differences = (resource: Resource, sent: Row, answered: Row): readonly string[] =>
  Object.keys(sent).filter((name) => {
    const field = resource.fields[name];
    return field && !field.writeOnly && !RULES[field.kind].same(sent[name] ?? null, answered[name] ?? null);
  });

const fieldsOf = (resource: Resource, fits: (field: Field) => boolean): readonly string[] =>
  Object.entries(resource.fields)
    .filter(([, field]) => fits(field))
    .map(([name]) => name);

const faults = (error: { faults: readonly Fault[] }, code: Fault['code']): readonly string[] =>
  error.faults.filter((fault) => fault.code === code).map(({ field }) => field);
