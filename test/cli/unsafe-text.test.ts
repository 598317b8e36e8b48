// Whatever a stranger writes, no line of any stream steers a terminal: every control character is shown by its code.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inDialog } from '../support/dialog.ts';
import { type FakeServer, fakeServer, type Handler, json, says } from '../support/fake-server.ts';
import { usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const pm = usingPm(company);

/** Sets the title, clears the screen, links elsewhere, colors, and turns the direction of writing. */
const EVIL = 'x\u001b]0;t\u0007\u001b[2J\u001b]8;;http://e\u001b\\\u009b31m\u009d0;t\u009c\u202e\u2066\r\u001b[1Ay';
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
/** A file cannot be named with a slash. */
const EVIL_FILE = EVIL.replaceAll('/', '');

/** Runs a command at a terminal; answers all that was shown, which has the text with its controls as codes. */
async function shown(line: readonly string[], setting: { readonly stdin?: string } = {}): Promise<string> {
  const { out, err } = await pm(line, { ...setting, columns: 120, env: ENV });
  expect(out.replaceAll('\r\n', '\n'), line.join(' ')).not.toMatch(UNSAFE);
  expect(err, line.join(' ')).not.toMatch(UNSAFE);
  return out + err;
}

const FORMATS = ['table', 'csv', 'tsv', 'json', 'ndjson', 'yaml', 'xml', 'md'];
const ENV = { PM_COLOR: 'never', PM_PASSWORD: 'not-a-secret-1', NO_PROXY: '*' };
const SEEN = '\\x1b[2J';

describe('what a file is called', () => {
  it.each([
    ['import', 'individuals', EVIL_FILE, '-n'],
    ['import', 'individuals', `${EVIL_FILE}.csv`, '--key', 'UserName', '-n'],
    ['import', 'individuals', `${EVIL_FILE}.csv`, '--key', 'UserName', '--yes'],
    ['plan', 'individuals', `${EVIL_FILE}.csv`, '--key', 'UserName', '--out', `${EVIL_FILE}.plan`],
    ['each', `${EVIL_FILE}.csv`, '-n', '--', 'individuals', 'update', '{UserName}', '--suffix', '{Suffix}'],
    ['export', 'individuals', '--out', `${EVIL_FILE}.json`],
    ['apply', EVIL_FILE],
    ['check', EVIL_FILE],
    ['departments', 'list', '--trace', join(EVIL_FILE, 'none')],
  ])('%s %s', async (...line) => {
    writeFileSync(join(pm.home, `${EVIL_FILE}.csv`), 'UserName,Suffix\nann,Dr\n');
    expect(await shown(line)).toContain(SEEN);
  });
});

describe('the title of a job', () => {
  it('is in the list, in the job, in its undo, and in what goes on with it', async () => {
    writeFileSync(join(pm.home, `${EVIL_FILE}.csv`), 'UserName,Suffix\nann,Dr\nbob,Dr\n');
    await shown(['import', 'individuals', `${EVIL_FILE}.csv`, '--key', 'UserName', '--yes']);
    for (const line of [
      ['jobs', 'list'],
      ['jobs', 'list', '-o', 'json'],
      ['undo', '-n'],
      ['undo', '--yes'],
    ])
      expect(await shown(line)).toContain(']0;t');
  });
});

describe('a plan of somebody else’s', () => {
  it('shows its title and its caller by their codes', async () => {
    writeFileSync(join(pm.home, 'q4.csv'), 'UserName,Suffix\nann,Dr\n');
    await pm('plan individuals q4.csv --key UserName --out q4.plan').says();
    const [header = '', ...rows] = readFileSync(join(pm.home, 'q4.plan'), 'utf8').split('\n');
    const { sha256: _sha256, ...others } = JSON.parse(header) as Record<string, unknown>;
    const sealed = { ...others, title: EVIL, caller: EVIL, profile: EVIL };
    const sha256 = createHash('sha256')
      .update(`${rows.join('\n')}${JSON.stringify(sealed)}`)
      .digest('hex');
    writeFileSync(join(pm.home, 'evil.plan'), [JSON.stringify({ ...sealed, sha256 }), ...rows].join('\n'));
    expect(await shown(['plan', 'show', 'evil.plan'])).toContain(SEEN);
    expect(await shown(['apply', 'evil.plan', '--yes'])).not.toBe('');
    expect(await shown(['jobs', 'list'])).toContain(SEEN);
  });
});

describe('a word of the command line', () => {
  it.each([
    [EVIL],
    ['individuals', EVIL],
    ['individuals', 'list', `--${EVIL}`],
    ['individuals', 'get', EVIL],
    ['individuals', 'list', '--where', `UserName = ${EVIL}`],
    ['individuals', 'list', '--jmespath', EVIL],
    ['individuals', 'list', '-o', EVIL],
    ['individuals', 'list', '--as', EVIL],
    ['individuals', 'list', '-p', EVIL],
    ['profiles', 'add', EVIL, '--url', 'https://x.example'],
    ['profiles', 'add', 'ev', '--url', `https://${EVIL}`],
    ['can', EVIL, 'read', 'individual', 'ann'],
    ['departments', 'create', '--name', EVIL, '--rank', '1'],
    ['help', EVIL],
  ])('%j', async (...line) => {
    expect(await shown(line)).not.toBe('');
  });
});

describe('a question', () => {
  it('names people by their codes', async () => {
    await pm(['profiles', 'add', 'ev', '--url', 'https://x.example/v4']).says('Added');
    const { out } = await inDialog(['login', '-p', 'ev', '--user', EVIL], pm.home, [['for ev', '\u0003']]);
    expect(out).toContain(SEEN);
    for (const raw of ['\u001b]0;t', '\u001b[2J', '\u009b31m', '\u202e']) expect(out).not.toContain(raw);
  });
});

describe('the text of a record', () => {
  /** What the service can carry. */
  const carried = 'x\u009b31m\u009d0;t\u009c\u202e\u2066';
  beforeEach(() => pm(['departments', 'update', 'Sales', '--focus', carried]).prints());

  it.each(FORMATS)('as %s', async (format) => {
    expect(await shown(['departments', 'get', 'Sales', '-o', format])).toContain('0;t');
  });

  it('in an export to the terminal', async () => {
    for (const form of ['csv', 'json', 'yaml'])
      expect(await shown(['export', 'departments', '--form', form])).toContain('0;t');
  });

  it('is byte for byte what it is where no terminal reads it', async () => {
    expect(await pm('departments get Sales -o tsv').prints()).toContain(carried);
    expect(await pm('export departments').prints()).toContain(carried);
  });
});

describe('a service', () => {
  const ID = '0a000000-0000-4000-8000-000000000001';
  const RECORD = { ID, UserName: EVIL, FullName: EVIL, PrimaryTitle: EVIL, [EVIL]: EVIL, Name: EVIL, Rank: 1 };
  let server: FakeServer;
  beforeEach(async () => {
    server = await fakeServer();
    server.does(json({ ID, UserID: 1, SiteID: ID, UserName: 'ann' }));
    await pm(['profiles', 'add', 'ev', '--url', `${server.url}/v4`, '--user', 'ann']).says('Added');
  });
  afterEach(() => server.close());

  const answering =
    (one: Handler): Handler =>
    (request, response) =>
      request.url.endsWith('/me')
        ? json({ ID, UserID: 1, SiteID: ID, UserName: EVIL })(request, response)
        : one(request, response);

  it.each(FORMATS)('its record as %s', async (format) => {
    server.does(answering(json(RECORD)));
    expect(await shown(['individuals', 'get', ID, '-p', 'ev', '-o', format])).toContain(']0;t');
  });

  it.each([
    ['individuals', 'tree'],
    ['individuals', 'list', '-o', 'table'],
    ['individuals', 'show', ID],
  ])('nor through a pipe, which may end at one: %s %s', async (...line) => {
    server.does(
      answering((request, response) => json(request.url.endsWith(ID) ? RECORD : [RECORD])(request, response)),
    );
    const { out } = await pm([...line, '-p', 'ev', '--retries', '0'], { env: { PM_PASSWORD: 'x' } });
    expect(out).toContain(']0;t');
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  });

  it.each<readonly [string, Handler, readonly string[]]>([
    ['its caller', json([]), ['login', '--keep-password']],
    ['its caller, asked', json([]), ['whoami']],
    ['its records in a list', json([RECORD]), ['individuals', 'list']],
    ['its tree', json([RECORD]), ['individuals', 'tree']],
    ['a change', json(RECORD), ['individuals', 'update', ID, '--suffix', 'Dr', '--yes']],
    [
      'an error as a problem',
      says(400, JSON.stringify({ code: EVIL, message: EVIL, title: EVIL, detail: EVIL })),
      ['individuals', 'list'],
    ],
    [
      'an error with faults',
      says(
        400,
        JSON.stringify({ code: 'invalid', faults: [{ field: EVIL, message: EVIL }], errors: { [EVIL]: [EVIL] } }),
      ),
      ['individuals', 'list'],
    ],
    ['an error as text', says(500, EVIL, { 'content-type': 'text/plain' }), ['individuals', 'list']],
    ['an answer that is none', says(200, EVIL), ['individuals', 'list']],
    ['a kind that is none', says(200, '{}', { 'content-type': 'text/x-\u00e9' }), ['individuals', 'list']],
    ['its bytes', says(200, EVIL, { 'x-evil': '\u0085\u009b31m' }), ['api', 'GET', '/individuals', '-i']],
    [
      'errors as JSON',
      says(400, JSON.stringify({ code: EVIL, message: EVIL })),
      ['individuals', 'list', '--errors', 'json'],
    ],
    ['a trace', json([RECORD]), ['individuals', 'list', '--curl']],
  ])('%s', async (_what, handler, line) => {
    server.does(answering(handler));
    expect(await shown([...line, '-p', 'ev', '--retries', '0'])).not.toBe('');
  });
});
