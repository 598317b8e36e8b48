// What is refused commits nothing: whoever is refused in a loop writes nothing to the disk.
import { expect, it } from 'vitest';
import { cheapDerivations } from '../support/derivations.ts';
import { OWNER } from '../support/engine.ts';
import { type Asked, BOB, departmentBody, usingServer } from './served.ts';

cheapDerivations();
const server = usingServer({ limits: { loginsOfUser: 2 } });
const type = 'application/json';
const NOWHERE = '0f8fad5b-d9cb-469f-a165-70867728950e';

it('no refused request of any status is a commit', async () => {
  const department = await departmentBody(server, { ID: NOWHERE });
  expect((await server.asAda('POST', '/v4/departments', { type, body: department })).status).toBe(200);
  const me = (await server.ask('GET', '/v4/me', { user: BOB })).json();
  const own = `/v4/individuals/${String(me.ID)}`;
  const ada = `/v4/individuals/${server.session.me.id}`;
  const json = (members: object, user = BOB): Asked => ({ user, type, body: JSON.stringify({ ...me, ...members }) });
  const refused: readonly (readonly [number, string, string, Asked])[] = [
    [400, 'PUT', own, json({ LastName: '' })],
    [400, 'PUT', own, json({ Password: 'short' })],
    [400, 'PUT', own, { user: BOB, type, body: '{' }],
    [400, 'POST', '/v4/individuals', json({ PrimaryReportsTo: NOWHERE, ID: undefined }, OWNER)],
    [401, 'PUT', own, { ...json({}), password: 'wrong' }],
    [403, 'PUT', own, json({ UserName: 'robert' })],
    [403, 'DELETE', ada, { user: BOB }],
    [404, 'DELETE', `/v4/projects/${NOWHERE}`, { user: BOB }],
    [405, 'DELETE', '/v4/users', { user: BOB }],
    [406, 'PUT', own, { ...json({}), accept: 'image/png' }],
    [409, 'POST', '/v4/departments', { user: OWNER, type, body: department.replace('"Sales"', '"Labs"') }],
    [409, 'POST', '/v4/individuals', json({ ID: undefined, Password: 'long enough, this' }, OWNER)],
    [412, 'PUT', own, { ...json({ LastName: 'Stone' }), headers: { 'if-match': '"another"' } }],
    [413, 'PUT', own, { user: BOB, type, body: ' '.repeat(2 ** 20 + 1) }],
    [415, 'PUT', own, { user: BOB, type: 'text/plain', body: 'x' }],
    [401, 'POST', '/v4/login', { type, body: JSON.stringify({ UserName: 'nobody', Password: 'x' }) }],
    [401, 'POST', '/v4/login', { type, body: JSON.stringify({ UserName: 'nobody', Password: 'y' }) }],
    [429, 'POST', '/v4/login', { type, body: JSON.stringify({ UserName: 'nobody', Password: 'z' }) }],
  ];
  const commits: unknown[] = [];
  for (const [status, method, path, asked] of refused) {
    const before = server.engine.store.version();
    const answer = await server.ask(method, path, asked);
    expect([method, path, answer.status, answer.text]).toEqual([method, path, status, expect.anything()]);
    if (server.engine.store.version() !== before) commits.push([status, method, path]);
  }
  expect(commits).toEqual([]);
  const before = server.engine.store.version();
  expect((await server.ask('PUT', own, json({ LastName: 'Stone' }))).status).toBe(200);
  expect(server.engine.store.version()).not.toBe(before);
});
