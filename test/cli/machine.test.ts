// The machine on which pm runs: a user whom the system does not know, proxies, places that variables name, a folder that is gone.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mountFuse } from '../faults/mounts.ts';
import { STRANGER } from '../support/needs.ts';
import { usingPm } from '../support/pm.ts';
import { PM } from '../support/terminal.ts';

const pm = usingPm();

interface Ran {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

function ran(argv: readonly string[], env: Readonly<Record<string, string>>, cwd = pm.home): Ran {
  const [program = '', ...words] = argv;
  const { status, stdout, stderr } = spawnSync(program, words, { env, cwd, encoding: 'utf8' });
  return { exit: status, out: stdout, err: stderr };
}

const PATH = process.env.PATH ?? '';

describe('a user who is a number alone', { tags: 'stranger' }, () => {
  const asNobody = (line: string, env: Readonly<Record<string, string>>): Ran =>
    ran(['setpriv', STRANGER, '--clear-groups', process.execPath, PM, ...line.split(' ')], { PATH, ...env });

  it.each([
    ['without HOME', {}],
    ['with an empty HOME', { HOME: '' }],
    ['with a HOME that is no path', { HOME: 'x' }],
  ])('is asked for a folder: %s', (_what, env) => {
    const { exit, err } = asNobody('individuals list', env);
    expect({ exit, err }).toEqual({
      exit: 2,
      err: 'error: the system knows no home folder of this user\nhint: Name one for the files of pm: PM_HOME=<folder> pm …\n',
    });
  });

  it('may have none that can be written', () => {
    const { exit, err } = asNobody('individuals list', { HOME: '/' });
    expect(exit).toBe(10);
    expect(err).toContain('you may not write there\nhint: Name another one: PM_HOME=<folder> pm …');
  });

  it('works in the folder that is named, as the administrator of a new site', () => {
    const folder = join(pm.home, 'open');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    for (const above of [pm.home, join(pm.home, '..')]) chmodSync(above, 0o755);
    const { exit, out } = asNobody('individuals list -o csv', { PM_HOME: join(folder, 'pm') });
    expect({ exit, out }).toEqual({ exit: 0, out: expect.stringContaining('admin Administrator') });
    expect(asNobody('doctor', { PM_HOME: join(folder, 'pm') }).err).not.toMatch(/uv_|SYSTEM_ERROR/);
  });

  it.each(['--version', '--help', 'help files'])('needs none for %s', (line) => {
    expect(asNobody(line, {}).exit).toBe(0);
  });
});

it.runIf(process.platform === 'linux')('a folder that is there, and takes no other ones, ends a command', () => {
  const { exit, err } = ran(['timeout', '30', process.execPath, PM, 'individuals', 'list'], { PATH, PM_HOME: '/proc' });
  expect(exit).toBe(10);
  expect(err).toContain('/proc/local.db');
});

it('a working directory that was deleted is named', () => {
  const gone = join(pm.home, 'gone');
  mkdirSync(gone);
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
  const { exit, err } = ran(['sh', '-c', script, 'sh', gone, process.execPath, PM, 'whoami'], { PATH });
  rmSync(gone, { recursive: true, force: true });
  expect({ exit, err }).toEqual({
    exit: 10,
    err: 'error: the working directory has been deleted\nhint: cd into another one.\n',
  });
});

describe('a folder on a file system that is shared', { tags: 'fuse' }, () => {
  const shared = () => {
    const root = mkdtempSync(join(tmpdir(), 'pm-shared-'));
    const end = mountFuse(join(root, 'at'));
    onTestFinished(() => {
      end();
      rmSync(root, { recursive: true, force: true });
    });
    return { PM_HOME: join(root, 'at', 'pm') };
  };

  it('is refused for a database, unless it is said that nothing else uses it', async () => {
    const env = shared();
    for (const line of ['individuals list', 'departments create --name A --rank 1 --parent Local', 'serve --port 0'])
      await pm(line, { env }).fails(10, 'is on FUSE', 'PM_HOME=<folder>', 'PM_ANY_FILE_SYSTEM=1');
    expect(existsSync(env.PM_HOME)).toBe(false);
    await pm('individuals list', { env: { ...env, PM_ANY_FILE_SYSTEM: '1' } }).prints('admin');
  });

  it('is told by doctor', async () => {
    const env = shared();
    await pm('individuals list', { env: { ...env, PM_ANY_FILE_SYSTEM: '1' } }).prints('admin');
    await pm('doctor', { env }).fails(11);
    expect((await pm('doctor', { env })).out).toMatch(/folder\twarning\t.* is on FUSE/);
  });
});

describe('a proxy', () => {
  const on = (env: Readonly<Record<string, string>>) => (line: string) =>
    pm(line, { env: { PM_URL: 'https://pm.example.org', PM_USER: 'ann', PM_PASSWORD: 'x', PM_RETRIES: '0', ...env } });

  it.each([
    ...['127.0.0.1:9', 'http://127.0.0.1:9', ' http://127.0.0.1:9 ', 'localhost:9', 'http://127.0.0.1:9/path?x#y'],
    ...[
      '//127.0.0.1:9',
      'HTTP://127.0.0.1:9/',
      'http://u:p@127.0.0.1:9',
      'https://localhost:9',
      'no-such-proxy.invalid',
    ],
  ])('may stand without its scheme, and with a path; where it cannot be reached it is named: %j', async (proxy) => {
    const run = on({ HTTPS_PROXY: proxy });
    const { exit, err } = await run('individuals list');
    expect({ exit, err }).toEqual({ exit: 8, err: expect.stringContaining('(HTTPS_PROXY) cannot be reached') });
  });

  it.each(['socks5://user:canary@127.0.0.1:9', 'http://', '::', 'http://[', 'a b', 'file:///x'])(
    'that is none is refused by the name of its variable, and not shown: %s',
    async (proxy) => {
      for (const [variable, line] of [
        ['HTTPS_PROXY', 'individuals list'],
        ['https_proxy', 'doctor'],
      ] as const) {
        const { exit, out, err } = await on({ [variable]: proxy })(line);
        expect({ exit, said: `${out}${err}` }).toEqual({
          exit: line === 'doctor' ? 11 : 2,
          said: expect.stringContaining(`${variable} is not the address of an http or https proxy`),
        });
        expect(`${out}${err}`).not.toContain('canary');
      }
    },
  );
});

describe('variables that name different places', () => {
  const DATABASE = { PM_DATABASE: 'postgres://nowhere/x' };
  const URL = { PM_URL: 'https://pm.example.org' };

  it.each([
    [{ PM_PROFILE: 'local', ...DATABASE }, 'PM_PROFILE and PM_DATABASE'],
    [{ PM_PROFILE: 'local', ...URL }, 'PM_PROFILE and PM_URL'],
    [{ ...DATABASE, ...URL }, 'PM_DATABASE and PM_URL'],
    [{ PM_PROFILE: 'database', ...DATABASE, ...URL }, 'PM_PROFILE and PM_URL'],
  ])('are refused: %j', async (env, both) => {
    for (const line of ['individuals list', 'config list', 'import individuals x.csv -n'])
      await pm(line, { env }).fails(2, `${both} both say where the records are`, '-p ');
  });

  it('and a flag says which one is meant', async () => {
    await pm('individuals list -p local', { env: { PM_PROFILE: 'x', ...DATABASE, ...URL } }).prints('admin');
    await pm('individuals list -p local', { env: { PM_PROFILE: 'local' } }).prints('admin');
  });
});
