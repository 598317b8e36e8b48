// pm api, --trace and --curl: requests as they are sent.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, json, ME, says } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';
import { strangeService } from '../support/strange-service.ts';

const SECRET = 'Canary-secret-7';
const pm = usingPm();
let server: FakeServer;
const env = { PM_PASSWORD: SECRET };
const api = (line: string | readonly string[], more: { stdin?: string; columns?: number } = {}) =>
  pm(typeof line === 'string' ? `api ${line} -p prod --retries 0` : ['api', ...line, '-p', 'prod', '--retries', '0'], {
    env,
    ...more,
  });

beforeEach(async () => {
  server = await fakeServer();
  await pm(`profiles add prod --url ${server.url} --user ann`).says('Added');
});
afterEach(() => server.close());

describe('pm api', () => {
  it('prints what it is answered, as it is', async () => {
    server.does(says(200, '{ "ID" :1}\n'));
    expect(await api('GET /me').prints()).toBe('{ "ID" :1}\n');
    expect(await api('get me').prints()).toBe('{ "ID" :1}\n');
    expect(await api('GET /v4/me?tz=UTC -F a=b').prints()).toBe('{ "ID" :1}\n');
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v4/me',
      'GET /v4/me',
      'GET /v4/me?tz=UTC&a=b',
    ]);
  });

  it('sends fields as JSON, numbers and truths typed where they stay what they are', async () => {
    server.does(json({}));
    await api([
      'POST',
      '/x',
      '-F',
      'Name=a b',
      '-F',
      'Rank=7',
      '-F',
      'Code=007',
      '-F',
      'Is=true',
      '-F',
      'No=null',
    ]).says('▲ prod');
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      Name: 'a b',
      Rank: 7,
      Code: '007',
      Is: true,
      No: null,
    });
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
  });

  it('sends a file or stdin, and headers', async () => {
    writeFileSync(join(pm.home, 'body.xml'), '<a/>');
    server.does(json({}));
    await api(['PUT', '/x', '--input', 'body.xml', '-H', 'Content-Type: text/xml', '-H', 'If-Match: "x"']).prints();
    await api('PUT /x --input -', { stdin: '{"a":1}' }).prints();
    expect(server.requests.map(({ body }) => body)).toEqual(['<a/>', '{"a":1}']);
    expect(server.requests[0]?.headers).toMatchObject({ 'content-type': 'text/xml', 'if-match': '"x"' });
  });

  it('prints status and headers with -i, but no secret ones', async () => {
    server.does(says(200, '{}', { 'x-a': 'b', 'set-cookie': 'session=Canary' }));
    expect(await api('GET /me -i').prints('HTTP 200', 'x-a: b', 'set-cookie: [hidden]')).not.toContain('Canary');
  });

  it('prints a refusal, and ends with its exit code', async () => {
    server.does(says(403, '{"message":"no"}'));
    expect((await api('GET /me').fails(5, 'answered 403', 'no')).out).toBe('{"message":"no"}\n');
    server.does(says(404, 'x'));
    await api('GET /nothing').fails(6);
    server.does(says(500, 'x'));
    await api('GET /me').fails(8);
    await api('PUT /me').fails(9);
  });

  it('lets nothing steer a terminal', async () => {
    server.does(says(200, '\u001b[2J'));
    expect(await api('GET /me', { columns: 80 }).prints()).toBe('\\x1b[2J\n');
  });

  it.each([
    [['GET', 'http://elsewhere/x'], 'is not a path'],
    [['GET', '//elsewhere/x'], 'is not a path'],
    [['GET', '/../x'], 'is not a path'],
    [['GET', '/%2e%2e/x'], 'is not a path'],
    [['GET', '/a b'], 'is not a path'],
    [['TRACE', '/x'], 'not a method'],
    [['POST', '/x', '-F', 'Password=x'], 'never written on the command line'],
    [['GET', '/x', '-H', 'Authorization: Basic x'], 'not set by hand'],
    [['GET', '/x', '-H', 'X: a\nY: b'], 'is not "name: value"'],
    [['GET', '/x', '-o', 'json'], 'as it is'],
    [['POST', '/x', '-F', 'a=b', '--input', '-'], 'not from both'],
  ])('refuses %j without a request', async (line, words) => {
    await api(line).fails(2, words);
    expect(server.requests).toEqual([]);
  });

  it('asks before a DELETE, and sends nothing with -n', async () => {
    server.does(json({}));
    await api('DELETE /x').fails(12, '--yes');
    await api('DELETE /x -n').says('▲ prod');
    expect(server.requests).toEqual([]);
    await api('DELETE /x --yes').prints();
    expect(server.requests).toHaveLength(1);
  });

  it('ends a text with a line feed', async () => {
    server.does(says(200, '{"ID":1}', { 'content-type': 'application/json' }));
    expect(await api('GET /me').prints()).toBe('{"ID":1}\n');
    server.does(says(200, '\u0000x', { 'content-type': 'image/png' }));
    expect(await api('GET /me').prints()).toBe('\u0000x');
  });

  it('prints what --jmespath makes of JSON', async () => {
    server.does(json([{ Name: 'One' }, { Name: 'Two' }]));
    expect(await api('GET /x --jmespath [].Name').prints()).toBe('One\nTwo\n');
    expect(await api('GET /x --jmespath [0].Name -o json').prints()).toBe('"One"\n');
    server.does(says(200, '<a/>', { 'content-type': 'application/xml' }));
    await api('GET /x --jmespath @').fails(2, '--jmespath reads JSON', 'application/xml');
  });
});

describe('--curl', () => {
  it('prints a command that sends the same, with a variable for the secret', async () => {
    server.does(json({ ...ME, Name: "it's" }));
    const { err } = await api(['POST', '/x', '-F', "Name=it's", '--curl']).says('$PM_PASSWORD');
    expect(err).not.toContain(SECRET);
    const line = err.split('\n').find((one) => one.startsWith('curl ')) ?? '';
    // The server of this test answers in this process, so curl is only asked what it would send.
    const words = execFileSync('sh', ['-c', line.replace(/^curl/, 'printf "%s\\n"')], {
      env: { ...process.env, ...env },
    });
    expect(words.toString().split('\n')).toEqual(
      expect.arrayContaining([`ann:${SECRET}`, '{"Name":"it\'s"}', `${server.url}/v4/x`, 'POST']),
    );
  });
});

describe('--trace', () => {
  it('writes requests and answers to a file, without secrets', async () => {
    server.does(json({ Name: 'x', Token: 'Canary-token' }, { 'x-echo': SECRET }));
    await api('GET /me --trace trace.txt').prints();
    const text = readFileSync(join(pm.home, 'trace.txt'), 'utf8');
    expect(text).toContain(`> GET ${server.url}/v4/me (as ann)`);
    expect(text).toContain('< 200');
    expect(text).toContain('"Name":"x"');
    expect(text).not.toMatch(/Canary/);
    expect(text.toLowerCase()).not.toContain('authorization');
  });

  it.each(['json', 'xml'])('holds no password and no token, of a login in %s and of a new password', async (wire) => {
    const cookie = { 'set-cookie': 'sid=Canary-cookie' };
    server.does(json({ Token: 'Canary-token' }, cookie), json(ME, cookie));
    const line = `login -p prod --password-stdin --wire ${wire} --trace a.txt`;
    await pm(line, { cwd: pm.home, stdin: 'Canary-old-1' }).says('Logged in');
    strangeService(server);
    const change = `individuals update ann -p prod --new-password-stdin --wire ${wire} --trace b.txt`;
    await pm(change, { cwd: pm.home, env, stdin: 'Canary-new-2\n' }).says('1 update');
    const text = ['a.txt', 'b.txt'].map((name) => readFileSync(join(pm.home, name), 'utf8')).join('');
    expect(text).toContain('[hidden]');
    expect(text).not.toMatch(/Canary|Basic/i);
  });

  it('refuses a file that cannot be written', async () => {
    await api('GET /me --trace nowhere/x').fails(2, '--trace');
    expect(server.requests).toEqual([]);
  });
});
