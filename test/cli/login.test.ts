// Logging in: what is kept, where, and to whom it is shown.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newServer, PASSWORD, type TestServer } from '../server/served.ts';
import { inDialog } from '../support/dialog.ts';
import { fakeServer, json, ME, says } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();
let server: TestServer;
beforeAll(async () => {
  server = await newServer();
});
afterAll(async () => {
  await server.close();
  await server.engine.end();
});
beforeEach(async () => {
  await pm(`profiles add prod --url ${server.url} --user ada`).says('Added');
});

const file = (): string => join(pm.home, 'credentials.json');
const kept = (): string => readFileSync(file(), 'utf8');
const LOGIN = 'login -p prod --password-stdin';

describe('pm login', () => {
  it('keeps a session token, and no password, for the owner of the file alone', async () => {
    await pm(LOGIN, { stdin: `${PASSWORD}\n` }).says('Logged in to prod', 'as ada', 'session token');
    expect(JSON.parse(kept())).toEqual({
      [server.url]: { ada: expect.stringMatching(/^\{SessionToken\}[0-9a-f-]{36}$/) },
    });
    expect(kept()).not.toContain(PASSWORD);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await pm('whoami -p prod -o json').row()).toMatchObject({
      Profile: 'prod',
      URL: server.url,
      UserName: 'ada',
      Credential: 'a kept session token',
    });
  });

  it('keeps the password where that is wanted', async () => {
    await pm(`${LOGIN} --keep-password`, { stdin: PASSWORD }).says('pm keeps the password');
    expect(kept()).toContain(PASSWORD);
    await pm('individuals list -p prod').prints('ada');
  });

  it('asks on a terminal who it is and for the password, which is not shown', async () => {
    await pm(`profiles add other --url ${server.url}`).says('Added');
    const told = await inDialog(['login', '-p', 'other'], pm.home, [
      ['User name for other', 'ada\r'],
      ['Password of ada for other', `${PASSWORD}\r`],
    ]);
    expect(told).toMatchObject({ exit: 0, out: expect.stringContaining('Logged in to other') });
    expect(told.out).not.toContain(PASSWORD);
    expect(kept()).toContain('SessionToken');
  });

  it('lets a dialog ask the service for what a reference can name', async () => {
    await pm(LOGIN, { stdin: PASSWORD }).says('Logged in');
    const told = await inDialog(['departments', 'create', '-p', 'prod', '-n'], pm.home, [
      ['❯ none: a new organization', 'te'],
      ['❯ Test', '\r'],
      ['Rank', '3\r'],
      ['Name', 'Lab\r'],
    ]);
    expect(told).toMatchObject({ exit: 0, out: expect.stringContaining('1 create (dry run') });
  });

  it('takes the password from a file or PM_PASSWORD', async () => {
    writeFileSync(join(pm.home, 'secret'), `${PASSWORD}\r\n`);
    await pm('login -p prod --password-file secret').says('Logged in');
    await pm('login -p prod', { env: { PM_PASSWORD: PASSWORD } }).says('Logged in');
  });

  it('keeps nothing for a password that is wrong, and says it nowhere', async () => {
    const { out, err } = await pm(LOGIN, { stdin: 'Canary-wrong-1' }).fails(4, 'Look at the user name, ada');
    expect(out + err).not.toContain('Canary-wrong-1');
    expect(existsSync(file())).toBe(false);
  });

  it('comes with adding a profile, where the password is handed over there', async () => {
    const add = `profiles add two --url ${server.url} --user ada --password-stdin`;
    await pm(add, { stdin: PASSWORD }).says('Added the profile two', 'Logged in to two');
    await pm('individuals list -p two').prints('ada');
    await pm(add.replace('two', 'three'), { stdin: 'wrong' }).fails(4, 'Added the profile three');
  });

  it('says where the password could come from', async () => {
    await pm('login -p prod').fails(2, '--password-stdin', 'PM_PASSWORD');
    await pm(LOGIN, { stdin: '' }).fails(2, 'the password is empty');
    await pm('login -p prod --password-file nowhere').fails(2, 'there is no such file');
    await pm('login -p prod --password Secret').fails(2, 'never written on the command line', '--password-stdin');
    await pm('login').fails(2, 'remote profile');
  });

  it('remembers whom a profile that names nobody is for', async () => {
    await pm(`profiles add other --url ${server.url}`).prints();
    await pm('login -p other --password-stdin', { stdin: PASSWORD }).fails(2, '--user');
    await pm('login -p other --user ada --password-stdin', { stdin: PASSWORD }).says('Logged in');
    expect(await pm('profiles show other -o json').row()).toMatchObject({ User: 'ada' });
  });

  it('keeps no password on its own where the service gives no tokens', async () => {
    const fake = await fakeServer();
    try {
      await pm(`profiles add old --url ${fake.url} --user ann`).prints();
      fake.does(says(404, ''));
      await pm('login -p old --password-stdin', { stdin: 'x' }).fails(2, 'no session tokens', '--keep-password');
      fake.does(json(ME));
      await pm('login -p old --password-stdin --keep-password', { stdin: 'x' }).says('pm keeps the password');
    } finally {
      await fake.close();
    }
  });
});

describe('pm logout', () => {
  it('forgets, and says whose it was', async () => {
    await pm(LOGIN, { stdin: PASSWORD }).says('Logged in');
    await pm('logout -p prod').says('ada');
    expect(JSON.parse(kept())).toEqual({});
    await pm('logout -p prod').says('Nothing was kept');
    await pm('whoami -p prod').fails(4, 'pm login -p prod');
  });

  it('ends the session on the service', async () => {
    await pm(LOGIN, { stdin: PASSWORD }).says('Logged in');
    const env = { PM_PASSWORD: String(JSON.parse(kept())[server.url].ada) };
    await pm('whoami -p prod', { env }).prints('ada');
    const { err } = await pm('logout -p prod').says('Forgotten');
    expect(err).not.toContain('has not ended');
    await pm('whoami -p prod', { env }).fails(4);
  });

  it('says where the service does not end it', async () => {
    await pm(LOGIN, { stdin: PASSWORD }).says('Logged in');
    const fake = await fakeServer();
    try {
      const token = JSON.stringify({ [fake.url]: { ann: '{SessionToken}0f8fad5b-d9cb-469f-a165-70867728950e' } });
      writeFileSync(file(), token, { mode: 0o600 });
      await pm(`profiles add old --url ${fake.url} --user ann`).prints();
      fake.does(says(404, ''));
      await pm('logout -p old').says('old has not ended the session', 'Forgotten: the credential of ann');
      expect(kept()).not.toContain('SessionToken');
    } finally {
      await fake.close();
    }
  });

  it('forgets one user of the address: that of the profile, or the one who is named', async () => {
    const add = (name: string, user: string) => pm(`profiles add ${name} --url ${server.url} --user ${user}`).says();
    await add('two', 'bob');
    await pm(LOGIN, { stdin: PASSWORD }).says('Logged in');
    await pm('login -p two --password-stdin', { stdin: PASSWORD }).says('Logged in');
    const { err } = await pm('logout -p two').says('Forgotten: the credential of bob');
    expect(err).not.toContain('ada');
    await pm('whoami -p prod').prints('ada');
    await pm('login -p two --password-stdin', { stdin: PASSWORD }).says('Logged in');
    await pm(`profiles add all --url ${server.url}`).says();
    await pm('logout -p all').fails(2, 'ada, bob', '--user');
    await pm('logout -p all --user bob').says('the credential of bob');
    await pm('logout -p all').says('the credential of ada');
  });
});

describe('a credential', () => {
  it('is shown to no other address, whatever the profile is called', async () => {
    await pm(LOGIN, { stdin: PASSWORD }).says('Logged in');
    const fake = await fakeServer();
    try {
      await pm(`profiles add prod --url ${fake.url}`).says('Changed');
      await pm('whoami -p prod').fails(4, 'nobody is logged in');
      await pm('whoami -p prod', { env: { PM_URL: server.url, PM_PASSWORD: PASSWORD } }).fails(
        4,
        'nobody is logged in',
      );
      expect(fake.requests).toEqual([]);
    } finally {
      await fake.close();
    }
  });

  it('comes from the environment alone, where nothing is to be kept', async () => {
    const env = { PM_URL: server.url, PM_USER: 'ada', PM_PASSWORD: PASSWORD };
    expect(await pm('whoami -o json', { env }).row()).toMatchObject({ Profile: 'environment', UserName: 'ada' });
    expect(existsSync(file())).toBe(false);
  });

  it('of an administrator acts as somebody else, with the password or a token of the site', async () => {
    const env = { PM_PASSWORD: PASSWORD };
    expect(await pm('whoami -p prod --as bob -o json', { env }).row()).toMatchObject({ UserName: 'bob' });
    await pm(LOGIN, { stdin: PASSWORD }).says('Logged in');
    await pm('whoami -p prod --as bob').fails(2, 'session token', '--keep-password');
    const { Token } = await server.session.call(
      (await import('../../src/contract/index.ts')).contract.token.operations.create,
      { body: { Kind: 'site' } },
    );
    const site = { PM_PASSWORD: `{SiteToken}${String(Token)}` };
    expect(await pm('whoami -p prod --as bob -o json', { env: site }).row()).toMatchObject({ UserName: 'bob' });
  });

  it('goes with its profile', async () => {
    await pm(LOGIN, { stdin: PASSWORD }).says('Logged in');
    await pm('profiles delete prod').says('the credential of ada');
    expect(kept()).not.toContain('SessionToken');
  });
});

describe('a new password of one’s own', () => {
  const CHANGE = 'individuals update me --new-password-stdin -p prod';
  const NEXT = 'Another-horse-2';
  const secretOf = (): string => JSON.parse(kept())[server.url].ada;

  it('is sent with the old one, and what is kept goes on working', async () => {
    await pm(LOGIN, { stdin: PASSWORD }).says('Logged in');
    const before = secretOf();
    await pm(CHANGE, { stdin: NEXT }).fails(2, 'needs the present one', 'PM_PASSWORD');
    const { out, err } = await pm(CHANGE, { stdin: NEXT, env: { PM_PASSWORD: PASSWORD } }).says('1 update');
    for (const secret of [PASSWORD, NEXT]) expect(out + err).not.toContain(secret);
    expect(secretOf()).toMatch(/^\{SessionToken\}/);
    expect(secretOf()).not.toBe(before);
    await pm('whoami -p prod').prints('ada');
    await pm(CHANGE, { stdin: PASSWORD, env: { PM_PASSWORD: NEXT } }).says('1 update');
  });

  it('takes the place of a password that is kept', async () => {
    await pm(`${LOGIN} --keep-password`, { stdin: PASSWORD }).says('pm keeps the password');
    await pm(CHANGE, { stdin: NEXT }).says('1 update');
    expect(secretOf()).toBe(NEXT);
    await pm(CHANGE, { stdin: PASSWORD }).says('1 update');
  });
});

describe('pm tokens', () => {
  it('makes, lists and revokes what stands in for a password', async () => {
    const made = await pm('tokens create -o json').row();
    expect(made).toMatchObject({ Kind: 'user', Token: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const [listed, ...others] = await pm('tokens list -o json').rows();
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ ID: made.ID });
    expect(listed).not.toHaveProperty('Token');
    await pm(`tokens revoke ${String(made.ID)}`).says('Revoked');
    await pm('tokens list').says('No tokens.');
    await pm(`tokens revoke ${String(made.ID)}`).fails(6, 'pm tokens list');
  });
});
