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

  test.each([
    ['postgres://ada:secret@db.example.org/people', 'holds a password'],
    ['postgres://db.example.org/people?password=secret', 'holds a password'],
    ['postgres://ada:@db.example.org/people', 'holds a password'],
    ['postgres://db.example.org/people?sslmode=prefer', 'says sslmode=prefer'],
    ['postgres://db.example.org/people?sslmode=toString', 'says sslmode=toString'],
    ['postgres://db.example.org/people?pool=3', 'is not known: pool'],
    ['postgres://db.example.org', 'names no database'],
    ['postgres:///people', 'names no host'],
    ['postgres://db.example.org:port/people', 'cannot be read'],
    ['local.db', 'is no address'],
  ])('%s is refused: it %s', async (text, why) => {
    const error = await refuses((async () => read(text))()).with('usage', why);
    expect(`${error.message} ${error.hint}`).not.toContain('secret');
  });
});
