// The engine on a database of a server: who says where it is, what is kept of it, and that no secret is among that.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();
const ADDRESS = 'postgres://pm@127.0.0.1:1/people';
const AWAY = { env: { PM_DATABASE: ADDRESS } };
const config = (): unknown => JSON.parse(readFileSync(join(pm.home, 'config.json'), 'utf8'));

describe('a profile of a database', () => {
  it('is kept by its address, and shown like others', async () => {
    await pm(`profiles add prod --database ${ADDRESS}`).says('prod is the engine on', 'pm whoami -p prod');
    expect(config()).toEqual({ profiles: {}, databases: { prod: ADDRESS } });
    const shown: unknown = JSON.parse(await pm('profiles show prod -o json').prints());
    expect(shown).toMatchObject({ Name: 'prod', URL: ADDRESS, User: 'pm', Wire: null });
    await pm('profiles list').prints(`prod\t${ADDRESS}`);
  });

  it('is named by --profile, and can be the one that is used', async () => {
    await pm(`profiles add prod --database ${ADDRESS}`);
    await pm('whoami -p prod').fails(8, `The database ${ADDRESS} cannot be reached`, 'pg_isready');
    await pm('profiles use prod').says('From now on prod');
    await pm('whoami').fails(8, ADDRESS);
  });

  it('is deleted without its database', async () => {
    await pm(`profiles add prod --database ${ADDRESS}`);
    await pm('profiles delete prod').says('its database is left as it is');
    await pm('whoami -p prod').fails(2, 'there is no profile "prod"');
  });

  it('changes nothing in a rehearsal', async () => {
    await pm(`profiles add prod --database ${ADDRESS} -n`).says('');
    await pm('profiles show prod').fails(2, 'there is no profile');
  });

  it.each(['--url https://x', '--user ann', '--password-stdin', '--protected', '--route a.b=c'])(
    'takes no %s',
    async (flag) => {
      await pm.refuses(`profiles add prod --database ${ADDRESS} ${flag}`, 2, '--database takes no --', 'PGPASSFILE');
    },
  );

  it('does not take the name of a service, nor the other way round', async () => {
    await pm('profiles add prod --url https://pm.example.org');
    await pm(`profiles add prod --database ${ADDRESS}`).fails(2, 'is a service', 'pm profiles delete prod');
    await pm(`profiles add home --database ${ADDRESS}`);
    await pm('profiles add home --url https://pm.example.org').fails(2, 'is a database', 'pm profiles delete home');
    await pm(`profiles add database --database ${ADDRESS}`).fails(2, 'that PM_DATABASE names');
  });
});

describe('the address of a database', () => {
  it('is named by --database, else by PM_DATABASE, and by neither beside --profile', async () => {
    await pm(`whoami --database ${ADDRESS}`).fails(8, ADDRESS);
    await pm('whoami', AWAY).fails(8, ADDRESS);
    await pm('whoami --database postgres://pm@127.0.0.1:2/other', AWAY).fails(8, '127.0.0.1:2/other');
    await pm(`whoami -p local --database ${ADDRESS}`).fails(2, '--profile and --database');
    await pm('whoami -p local', AWAY).prints('local');
  });

  it.each([
    ['--database', `whoami --database postgres://ann:secret@host/people`, {}],
    ['PM_DATABASE', 'whoami', { PM_DATABASE: 'postgres://ann:secret@host/people' }],
    ['--database', 'profiles add prod --database postgres://host/people?password=secret', {}],
  ])('of %s holds no password, and an error repeats none', async (from, line, env) => {
    const { err } = await pm(line, { env }).fails(2, `${from} holds a password`, 'PGPASSWORD', 'PGPASSFILE');
    expect(err).not.toContain('secret');
  });

  it('must be that of a PostgreSQL database', async () => {
    await pm('whoami --database local.db').fails(
      2,
      '--database is not the address of a PostgreSQL database',
      'postgres://',
    );
  });

  it('is a profile that is named, as CI wants it', async () => {
    await pm('whoami', { env: { ...AWAY.env, CI: '1' } }).fails(8, ADDRESS);
  });

  it('is a setting, and the place where pm alone begins', async () => {
    await pm('config list --origin', AWAY).prints(`database\t${ADDRESS}\tPM_DATABASE`);
    await pm('', AWAY).prints(`To begin, on ${ADDRESS}`);
    await pm('profiles list', AWAY).prints(`database\t${ADDRESS}`);
  });
});

describe('a file of passwords', () => {
  it('that is named must be there', async () => {
    const env = { ...AWAY.env, PGPASSFILE: '/nowhere/passwords' };
    await pm('whoami', { env }).fails(10, 'the file of passwords /nowhere/passwords cannot be read');
  });
});
