// Where pm keeps its file: made by the first command, for its owner alone.
import { execSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pmIn } from '../support/pm.ts';

let root = '';
const home = (): string => join(root, 'deep', 'home');
const pm = pmIn(home);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pm-home-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the first command', () => {
  it('makes the file, readable by its owner alone, and says so', async () => {
    const before = process.umask(0);
    await pm('individuals list')
      .says(`Made ${home()}/local.db: a new site; the user name of its administrator is admin.`, 'What to do first: pm')
      .finally(() => process.umask(before));
    expect(modeOf(home())).toBe('700');
    expect(modeOf(join(home(), 'local.db'))).toBe('600');
  });

  it('names the administrator after the user of the system', () =>
    pm('individuals get me --fields UserName,Email,PrimaryReportsTo,IsGlobalAdmin', { env: { USER: 'zoe' } }).prints(
      'zoe\tzoe@localhost\t',
      'true',
    ));

  it('is the only one that says so', async () => {
    await pm('individuals list').says('Made');
    expect((await pm('individuals list').says()).err).toBe('');
  });

  it('is quiet with --quiet', async () => {
    expect((await pm('individuals list --quiet').says()).err).toBe('');
  });

  it('is none that only shows help, or cannot be understood', async () => {
    await pm('--help').prints('By name:');
    await pm('individuals --help').prints('Examples, with the names of');
    await pm('individuals list --help').prints('--department');
    await pm('individuals lst').fails(2);
    await pm('individuals list -o jsn').fails(2);
    await pm('departments create --name X --rank 1', { env: { CI: 'true' } }).fails(2, '-p local');
    await pm('individuals delete ann --yes', { env: { CI: 'true' } }).fails(2, '-p local');
    await pm('sites create X --admin x', { env: { CI: 'true' } }).fails(2, '-p local');
    await pm('individuals list', { env: { CI: 'true' } }).fails(2, '-p local');
    expect(existsSync(home())).toBe(false);
  });

  it('is made, and read, under CI for a named profile alone', async () => {
    const env = { CI: 'true' };
    await pm('individuals list -p local', { env }).says('Made');
    await pm('individuals list', { env }).fails(2, '-p local');
    await pm('individuals list', { env: { ...env, PM_PROFILE: 'local' } }).prints();
  });
});

describe.skipIf(process.platform === 'win32')('a folder with quotes and a dollar sign in its name', () => {
  const strange = (): string => join(root, `Ann's $HOME "x"`);
  const env = () => ({ PM_HOME: strange() });

  it('is named in commands that a shell runs as they stand', async () => {
    await pm('individuals list', { env: env() }).says('Made');
    const file = join(strange(), 'local.db');
    chmodSync(file, 0o644);
    const { out } = await pm('doctor -o json', { env: env() }).fails(11);
    const [command] = JSON.parse(out).flatMap(({ Advice }: { Advice: string }) => /chmod 600 .*/.exec(Advice) ?? []);
    execSync(command);
    expect(modeOf(file)).toBe('600');
    writeFileSync(file, '');
    const { err } = await pm('individuals list', { env: env() }).fails(10, 'is empty');
    execSync(/(?<=\()mv .*(?=\), or)/.exec(err)?.[0] ?? 'false');
    expect(existsSync(`${file}.old`)).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('a folder that others may write in', () => {
  it.each([0o777, 0o770, 0o722])('is told of with each command: %o', async (mode) => {
    mkdirSync(home(), { recursive: true });
    chmodSync(home(), mode);
    const warning = `warning: others may write in ${home()} (${mode.toString(8)})`;
    await pm('individuals list').says(warning);
    await pm('profiles add prod --url https://x.example/v4').says(warning, 'chmod 700');
    expect((await pm('individuals list --quiet').says()).err).toBe('');
    chmodSync(home(), 0o755);
    expect((await pm('individuals list').says()).err).toBe('');
  });
});

describe('a folder that cannot be used', () => {
  const refused = (...told: readonly (string | RegExp)[]): Promise<unknown> =>
    pm('individuals list').fails(10, 'PM_HOME', ...told);

  it('is refused where a file is in the way', async () => {
    writeFileSync(join(root, 'deep'), '');
    await refused(home(), 'a file of that name is in the way');
  });

  it('is refused where it is a file itself', async () => {
    mkdirSync(join(root, 'deep'));
    writeFileSync(home(), '');
    await refused(home(), 'a file of that name is in the way');
  });

  it.runIf(process.getuid?.() !== 0)('is refused where it may not be written', async () => {
    mkdirSync(home(), { recursive: true });
    chmodSync(home(), 0o500);
    await refused(home(), 'you may not write there');
  });

  it.runIf(process.getuid?.() === 0)('is refused where it may not be written, to others than root', async () => {
    await pm('individuals list').prints();
    rmSync(home(), { recursive: true });
    mkdirSync(home(), { recursive: true });
    chmodSync(root, 0o755);
    process.seteuid?.(65534);
    await refused(home(), 'you may not write there').finally(() => process.seteuid?.(0));
  });
});

it.runIf(process.platform === 'linux')(
  'is refused where a file system takes no folders, instead of being tried for ever',
  () =>
    pm('individuals list', { env: { PM_HOME: '/proc/pm/home' } }).fails(10, '/proc/pm/home cannot be made', 'PM_HOME='),
);

describe.runIf(process.platform === 'linux')('without PM_HOME', () => {
  const places = (env: Readonly<Record<string, string>>) =>
    pm('config list -o json', { env: { PM_HOME: '', HOME: root, ...env } }).rows();
  const placeOf = (rows: readonly Readonly<Record<string, unknown>>[], setting: string) =>
    rows.find(({ Setting }) => Setting === setting)?.Value;

  it('has data and configuration in the folders of the platform', async () => {
    const [data, config] = [join(root, 'data'), join(root, 'config')];
    const rows = await places({ XDG_DATA_HOME: data, XDG_CONFIG_HOME: config });
    expect(placeOf(rows, 'home')).toBe(join(data, 'pm'));
    expect(placeOf(rows, 'config')).toBe(join(config, 'pm', 'config.json'));
    expect(placeOf(rows, 'credentials')).toBe(join(config, 'pm', 'credentials.json'));
  });

  it.each(['', 'relative'])('takes a variable that is "%s" as unset', async (text) => {
    const rows = await places({ XDG_DATA_HOME: text, XDG_CONFIG_HOME: text });
    for (const setting of ['home', 'config']) expect(placeOf(rows, setting)).toMatch(/^\/.*\/pm(\/config.json)?$/);
  });

  it('leaves profiles and credentials where they are', async () => {
    const data = join(root, 'data');
    mkdirSync(join(data, 'pm'), { recursive: true, mode: 0o700 });
    writeFileSync(join(data, 'pm', 'credentials.json'), '{}', { mode: 0o600 });
    const rows = await places({ XDG_DATA_HOME: data, XDG_CONFIG_HOME: join(root, 'config') });
    expect(placeOf(rows, 'config')).toBe(join(data, 'pm', 'config.json'));
  });
});
