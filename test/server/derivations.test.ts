// Deriving the hash of a password takes long: no change waits for it, and no more of them wait than are worth it.
import { expect, it } from 'vitest';
import { turns } from '../../src/engine/auth/passwords.ts';
import { holdDerivations } from '../support/derivations.ts';
import { OWNER } from '../support/engine.ts';
import { refuses } from '../support/refuses.ts';
import { BOB, departmentBody, type Member, usingServer } from './served.ts';

const server = usingServer();
const NEXT = 'Another-horse-2';
const JSON_TYPE = 'application/json';

/** Both are authenticated, so that later requests derive new passwords only. */
async function individuals(): Promise<{ readonly bob: Member; readonly ada: Member }> {
  const bob = (await server.ask('GET', '/v4/me', { user: BOB })).json();
  return { bob, ada: (await server.asAda('GET', '/v4/me')).json() };
}

const put = (user: string, row: Member, members: Member) =>
  server.ask('PUT', `/v4/individuals/${String(row.ID)}`, {
    ...{ user, type: JSON_TYPE, body: JSON.stringify({ ...row, ...members }) },
  });

it('what is refused costs no derivation', async () => {
  const { bob, ada } = await individuals();
  const derivations = holdDerivations();
  expect((await put(BOB, ada, { Password: NEXT })).status).toBe(403);
  expect((await put(BOB, bob, { Password: NEXT, UserName: OWNER })).status).toBe(403);
  expect((await put(OWNER, bob, { Password: NEXT, UserName: OWNER })).status).toBe(409);
  const { ID: _, ...another } = bob;
  const body = JSON.stringify({ ...another, Password: NEXT });
  expect((await server.asAda('POST', '/v4/individuals', { type: JSON_TYPE, body })).status).toBe(409);
  expect(derivations.begun).toBe(0);
});

it('the same login many times at once is derived once', async () => {
  const derivations = holdDerivations();
  const logins = Array.from({ length: 5 }, () => server.ask('GET', '/v4/me', { user: BOB, password: 'Wrong-horse-1' }));
  await expect.poll(() => derivations.begun).toBe(1);
  await server.ask('GET', '/v4/openapi.json');
  expect(derivations.begun).toBe(1);
  derivations.release();
  expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(Array(5).fill(401));
});

it('others change records while somebody’s new password is derived', async () => {
  const { bob } = await individuals();
  const department = await departmentBody(server);
  const derivations = holdDerivations();
  const changed = put(BOB, bob, { Password: NEXT });
  await expect.poll(() => derivations.begun).toBe(1);
  expect((await server.asAda('POST', '/v4/departments', { type: JSON_TYPE, body: department })).status).toBe(200);
  derivations.release();
  expect((await changed).status).toBe(200);
});

it('a login has its turn beside new passwords, of which too many are refused until later', async () => {
  const bob = (await server.session.find.byName('individual', 'UserName', BOB))?.[0] ?? {};
  const derivations = holdDerivations();
  const changes = Array.from({ length: 18 }, () => put(OWNER, bob, { Password: NEXT }));
  const refused = await Promise.race(changes);
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  expect(refused.json()).toMatchObject({ code: 'overloaded' });
  expect(derivations.begun).toBe(1);
  const login = server.ask('GET', '/v4/me', { user: 'nobody', password: 'wrong' });
  await expect.poll(() => derivations.begun).toBe(2);
  derivations.release();
  expect((await login).status).toBe(401);
  expect((await Promise.all(changes)).map(({ status }) => status).sort()).toEqual([...Array(17).fill(200), 503]);
});

it('work has its turn in the order of its coming, and beyond those that wait is refused', async () => {
  const inTurn = turns(1, 1);
  const done: string[] = [];
  let finish = (): void => undefined;
  const first = inTurn(() => new Promise<void>((go) => (finish = go))).then(() => done.push('first'));
  const second = inTurn(async () => done.push('second'));
  await refuses(inTurn(async () => undefined)).with('overloaded', 'Try again');
  finish();
  await Promise.all([first, second]);
  expect(done.sort()).toEqual(['first', 'second']);
  expect(await inTurn(async () => 'third')).toBe('third');
});
