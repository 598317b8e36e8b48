// The rights matrix over HTTP: the same refusals as status and code, and other sites as if they were nowhere.
import { beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { addressOf, type Route } from '../../src/contract/operation.ts';
import { openServer } from '../../src/server/index.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { newEngine } from '../support/engine.ts';
import {
  CALLERS,
  type CallerName,
  expected,
  type Matrix,
  newMatrix,
  type RightsCase,
  rightsCases,
  STATES,
} from '../support/matrix.ts';
import { refuses } from '../support/refuses.ts';
import { siteOn, TODAY } from '../support/site.ts';
import { type Answered, askAt } from './served.ts';

cheapDerivations();

const REFUSED: Readonly<Record<string, number>> = {
  forbidden: 403,
  admin_only: 403,
  global_admin_only: 403,
  not_found: 404,
  deleted: 404,
};

let matrix: Matrix;
let url = '';
const passwords = new Map<CallerName, { user: string; password: string }>();
beforeAll(async () => {
  const engine = await newEngine(new Date(TODAY));
  matrix = await newMatrix(await siteOn(engine));
  const served = await openServer({ backend: engine.backend, clock: () => new Date(TODAY), log: () => undefined });
  url = served.url;
  for (const name of CALLERS) {
    const { session } = matrix.callers[name];
    // Who may not even read their own record can still log in.
    const giver = name === 'other site' ? session : matrix.callers.global.session;
    const body = { Kind: 'user', IndividualID: session.me.id };
    const { Token } = await giver.call(contract.token.operations.create, { body });
    passwords.set(name, { user: session.me.userName, password: `{UserToken}${String(Token)}` });
  }
  return async () => {
    await served.close();
    await engine.end();
  };
}, 60_000);

/** Only what is refused or reads is sent: nothing changes from one request to the next. */
const sent = (rightsCase: RightsCase, want: string): boolean => want !== 'passes' || !rightsCase.operation.writes;

function ask(rightsCase: RightsCase, id: unknown, name?: CallerName): Promise<Answered> {
  const { method, path } = addressOf(rightsCase.operation.routes[rightsCase.route] as Route);
  const who = name === undefined ? {} : passwords.get(name);
  const record =
    method === 'PUT' && !path.endsWith('undelete') ? matrix.record(rightsCase.operation.resource, 'own') : undefined;
  const body = record ? { type: 'application/json', body: JSON.stringify({ ...record, ID: id }) } : {};
  return askAt(url, method, `/v4${path.replace(/\{\w+\}/, String(id))}`, { ...who, ...body });
}

const aboutOne = (): readonly RightsCase[] => rightsCases.filter(({ about }) => about !== 'nothing');

it('nobody is let in without a credential', async () => {
  for (const rightsCase of aboutOne()) expect((await ask(rightsCase, 'x')).status).toBe(401);
});

describe.each(CALLERS)('a caller with %s', (name) => {
  it.each(STATES)('and records that are: %s', async (state) => {
    const [seen, wanted]: unknown[][] = [[], []];
    for (const rightsCase of aboutOne()) {
      const row = matrix.record(rightsCase.resource, state);
      if (!row || (name === 'other site' && typeof row.ID === 'number')) continue;
      const want = expected(matrix, rightsCase, name, state, row);
      if (!sent(rightsCase, want)) continue;
      const answer = await ask(rightsCase, row.ID, name);
      const what = `${rightsCase.operation.resource} ${rightsCase.operation.name} ${rightsCase.route}`;
      wanted?.push(want === 'passes' ? [what, 200] : [what, REFUSED[want], want]);
      seen?.push(answer.status === 200 ? [what, 200] : [what, answer.status, answer.json().code]);
    }
    expect(seen).toEqual(wanted);
  });
});

it('a record of another site answers as one that is nowhere, byte for byte', async () => {
  for (const rightsCase of aboutOne()) {
    const [there, nowhere] = [
      matrix.record(rightsCase.resource, 'other site'),
      matrix.record(rightsCase.resource, 'missing'),
    ];
    if (!there || !nowhere) continue;
    const texts = [await ask(rightsCase, there.ID, 'allow'), await ask(rightsCase, nowhere.ID, 'allow')].map(
      ({ text }) => text.replace(/"instance":"[^"]*"/, ''),
    );
    expect(texts[0]?.replaceAll(String(there.ID), String(nowhere.ID))).toBe(texts[1]);
  }
});

/** Some of each kind that rights are given on, or that hangs on one. */
const WRITTEN = ['organization', 'project', 'metric', 'task', 'accountability', 'dialog'] as const;

describe.each(['allow', 'administrator', 'global'] as const)('a caller with %s', (name) => {
  it.each(WRITTEN)('makes, changes, deletes and undeletes: %s', async (resource) => {
    const { ada } = matrix.site;
    const operations = contract[resource].operations;
    const send = (operation: { routes: object }, id: unknown, body?: object): Promise<Answered> => {
      const { method, path } = addressOf(Object.values(operation.routes)[0] as Route);
      const sent = body ? { type: 'application/json', body: JSON.stringify(body) } : {};
      return askAt(url, method, `/v4${path.replace(/\{\w+\}/, String(id))}`, { ...passwords.get(name), ...sent });
    };
    const made = await send(operations.create, '', await ada.body(resource));
    expect([made.status, made.json().ID]).toEqual([200, expect.any(String)]);
    const { ID } = made.json();
    const read = await ada.get(resource, String(ID));
    expect((await send(operations.update, ID, { ...read, Name: 'Changed' })).status).toBe(200);
    expect(await ada.get(resource, String(ID))).toMatchObject({ Name: 'Changed' });
    expect((await send(operations.delete, ID)).status).toBe(200);
    await refuses(ada.get(resource, String(ID))).with('deleted');
    expect((await send(operations.undelete, ID)).status).toBe(200);
    expect(await ada.get(resource, String(ID))).toMatchObject({ ID });
  });
});

it('a caller who is denied everything makes nothing', async () => {
  const { ada, organization } = matrix.site;
  const body = JSON.stringify(await ada.body('organization', { ParentID: organization }));
  const sent = { ...passwords.get('deny'), type: 'application/json', body };
  const before = await ada.list('organization');
  expect((await askAt(url, 'POST', '/v4/departments', sent)).json()).toMatchObject({ status: 400, code: 'invalid' });
  expect(await ada.list('organization')).toEqual(before);
});
