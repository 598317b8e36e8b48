// The canary: whatever a service answers, and however pm is asked to tell of it, no secret comes out.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breaks, type FakeServer, fakeServer, type Handler, json, ME, says } from '../support/fake-server.ts';
import { inLong } from '../support/long.ts';
import { usingPm } from '../support/pm.ts';

const PASSWORD = 'Canary-pass&word-7';
const TOKEN = '7d9fca11-beef-4bad-9bad-cafe00000001';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const spellings = (secret: string): readonly string[] => [
  secret,
  base64(secret),
  encodeURIComponent(secret),
  secret.replace('&', '&amp;'),
];
const OF_PASSWORD = [...spellings(PASSWORD), base64(`ann:${PASSWORD}`)];
const OF_TOKEN = [...spellings(TOKEN), base64(`ann:{SessionToken}${TOKEN}`)];
/** In each manner the suite hands over one or the other in turn, from answer to answer. */
const SECRETS: readonly (readonly [string, readonly string[]])[] = [
  [PASSWORD, OF_PASSWORD],
  [`{SessionToken}${TOKEN}`, OF_TOKEN],
];
const CANARIES = [...new Set([...OF_PASSWORD, ...OF_TOKEN])];

const pm = usingPm();
let server: FakeServer;
beforeEach(async () => {
  server = await fakeServer();
  await pm(`profiles add prod --url ${server.url} --user ann`).says('Added');
});
afterEach(() => server.close());

/** A server that repeats all that it was told. */
const ANSWERS: readonly (readonly [string, (echo: string) => Handler])[] = [
  ['200', () => json(ME)],
  ['401', (echo) => says(401, echo, { 'content-type': 'text/plain' })],
  ['403', (echo) => says(403, JSON.stringify({ detail: echo }))],
  ['404', (echo) => says(404, `<p>${echo}</p>`, { 'content-type': 'text/html' })],
  ['500', (echo) => says(500, JSON.stringify({ message: echo }))],
  ['no answer', () => breaks],
  ['a bad body', (echo) => says(200, echo)],
  ['another page', (echo) => says(200, echo, { 'content-type': 'text/html' })],
  ['a redirect', (echo) => says(302, '', { location: `https://x/${echo.replaceAll(' ', '')}` })],
];
const COMMANDS = ['whoami', 'individuals get me', 'doctor', 'profiles show prod', 'config list'];
const MANNERS = ['', '-o json --errors json', '--trace trace.txt --curl', '-o xml --wire xml'];

/** All that pm has written, but for the store of credentials. */
const written = (): string =>
  readdirSync(pm.home)
    .filter((name) => name !== 'credentials.json')
    .map((name) => readFileSync(join(pm.home, name), 'latin1'))
    .join('\n');

const found = (text: string): readonly string[] => CANARIES.filter((canary) => text.includes(canary));

describe.each(ANSWERS.map(([name, answers], at) => [name, answers, at] as const))('after %s', (_name, answers, nth) => {
  it.each(COMMANDS)('%s tells no secret', async (command) => {
    for (const [at, manner] of MANNERS.entries()) {
      for (const [secret, said] of inLong(SECRETS.slice((nth + at) % 2).slice(0, 1), SECRETS)) {
        server.does(answers(said.join(' and ')));
        const { out, err } = await pm(`${command} -p prod --retries 0 ${manner}`, { env: { PM_PASSWORD: secret } });
        expect({ manner, found: found(`${out}\n${err}\n${written()}`) }).toEqual({ manner, found: [] });
      }
    }
  });

  it.each(['', '--keep-password'])('login %s tells no secret', async (flag) => {
    server.does(json({ Token: TOKEN, UserName: 'ann' }), answers(CANARIES.join(' and ')));
    const line = `login -p prod --retries 0 --password-stdin ${flag} --trace trace.txt --curl`;
    const { out, err } = await pm(line, { stdin: PASSWORD });
    expect(found(`${out}\n${err}\n${written()}`)).toEqual([]);
  });
});

describe('the canary', () => {
  it('is found where it is kept, so that this test can fail', async () => {
    server.does(json({ Token: TOKEN, UserName: 'ann' }), json(ME));
    await pm('login -p prod --password-stdin', { stdin: PASSWORD }).says('Logged in');
    expect(found(readFileSync(join(pm.home, 'credentials.json'), 'utf8'))).toEqual([TOKEN]);
    expect(found(CANARIES.join(' and '))).toEqual(CANARIES);
  });
});
