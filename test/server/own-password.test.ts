// One's own password is changed by who shows the old one; new ones have a least length, and old ones go on working (D21).
import { describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { hashPassword } from '../../src/engine/auth/passwords.ts';
import { cheapDerivations } from '../support/derivations.ts';
import { OWNER } from '../support/engine.ts';
import { type Answered, BOB, type Member, PASSWORD, usingServer } from './served.ts';

cheapDerivations();
const server = usingServer();
const NEXT = 'Another-horse-2';
const JSON_TYPE = 'application/json';

const recordOf = async (name: string): Promise<Member> =>
  (await server.session.find.byName('individual', 'UserName', name))?.[0] ?? {};

/** Changes the record of that individual. */
async function put(name: string, members: Member, user: string, password = PASSWORD): Promise<Answered> {
  const row = await recordOf(name);
  const body = JSON.stringify({ ...row, ...members });
  return server.ask('PUT', `/v4/individuals/${String(row.ID)}`, { user, password, type: JSON_TYPE, body });
}

const enters = async (user: string, password: string): Promise<boolean> =>
  (await server.ask('GET', '/v4/me', { user, password })).status === 200;

async function tokenOf(name: string, kind: 'User' | 'Site' | 'Session'): Promise<string> {
  if (kind === 'Session') {
    const body = JSON.stringify({ UserName: name, Password: PASSWORD });
    const { Token } = (await server.ask('POST', '/v4/login', { type: JSON_TYPE, body })).json();
    return `{SessionToken}${String(Token)}`;
  }
  const { ID = null } = await recordOf(name);
  const body = kind === 'Site' ? { Kind: 'site' } : { Kind: 'user', IndividualID: ID };
  const { Token } = await server.session.call(contract.token.operations.create, { body });
  return `{${kind}Token}${String(Token)}`;
}

describe('one’s own password', () => {
  it.each(['User', 'Session', 'Site'] as const)('is not changed by a %s token', async (kind) => {
    const token = await tokenOf(BOB, kind);
    const answer = await put(BOB, { Password: NEXT }, BOB, token);
    expect(answer.json()).toMatchObject({ status: 403, code: 'forbidden', detail: expect.stringContaining('old one') });
    expect([await enters(BOB, PASSWORD), await enters(BOB, NEXT)]).toEqual([true, false]);
    expect((await put(BOB, { UserDefined1: kind }, BOB, token)).status).toBe(200);
  });

  it('is not changed by an administrator’s password that acts as the individual', async () => {
    expect((await put(BOB, { Password: NEXT }, `${OWNER}\\${BOB}`)).json()).toMatchObject({ code: 'forbidden' });
  });

  it('of an administrator is not changed by a token either; that of others is', async () => {
    const token = await tokenOf(OWNER, 'User');
    expect((await put(OWNER, { Password: NEXT }, OWNER, token)).json()).toMatchObject({ code: 'forbidden' });
    expect((await put(BOB, { Password: PASSWORD }, OWNER, token)).status).toBe(200);
  });

  it('is changed by the old one', async () => {
    expect((await put(BOB, { Password: NEXT }, BOB)).status).toBe(200);
    expect([await enters(BOB, PASSWORD), await enters(BOB, NEXT)]).toEqual([false, true]);
    expect((await put(BOB, { Password: PASSWORD }, BOB, NEXT)).status).toBe(200);
  });
});

describe('a password of fewer than 12 characters', () => {
  it('is not taken, and not repeated', async () => {
    const short = await put(BOB, { Password: 'eleven char' }, OWNER);
    expect(short.json()).toMatchObject({
      status: 400,
      errors: [{ field: 'Password', code: 'too_short', message: expect.stringContaining('at least 12') }],
    });
    expect(short.text).not.toContain('eleven char');
    expect((await put(BOB, { Password: 'twelve chars' }, OWNER)).status).toBe(200);
  });

  it('that is there goes on working', async () => {
    const { ID, SiteID } = await recordOf(BOB);
    const hash = await hashPassword('x');
    await server.engine.store.transaction((writer) => writer.setPasswordHash(String(SiteID), String(ID), hash));
    expect(await enters(BOB, 'x')).toBe(true);
    expect((await put(BOB, { UserDefined2: 'x' }, BOB, 'x')).status).toBe(200);
    expect((await put(BOB, { Password: NEXT }, BOB, 'x')).status).toBe(200);
  });
});

describe('a password of more than 1,024 characters', () => {
  it('is not taken, and the old one stays', async () => {
    expect((await put(BOB, { Password: 'x'.repeat(1025) }, OWNER)).json()).toMatchObject({
      status: 400,
      errors: [{ field: 'Password', code: 'too_long', message: 'is 1025 characters long; the limit is 1024' }],
    });
    expect(await enters(BOB, NEXT)).toBe(true);
  });

  it('is the first that is too long', async () => {
    expect((await put(BOB, { Password: 'x'.repeat(1024) }, OWNER)).status).toBe(200);
    expect(await enters(BOB, 'x'.repeat(1024))).toBe(true);
  });
});
