// Guessing passwords is slow: five failures a minute of a user from one address, twenty from an address, and a hundred an
// hour of a user from everywhere. A good token, and a password that was shown lately, are no guesses.
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import { addressGroup } from '../../src/server/client-address.ts';
import { SERVER_LIMITS } from '../../src/server/http-server.ts';
import { loginLimiter, TooManyLogins } from '../../src/server/login-limiter.ts';
import { OWNER } from '../support/engine.ts';
import { BEGIN, BOB, PASSWORD, usingServer } from './served.ts';

function limited() {
  let now = 1_800_000_000_000;
  const limiter = loginLimiter(() => new Date(now), SERVER_LIMITS);
  const fail = async (): Promise<never> => {
    throw new ServiceError('unauthorized', 'wrong');
  };
  const outcome = (login: string, address: string, work: () => Promise<string> = fail): Promise<string> =>
    limiter
      .guard(
        login,
        address,
      )(work)
      .catch((error: unknown) => {
        if (error instanceof TooManyLogins) return `wait ${error.retryAfter}`;
        return error instanceof ServiceError ? error.code : 'other';
      });
  return {
    outcome,
    later: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}
const good = async (): Promise<string> => 'in';

describe('the limiter', () => {
  it('makes a user wait after five failures, the right password too', async () => {
    const { outcome } = limited();
    for (let i = 0; i < 5; i++) expect(await outcome('ada', 'here')).toBe('unauthorized');
    expect(await outcome('ada', 'here')).toBe('wait 60');
    expect(await outcome('ADA', 'here', good)).toBe('wait 60');
    expect(await outcome('bob', 'here', good)).toBe('in');
    expect(await outcome('ada', 'there', good)).toBe('in');
  });

  it('lets the next one in when the first failure is a minute old', async () => {
    const { outcome, later } = limited();
    for (let i = 0; i < 5; i++) {
      await outcome('ada', 'here');
      later(10);
    }
    expect(await outcome('ada', 'here', good)).toBe('wait 10');
    later(10);
    expect(await outcome('ada', 'here', good)).toBe('in');
  });

  it('makes an address wait after twenty, whoever is tried', async () => {
    const { outcome } = limited();
    for (let i = 0; i < 20; i++) expect(await outcome(`user ${i}`, 'here')).toBe('unauthorized');
    expect(await outcome('ada', 'here', good)).toBe('wait 60');
    expect(await outcome('ada', 'there', good)).toBe('in');
  });

  it('makes a user wait after a hundred in an hour, wherever they came from', async () => {
    const { outcome, later } = limited();
    for (let i = 0; i < 100; i++) {
      expect(await outcome('ada', `192.0.2.${i}`)).toBe('unauthorized');
      later(30);
    }
    expect(await outcome('ada', 'elsewhere', good)).toBe('wait 600');
    expect(await outcome('bob', 'elsewhere', good)).toBe('in');
    later(600);
    expect(await outcome('ada', 'elsewhere', good)).toBe('in');
  });

  it('takes the addresses of one IPv6 network for one', async () => {
    const { outcome } = limited();
    for (let i = 0; i < 5; i++) await outcome('ada', `2001:db8:1:2::${i}`);
    expect(await outcome('ada', '2001:db8:1:2:ffff::1', good)).toBe('wait 60');
    expect(await outcome('ada', '2001:db8:1:3::1', good)).toBe('in');
  });

  it('counts the tries of an administrator who acts as many users as one', async () => {
    const { outcome } = limited();
    for (let i = 0; i < 5; i++) await outcome(`ada\\user ${i}`, 'here');
    expect(await outcome('ada\\user 6', 'here')).toBe('wait 60');
  });

  it('lets no more fail at one time than one by one', async () => {
    const { outcome } = limited();
    const all = await Promise.all(Array.from({ length: 50 }, () => outcome('ada', 'here')));
    expect(all.filter((one) => one === 'unauthorized')).toHaveLength(5);
    expect(all.filter((one) => one === 'wait 60')).toHaveLength(45);
  });

  it('lets any number of good logins in at one time, and forgets none of the failures', async () => {
    const { outcome } = limited();
    for (let i = 0; i < 4; i++) await outcome('ada', 'here');
    const all = await Promise.all(Array.from({ length: 50 }, () => outcome('ada', 'here', good)));
    expect(new Set(all)).toEqual(new Set(['in']));
    expect(await outcome('ada', 'here')).toBe('unauthorized');
    expect(await outcome('ada', 'here')).toBe('wait 60');
  });

  it('counts nothing but rejected credentials', async () => {
    const { outcome } = limited();
    const broken = async (): Promise<string> => {
      throw new ServiceError('busy', 'later');
    };
    for (let i = 0; i < 30; i++) expect(await outcome('ada', 'here', broken)).toBe('busy');
    expect(await outcome('ada', 'here', good)).toBe('in');
  });
});

describe('the endpoint', () => {
  const server = usingServer({ trustProxy: ['127.0.0.0/8'] });
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('answers 429 with Retry-After, below /v4 and at the login alike', async () => {
    const headers = from('192.0.2.1');
    for (let i = 0; i < 5; i++)
      expect((await server.ask('GET', '/v4/me', { user: OWNER, password: 'wrong', headers })).status).toBe(401);
    const answer = await server.asAda('GET', '/v4/me', { headers, accept: 'text/xml' });
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    expect(answer.text).toContain('<status>429</status>');
    const body = JSON.stringify({ UserName: OWNER, Password: 'wrong' });
    expect((await server.ask('POST', '/v4/login', { type: 'text/json', body, headers })).status).toBe(429);
  });

  it('takes the address from a proxy that it trusts', async () => {
    expect((await server.asAda('GET', '/v4/me', { headers: from('192.0.2.2') })).status).toBe(200);
  });

  it('does not count requests that show no credential', async () => {
    const headers = from('192.0.2.3');
    for (let i = 0; i < 25; i++) expect((await server.ask('GET', '/v4/me', { headers })).status).toBe(401);
    expect((await server.asAda('GET', '/v4/me', { headers })).status).toBe(200);
  });
});

describe('an endpoint that trusts no proxy', () => {
  const server = usingServer();

  it('does not let callers choose their address', async () => {
    for (let i = 0; i < 5; i++) {
      const headers = { 'x-forwarded-for': `192.0.2.${i}` };
      await server.ask('GET', '/v4/me', { user: OWNER, password: 'wrong', headers });
    }
    const headers = { 'x-forwarded-for': '192.0.2.9' };
    expect((await server.asAda('GET', '/v4/me', { headers })).status).toBe(429);
  });
});

describe('an endpoint with too many failures from an address', () => {
  const server = usingServer({ limits: { loginsOfAddress: 2 } });
  const failTwice = async (): Promise<void> => {
    for (const user of ['nobody', 'no one'])
      expect((await server.ask('GET', '/v4/me', { user, password: 'wrong' })).status).toBe(401);
  };

  it('answers good tokens and passwords that were shown lately, and lets nobody guess', async () => {
    const token = (await server.session.call(contract.token.operations.create, { body: { Kind: 'site' } })).Token;
    expect((await server.asAda('GET', '/v4/me')).status).toBe(200);
    server.engine.setClock(new Date(BEGIN.getTime() + 3_600_000));
    await failTwice();
    expect((await server.asAda('GET', '/v4/me')).status).toBe(200);
    const login = { type: 'application/json', body: JSON.stringify({ UserName: OWNER, Password: PASSWORD }) };
    expect((await server.ask('POST', '/v4/login', login)).status).toBe(200);
    expect((await server.ask('GET', '/v4/me', { user: BOB, password: `{SiteToken}${String(token)}` })).status).toBe(
      200,
    );
    expect((await server.ask('GET', '/v4/me', { user: BOB })).status).toBe(429);
    expect((await server.ask('GET', '/v4/me', { user: OWNER, password: 'wrong' })).status).toBe(429);
  });

  it('forgets after half a day that a password was shown', async () => {
    server.engine.setClock(new Date(BEGIN.getTime() + 14 * 3_600_000));
    expect((await server.asAda('GET', '/v4/me')).status).toBe(429);
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:C000:0201', '192.0.2.1'],
  ['2001:DB8:0:01::7', '2001:db8:0:1::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['1::2:3:4:5', '1:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('an address counts as its group: %s', (address, group) => expect(addressGroup(address)).toBe(group));
