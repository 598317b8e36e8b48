// Profiles: remote services by name, kept in config.json.
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();
const PROD = 'profiles add prod --url https://pm.example.org';
const config = (): unknown => JSON.parse(readFileSync(join(pm.home, 'config.json'), 'utf8'));

describe('pm profiles add', () => {
  it('keeps what its flags say, for the owner of the file alone', async () => {
    await pm(`${PROD} --user ann --wire xml --protected --namespace urn:x`).says('pm login -p prod');
    expect(config()).toEqual({
      profiles: {
        prod: { url: 'https://pm.example.org', user: 'ann', wire: 'xml', protected: true, namespace: 'urn:x' },
      },
    });
    expect(statSync(join(pm.home, 'config.json')).mode & 0o777).toBe(0o600);
  });

  it('changes what is named of one that is there, and nothing else', async () => {
    await pm(`${PROD} --user ann --protected`).says('Added');
    await pm('profiles add prod --url https://new.example.org --protected false').says('Changed');
    expect(config()).toEqual({ profiles: { prod: { url: 'https://new.example.org', user: 'ann' } } });
  });

  it('shows the namespace and the routes as they were given', async () => {
    const route = 'basicRoleDialog.list.basicRole=GET /roles/{basicRoleid}/entries';
    const words = ['profiles', 'add', 'prod', '--url', 'https://x', '--namespace', 'urn:x', '--route', route];
    await pm(words).says('Added');
    const shown: unknown = JSON.parse(await pm('profiles show prod -o json').prints());
    expect(shown).toMatchObject({ Namespace: 'urn:x', Routes: route });
  });

  it('makes an open file private again', async () => {
    const file = join(pm.home, 'config.json');
    writeFileSync(file, '{"profiles":{}}');
    chmodSync(file, 0o644);
    await pm(PROD).says('Added');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keeps a private file of authorities by its whole path', async () => {
    await pm(`${PROD} --ca-file ca.pem`).says('Added');
    expect(config()).toMatchObject({ profiles: { prod: { caFile: join(pm.home, 'ca.pem') } } });
  });

  it.each([
    ['profiles add prod', 'needs --url'],
    ['profiles add prod --url pm.example.org', 'https://'],
    ['profiles add prod --url http://pm.example.org', '--allow-http'],
    ['profiles add prod --url https://ann:secret@pm.example.org', 'do not belong there'],
    ['profiles add local --url https://x', 'the embedded engine'],
    ['profiles add environment --url https://x', 'PM_URL'],
    ['profiles add a/b --url https://x', 'cannot be the name'],
    ['profiles add prod --url https://x --wire yaml', 'json, xml'],
    ['profiles add prod --url https://x --password x', 'never written on the command line'],
    [['profiles', 'add', 'prod', '--url', 'https://x', '--route', 'color.get.plain=GET /x'], 'interface document'],
    [['profiles', 'add', 'prod', '--url', 'https://x', '--route', 'x'], 'after a ='],
  ] as const)('refuses %j', async (line, words) => {
    const { err } = await pm.refuses(line, 2, words);
    expect(err).not.toContain('secret@');
    expect(() => config()).toThrow(/ENOENT/);
  });

  it('changes nothing with -n', async () => {
    await pm(`${PROD} -n`).prints();
    expect(() => config()).toThrow(/ENOENT/);
  });
});

describe('the profile of a command', () => {
  it('is the one in use, the one of PM_PROFILE, or the one of -p', async () => {
    await pm(PROD).says('Added');
    await pm('profiles add test --url https://test.example.org').says('Added');
    await pm('profiles use prod').says('prod is used');
    const used = async (line: string, env = {}) =>
      (await pm(`${line} -o json`, { env }).rows()).find(({ Used }) => Used)?.Name;
    expect(await used('profiles list')).toBe('prod');
    expect(await used('profiles list', { PM_PROFILE: 'test' })).toBe('test');
    expect(await used('profiles list -p local', { PM_PROFILE: 'test' })).toBe('local');
    expect(await used('profiles list', { PM_URL: 'https://e.example.org' })).toBe('environment');
    expect(await used('profiles list -p test', { PM_URL: 'https://e.example.org' })).toBe('test');
  });

  it('is local again once the one in use is deleted', async () => {
    await pm(PROD).says('Added');
    await pm('profiles use prod').prints();
    await pm('profiles delete prod').says('Deleted the profile prod');
    expect(config()).toEqual({ profiles: {} });
    await pm('individuals list').prints('admin');
  });

  it('must be there', async () => {
    await pm(PROD).says('Added');
    await pm('individuals list -p prdo').fails(2, 'no profile "prdo"', 'Did you mean prod?');
    await pm('profiles use nowhere').fails(2, 'pm profiles list');
    await pm('profiles delete local').fails(2, 'embedded engine');
  });

  it('is read from a file that can be understood', async () => {
    writeFileSync(join(pm.home, 'config.json'), '{"profiles": SECRET');
    const { err } = await pm('individuals list').fails(2, 'config.json', 'not a JSON object');
    expect(err).not.toContain('SECRET');
    await pm(PROD).fails(2, 'config.json');
  });

  it('is shown with what is known of it', async () => {
    await pm(`${PROD} --user ann`).says('Added');
    expect(await pm('profiles show prod -o json').row()).toMatchObject({
      Name: 'prod',
      URL: 'https://pm.example.org',
      User: 'ann',
      Wire: 'json',
      Credential: 'nothing',
    });
  });

  it('is the embedded engine for what it alone does', async () => {
    await pm(PROD).says('Added');
    for (const line of [
      'seed --sample small',
      'passwd --new-password-stdin',
      'tokens list',
      'sites create X --admin x',
    ])
      await pm(`${line} -p prod`, { env: { PM_PASSWORD: 'x', PM_USER: 'ann' } }).fails(2, 'embedded engine alone');
  });
});

describe('pm config list', () => {
  it('says what is in force, and who said so', async () => {
    await pm(`${PROD} --user ann --wire xml`).says('Added');
    const rows = await pm('config list --origin -p prod --retries 1 -o json', { env: { PM_TIMEOUT: '5' } }).rows();
    const said = Object.fromEntries(rows.map(({ Setting, Value, Origin }) => [Setting, [Value, Origin]]));
    expect(said).toMatchObject({
      home: [pm.home, 'PM_HOME'],
      profile: ['prod', '--profile'],
      url: ['https://pm.example.org', 'profile'],
      user: ['ann', 'profile'],
      wire: ['xml', 'profile'],
      retries: ['1', '--retries'],
      timeout: ['5', 'PM_TIMEOUT'],
      concurrency: ['adaptive', 'default'],
    });
  });

  it.each(['--timeout 0', '--retries x', '--concurrency 1000', '--wire yaml'])('refuses %s', async (flags) => {
    await pm.refuses(`individuals list ${flags}`, 2, flags.split(' ')[0] as string);
  });
});
