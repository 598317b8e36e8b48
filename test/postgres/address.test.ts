// The address of a database on a server: what it may say, and that it never holds a password.
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../src/engine/store/postgres/address.ts';
import { refuses } from '../support/refuses.ts';

const read = (text: string) => addressOf(text, 'me', '--database');

describe('the address of a database', () => {
  test('names the server, the user and the database', () => {
    expect(read('postgres://ada@db.example.org:6543/people')).toMatchObject({
      host: 'db.example.org',
      port: 6543,
      user: 'ada',
      name: 'people',
    });
  });

  test('goes without port and user', () => {
    expect(read('postgresql://db.example.org/people')).toMatchObject({ port: 5432, user: 'me' });
  });

  test('can name the folder of a socket', () => {
    const address = read('postgres://ada@/people?host=/run/postgresql');
    expect(address).toMatchObject({ host: '/run/postgresql', user: 'ada', tls: 'none' });
    expect(read(address.shown)).toEqual(address);
  });

  test.each([
    ['postgres://db.example.org/people', 'named'],
    ['postgres://db.example.org/people?sslmode=require', 'named'],
    ['postgres://db.example.org/people?sslmode=verify-full', 'named'],
    ['postgres://db.example.org/people?sslmode=verify-ca', 'signed'],
    ['postgres://db.example.org/people?sslmode=disable', 'none'],
    ['postgres://127.0.0.1/people', 'none'],
    ['postgres://[::1]/people', 'none'],
    ['postgres://localhost/people?sslmode=require', 'named'],
  ])('%s: TLS %s', (text, tls) => {
    expect(read(text).tls).toBe(tls);
  });

  test('is taken as hosts of databases hand it out', () => {
    const handed = '?sslmode=require&channel_binding=require&application_name=people&connect_timeout=15';
    expect(read(`postgres://ada@db.example.org/people${handed}`)).toMatchObject({
      ...{ tls: 'named', bindsChannel: true, application: 'people', connectMs: 15_000 },
    });
    expect(read('postgres://db.example.org/people?channel_binding=prefer')).toMatchObject({ bindsChannel: true });
    expect(read('postgres://127.0.0.1/people?channel_binding=disable&connect_timeout=0')).toMatchObject({
      ...{ bindsChannel: false, application: 'pm' },
    });
    expect(read('postgres://127.0.0.1/people?connect_timeout=1')).toMatchObject({ connectMs: 2_000 });
  });

  test.each([
    ...['target_session_attrs=read-write', 'target_session_attrs=primary', 'keepalives=1&keepalives_idle=30'],
    ...['pgbouncer=true&connection_limit=1', 'schema=public', 'ssl=true', 'gssencmode=disable', 'supa=base-pooler.x'],
    ...['load_balance_hosts=random', 'tcp_user_timeout=9', 'client_encoding=UTF8'],
  ])('may add what pm does anyhow, or what only others have: %s', (added) => {
    expect(read(`postgres://ada@db.example.org/people?${added}`)).toEqual(read('postgres://ada@db.example.org/people'));
  });

  test.each([
    ['postgres://db.example.org/people?target_session_attrs=standby', 'not known: target_session_attrs'],
    ['postgres://db.example.org/people?schema=people', 'not known: schema'],
    ['postgres://db.example.org/people?ssl=false', 'not known: ssl'],
    ['postgres://127.0.0.1/people?channel_binding=require', 'says channel_binding=require'],
    ['postgres://db.example.org/people?channel_binding=on', 'says channel_binding=on'],
    ['postgres://db.example.org/people?connect_timeout=10s', 'says connect_timeout=10s'],
    ['postgres://db.example.org/people?connect_timeout=-1', 'says connect_timeout=-1'],
    ['postgres://db.example.org/people?service=people', 'names a service file, which pm does not read'],
    ['postgres://db.example.org/people?options=-c&pgbouncer=true&x=1', 'not known: options, x'],
    ['postgres://ada:secret@db.example.org/people', 'holds a password'],
    ['postgres://db.example.org/people?password=secret', 'holds a password'],
    ['postgres://ada:@db.example.org/people', 'holds a password'],
    ['postgres://db.example.org/people?sslmode=prefer', 'says sslmode=prefer'],
    ['postgres://db.example.org/people?sslmode=toString', 'says sslmode=toString'],
    ['postgres://db.example.org/people?pool=3', 'is not known: pool'],
    ['postgres://db.example.org', 'names no database'],
    ['postgres:///people', 'names no host'],
    ['postgres://db.example.org:port/people', 'cannot be read'],
    ['local.db', 'is not the address'],
  ])('%s is refused: it %s', async (text, why) => {
    const error = await refuses((async () => read(text))()).with('usage', why);
    expect(`${error.message} ${error.hint}`).not.toContain('secret');
  });
});
