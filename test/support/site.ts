// A site on a temporary engine, and the vocabulary of the tests that call it.
import { onTestFinished } from 'vitest';
import type { Input, Session } from '../../src/contract/call.ts';
import { type ResourceName, resourceNamed } from '../../src/contract/index.ts';
import type { Line } from '../../src/contract/lines.ts';
import { addressOf, type Operation, type Route } from '../../src/contract/operation.ts';
import type { Row, Value } from '../../src/contract/resource.ts';
import type { Body } from '../../src/contract/validate.ts';
import { writeDate } from '../../src/engine/context.ts';
import { newEngine, OWNER, type TestEngine } from './engine.ts';
import { validBody } from './valid-bodies.ts';

/** The day on which tests begin: a Wednesday in the second quarter. */
export const TODAY = '2026-05-13T09:00:00.000Z';

type Query = NonNullable<Input['query']>;
/** An ID in a record. */
type ID = Value | undefined;
/** Which address: its route's name, or the name with what its parameters are: `{ individual: id }`. */
type Of = string | Readonly<Record<string, ID | readonly ID[]>>;

/** One individual who calls. */
export interface Asker {
  readonly id: string;
  readonly session: Session;
  /** A valid body with these members. */
  body(resource: ResourceName, members?: Body): Promise<Body>;
  /** Creates a record from such a body. */
  make(resource: ResourceName, members?: Body, query?: Query): Promise<Row>;
  /** Sends exactly this body. */
  create(resource: ResourceName, body: Body, query?: Query): Promise<Row>;
  get(resource: ResourceName, id: ID, query?: Query): Promise<Row>;
  list(resource: ResourceName, of?: Of, query?: Query): Promise<readonly Row[]>;
  /** Sends exactly this body, with the record's ID. */
  put(resource: ResourceName, id: ID, body: Body, query?: Query): Promise<Row>;
  /** Sends the record back as it was read, with these members changed. */
  change(resource: ResourceName, id: ID, members: Body): Promise<Row>;
  delete(resource: ResourceName, id: ID): Promise<Row>;
  undelete(resource: ResourceName, id: ID): Promise<Row>;
  /** Any operation at any of its addresses. */
  call(resource: ResourceName, operation: string, of?: Of, more?: Pick<Input, 'body' | 'query'>): Promise<Row>;
  /** All that an operation answers which is not ordinary. */
  answers(resource: ResourceName, operation: string, of?: Of): Promise<readonly Row[]>;
  /** The history of a record, the oldest line first. */
  history(resource: ResourceName, id: ID): Promise<readonly Line[]>;
}

export interface TestSite {
  readonly engine: TestEngine;
  readonly id: string;
  /** The organization that was created with the site. */
  readonly organization: string;
  /** The administrator of the site, and of every site. */
  readonly ada: Asker;
  as(userName: Value | undefined, site?: string): Promise<Asker>;
  /** Sets the clock: '2026-05-14', or a moment of it. */
  at(moment: string): void;
}

/** Opens a new site; it is deleted after the test. */
export async function newSite(): Promise<TestSite> {
  const engine = await newEngine(new Date(TODAY));
  onTestFinished(() => engine.end());
  return siteOn(engine);
}

/** The first site of an engine that the caller ends. */
export async function siteOn(engine: TestEngine): Promise<TestSite> {
  const as = async (userName: Value | undefined, site?: string): Promise<Asker> =>
    askerOf(await engine.backend.open({ user: String(userName), ...(site === undefined ? {} : { site }) }), engine);
  const ada = await as(OWNER);
  const [organization] = await ada.list('organization');
  return {
    engine,
    id: ada.session.me.site,
    organization: String(organization?.ID),
    ada,
    as,
    at: (moment) => engine.setClock(new Date(moment)),
  };
}

/** The calls of one session. */
export function askerOf(session: Session, engine: TestEngine): Asker {
  const one = (resource: ResourceName, verb: string, id: ID, more: Pick<Input, 'body' | 'query'> = {}): Promise<Row> =>
    session.call(operation(resource, verb), { ...plainly(operation(resource, verb), id), ...more });
  const asker: Asker = {
    id: session.me.id,
    session,
    body: async (resource, members = {}) => validBody(resource, members, await placeOf(asker)),
    make: async (resource, members, query) => asker.create(resource, await asker.body(resource, members), query),
    create: (resource, body, query = {}) => session.call(operation(resource, 'create'), { body, query }),
    get: (resource, id, query = {}) => one(resource, 'get', id, { query }),
    list: (resource, of = 'plain', query = {}) =>
      gathered(session.list(operation(resource, 'list'), { ...addressed(operation(resource, 'list'), of), query })),
    put: (resource, id, body, query = {}) =>
      one(resource, 'update', id, { body: 'ID' in body ? body : { ID: id, ...body }, query }),
    async change(resource, id, members) {
      const { row: before } = await session.find.record(resource, { id: String(id) });
      return one(resource, 'update', id, { body: { ...before, ...members } });
    },
    delete: (resource, id) => one(resource, 'delete', id),
    undelete: (resource, id) => one(resource, 'undelete', id),
    call: (resource, name, of = 'plain', more = {}) =>
      session.call(operation(resource, name), { ...addressed(operation(resource, name), of), ...more }),
    answers: (resource, name, of = 'plain') =>
      gathered(session.list(operation(resource, name), addressed(operation(resource, name), of))),
    history: async (resource, id) =>
      (await engine.store.lines(session.me.site, resource, String(id))).map((line) => ({
        ...line,
        at: writeDate(new Date(line.at)),
      })),
  };
  return asker;
}

let made = 0;

async function placeOf(asker: Asker) {
  const { site, id: me } = asker.session.me;
  const [organization] = await asker.list('organization');
  return {
    site,
    me,
    organization: String(organization?.ID),
    count: ++made,
    another: async (resource: ResourceName) => (await asker.make(resource)).ID ?? null,
  };
}

function operation(resource: ResourceName, name: string): Operation {
  const found = resourceNamed(resource).operations[name];
  if (!found) throw new Error(`${resource} has no ${name}`);
  return found;
}

/** A record by its own ID. */
function plainly({ routes }: Operation, id: ID): Input {
  const [by, route] = Object.entries(routes).find(([name]) => name === 'plain') ?? Object.entries(routes)[0] ?? [];
  return { by: String(by), params: { [addressOf(route as Route).params[0] ?? 'id']: String(id) } };
}

function addressed({ routes }: Operation, of: Of): Input {
  if (typeof of === 'string') return Object.keys(routes).length > 0 ? { by: of } : {};
  const [by = '', given] = Object.entries(of)[0] ?? [];
  const ids = Array.isArray(given) ? given : [given];
  const params = addressOf(routes[by] as Route).params.map((name, at) => [name, String(ids[at])]);
  return { by, params: Object.fromEntries(params) };
}

async function gathered(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** One member of each record. */
export const each = (rows: readonly object[], member: string): unknown[] =>
  rows.map((row) => (row as Readonly<Record<string, unknown>>)[member]);
