// Mass assignment: members that no caller may write stay as they are, in JSON and in XML.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Field, isWritable } from '../../src/contract/field.ts';
import { contract, type ResourceName, storedResources } from '../../src/contract/index.ts';
import { addressOf, type Operation, type Route } from '../../src/contract/operation.ts';
import type { Resource, Row, Value } from '../../src/contract/resource.ts';
import { openServer } from '../../src/server/index.ts';
import { writerOf } from '../../src/wire/codec.ts';
import type { MediaType } from '../../src/wire/media.ts';
import { bodyShape } from '../../src/wire/shape.ts';
import { newEngine } from '../support/engine.ts';
import { siteOn, type TestSite, TODAY } from '../support/site.ts';
import { askAt } from './served.ts';

const HOSTILE: Readonly<Record<Field['kind'], Value>> = {
  guid: 'deadbeef-d9cb-469f-a165-70867728950e',
  guids: 'deadbeef-d9cb-469f-a165-70867728950e',
  text: 'taken over',
  integer: 77,
  byte: 77,
  decimal: 77.5,
  boolean: true,
  date: '2001-01-01T00:00:00+00:00',
  day: '2001-01-01',
  stamp: '2001-01-01T00:00:00+00:00',
  bytes: 'AAAAAAAA',
};

/** What POST and PUT of a resource must not set. An ID says which record is meant. */
const fixedOf = ({ fields }: Resource): readonly (readonly [string, Field])[] =>
  Object.entries(fields).filter(([name, field]) => !isWritable(field) && !field.nullOnly && name !== 'ID');

/** Another value than the record has. */
const hostile = ({ kind }: Field, now: Value | undefined): Value => (kind === 'boolean' ? now !== true : HOSTILE[kind]);

const isPlain = (operation: Operation | undefined): boolean =>
  operation !== undefined && ['create', 'update'].includes(operation.verb) && operation.source !== 'local';
const CASES = storedResources.filter(
  (resource) => resource.name !== 'site' && isPlain(resource.operations.create) && fixedOf(resource).length > 0,
);

let site: TestSite;
let url = '';
let password = '';
beforeAll(async () => {
  const engine = await newEngine(new Date(TODAY));
  site = await siteOn(engine);
  const served = await openServer({ backend: engine.backend, clock: () => new Date(TODAY), log: () => undefined });
  url = served.url;
  const { Token } = await site.ada.session.call(contract.token.operations.create, { body: { Kind: 'user' } });
  password = `{UserToken}${String(Token)}`;
  return async () => {
    await served.close();
    await engine.end();
  };
});

async function send(
  resource: Resource,
  verb: 'create' | 'update',
  id: Value,
  type: MediaType,
  row: Row,
): Promise<void> {
  const operation = resource.operations[verb] as Operation;
  const { method, path } = addressOf((operation.routes.plain ?? Object.values(operation.routes)[0]) as Route);
  const body = writerOf(type, bodyShape(resource)).one(row);
  const user = site.ada.session.me.userName;
  const answer = await askAt(url, method, `/v4${path.replace(/\{\w+\}/, String(id))}`, { user, password, type, body });
  expect([answer.status, answer.status < 300 ? '' : answer.text]).toEqual([expect.any(Number), '']);
}

const stored = async (resource: string, id: Value | undefined): Promise<Row> =>
  (await site.ada.session.find.record(resource, { id: String(id) })).row ?? {};

const shown = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]));

describe.each(['application/json', 'application/xml'] as const)('in %s', (type) => {
  it.each(CASES.map((resource) => [resource.name, resource] as const))(
    'a PUT of %s changes none',
    async (name, resource) => {
      if (!resource.operations.update) return;
      const { ID } = await site.ada.make(name as ResourceName);
      const before = await stored(name, ID);
      const fixed = fixedOf(resource);
      const body = {
        ...before,
        ...Object.fromEntries(fixed.map(([member, field]) => [member, hostile(field, before[member])])),
      };
      await send(resource, 'update', ID ?? null, type, body);
      const names = fixed.map(([member]) => member);
      expect(shown(await stored(name, ID), names)).toEqual(shown(before, names));
    },
  );

  it.each(CASES.map((resource) => [resource.name, resource] as const))(
    'a POST of %s sets none',
    async (name, resource) => {
      const example = await stored(name, (await site.ada.make(name as ResourceName)).ID);
      const body = await site.ada.body(name as ResourceName);
      const fixed = fixedOf(resource);
      const known = new Set((await everyID(name)).map(String));
      const sent = {
        ...body,
        ...Object.fromEntries(fixed.map(([member, field]) => [member, hostile(field, example[member])])),
      };
      await send(resource, 'create', null, type, sent as Row);
      const made = (await everyID(name)).find((id) => !known.has(String(id)));
      const row = await stored(name, made);
      for (const [member, field] of fixed)
        expect([member, row[member]]).not.toEqual([member, hostile(field, example[member])]);
    },
  );
});

const everyID = async (resource: string): Promise<readonly Value[]> =>
  (await site.engine.store.find({ resource, site: site.id, deleted: 2 })).map((row) => row.ID ?? null);

it('is about every resource that is made over the interface', () => expect(CASES.length).toBeGreaterThan(15));
