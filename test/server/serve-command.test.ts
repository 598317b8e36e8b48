// pm serve: the commands that it prints work, and it ends on a signal.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { openApi } from '../../src/server/openapi.ts';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();

/** A serve that runs until it is stopped. */
function serving(words: readonly string[], home: string) {
  const stop = new AbortController();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let [out, err] = ['', ''];
  stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const exit = main(['serve', '--port', '0', ...words], {
    ...{ stdin: Readable.from([]), stdout, stderr, columns: 80, cwd: home, now: () => new Date() },
    ...{ stdinIsTerminal: false, stdoutIsTerminal: false, stderrIsTerminal: false },
    env: { PM_HOME: home, USER: 'admin' },
    stopped: stop.signal,
  });
  const printed = new Promise<string>((resolve) => {
    stdout.on('data', () => out.includes('curl') && resolve(out));
    exit.then(() => resolve(out));
  });
  return {
    printed,
    err: () => err,
    stop(): Promise<number> {
      stop.abort();
      return exit;
    },
  };
}

const shell = (line: string) => promisify(execFile)('sh', ['-c', line], { env: { PATH: process.env.PATH, HOME: '/' } });
const curlIn = (out: string): string => out.trimEnd().split('\n').at(-1) ?? '';
const leftOver = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('pm-serve-'));

describe('pm serve --sample small', () => {
  it('prints a line that works when it is pasted, and leaves nothing behind', { tags: 'curl' }, async () => {
    const before = leftOver();
    const server = serving(['--sample', 'small'], pm.home);
    const out = await server.printed;
    expect(out).toMatch(/^Serving http:\/\/127\.0\.0\.1:\d+ /);
    expect(out).toMatch(/^User: admin$/m);
    const password = /^Password: (\S{16})$/m.exec(out)?.[1] ?? '';
    const answer = JSON.parse((await shell(`${curlIn(out)} -sS`)).stdout) as object;
    expect(answer).toMatchObject({ UserName: 'admin' });
    expect(await server.stop()).toBe(0);
    expect(leftOver()).toEqual(before);
    expect(server.err()).toContain('"path":"/v4/me"');
    expect(server.err()).not.toContain(password);
  });
});

describe('pm serve', () => {
  it('stops where nobody can log in, and says how to change that', async () => {
    await pm.refuses('serve --port 0', 4, 'nobody can log in', 'pm passwd', '--sample small');
  });

  it('takes a token for a login, where nobody has a password', async () => {
    const { Token } = await pm('tokens create --kind user -o json').row();
    const server = serving([], pm.home);
    const out = await server.printed;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? '';
    expect(curlIn(out)).toBe(`curl -u admin ${url}/v4/me`);
    const headers = { authorization: `Basic ${Buffer.from(`admin:{UserToken}${Token}`).toString('base64')}` };
    expect(await (await fetch(`${url}/v4/me`, { headers })).json()).toMatchObject({ UserName: 'admin' });
    expect(await server.stop()).toBe(0);
  });

  it('serves the local database, and does not print a password', async () => {
    await pm('passwd --new-password-stdin', { stdin: 'Canary-in-a-mine' }).says('is set');
    const server = serving([], pm.home);
    const out = await server.printed;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? '';
    expect(curlIn(out)).toBe(`curl -u admin ${url}/v4/me`);
    const headers = { authorization: `Basic ${Buffer.from('admin:Canary-in-a-mine').toString('base64')}` };
    expect(await (await fetch(`${url}/v4/me`, { headers })).json()).toMatchObject({ UserName: 'admin' });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it.each([
    ['--port 70000', '0 to 65535'],
    ['--port x', '0 to 65535'],
    ['--tls-cert a.pem', 'needed together'],
    ['--tls-cert a.pem --tls-key b.pem', '--tls-cert a.pem cannot be read'],
    ['--sample large', 'small'],
    ['--namespace nonsense', 'an absolute URI'],
    ['--min-password 0', '1 to 1024'],
    ['--workers 2', 'pm serve once for each process', 'pm help scale'],
  ])('refuses %s', async (flags, ...words) => {
    await pm.refuses(`serve ${flags}`, 2, ...words);
  });

  it('takes shorter passwords with --min-password', async () => {
    await pm('passwd --new-password-stdin', { stdin: 'Canary-in-a-mine' }).says('is set');
    const server = serving(['--min-password', '4'], pm.home);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(await server.printed)?.[0] ?? '';
    const headers = (password: string) => ({
      authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    });
    const me = (await (await fetch(`${url}/v4/me`, { headers: headers('Canary-in-a-mine') })).json()) as { ID: string };
    const put = (password: string, Password: string) => {
      const body = JSON.stringify({ ...me, Password });
      return fetch(`${url}/v4/individuals/${me.ID}`, { method: 'PUT', headers: headers(password), body });
    };
    expect((await put('Canary-in-a-mine', 'abc')).status).toBe(400);
    expect((await put('Canary-in-a-mine', 'abcd')).status).toBe(200);
    expect((await fetch(`${url}/v4/me`, { headers: headers('abcd') })).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it.each([
    ['--port 65536', '--port is "65536"; it must be a whole number from 0 to 65535'],
    ['--drain 10m', '--drain is "10m"; it must be a whole number from 0 to 600'],
  ])('refuses %s', async (flag, message) => void (await pm.refuses(`serve ${flag}`, 2, message)));

  it('refuses another address without TLS', async () => {
    await pm('passwd --new-password-stdin', { stdin: 'Canary-in-a-mine' }).says('is set');
    await pm.refuses('serve --host 0.0.0.0 --port 0', 2, 'unencrypted', '--tls-cert', '--allow-http');
  });
});

describe('with TLS', { tags: ['openssl', 'curl'] }, () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pm-tls-'));
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('the printed line trusts the certificate that was given', async () => {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const server = serving(['--sample', 'small', '--tls-cert', cert, '--tls-key', key], pm.home);
    const out = await server.printed;
    expect(out).toMatch(/^Serving https:\/\/127\.0\.0\.1:\d+ /);
    expect(JSON.parse((await shell(`${curlIn(out)} -sS`)).stdout)).toMatchObject({ UserName: 'admin' });
    await server.stop();
  });

  it('a certificate that is none is said in words', async () => {
    const nonsense = join(folder, 'nonsense.pem');
    writeFileSync(nonsense, 'nonsense');
    expect(existsSync(nonsense)).toBe(true);
    await pm('passwd --new-password-stdin', { stdin: 'Canary-in-a-mine' }).says('is set');
    await pm.refuses(`serve --port 0 --tls-cert ${nonsense} --tls-key ${nonsense}`, 2, '--tls-cert');
  });
});

it('answers XML in the namespace that it is told', async () => {
  await pm('passwd --new-password-stdin', { stdin: 'Canary-in-a-mine' }).says('is set');
  const server = serving(['--namespace', 'http://example.org/v4'], pm.home);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(await server.printed)?.[0] ?? '';
  const authorization = `Basic ${Buffer.from('admin:Canary-in-a-mine').toString('base64')}`;
  const answer = await fetch(`${url}/v4/me`, { headers: { authorization, accept: 'text/xml' } });
  expect(await answer.text()).toContain('<Individual xmlns="http://example.org/v4"');
  await server.stop();
});

describe('pm openapi', () => {
  it('prints the description', async () => {
    expect(JSON.parse(await pm('openapi').prints())).toEqual(openApi());
  });
});
