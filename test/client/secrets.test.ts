// No secret leaves the client but to its service: not in errors, not in what observers see.
import { describe, expect, it } from 'vitest';
import { type Exchange, redactor } from '../../src/client/redact.ts';
import { contract } from '../../src/contract/index.ts';
import { breaks, type Handler, json, ME, says } from '../support/fake-server.ts';
import { aClient, aServer } from './client-session.ts';

const SECRET = 'Canary "<&\'> 7 ß';
const NEW_SECRET = 'New-canary-9';
const CREDENTIAL = { login: 'ann', password: SECRET };
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const SPELLINGS = [
  ...[SECRET, NEW_SECRET, base64(SECRET), base64(`ann:${SECRET}`), encodeURIComponent(SECRET), base64(NEW_SECRET)],
  ...[JSON.stringify(SECRET).slice(1, -1), 'Canary "&lt;&amp;\'&gt; 7 ß', "Canary &quot;&lt;&amp;'&gt; 7 ß"],
];
const ECHO = `you said ${SPELLINGS.join(' and ')}`;

describe('a secret', () => {
  const { individual } = contract;
  const body = { FirstName: 'Ann', Password: NEW_SECRET };

  it.each<[string, Handler]>([
    ['200', json({ ...ME, Password: SECRET, Note: ECHO })],
    ['401', says(401, ECHO, { 'content-type': 'text/plain' })],
    ['403', says(403, JSON.stringify({ message: ECHO }))],
    ['404', says(404, ECHO, { 'content-type': 'text/html', 'x-echo': base64(SECRET), 'set-cookie': 'a=b' })],
    ['500', says(500, JSON.stringify({ detail: ECHO }))],
    ['200 of another kind', says(200, ECHO, { 'content-type': 'text/html' })],
    ['302', says(302, '', { location: `https://x/?p=${encodeURIComponent(SECRET)}` })],
    ['no answer', breaks],
  ])('is shown nowhere after %s', async (_name, deed) => {
    const server = await aServer();
    const exchanges: Exchange[] = [];
    const { client } = aClient(server.url, { retries: 0, onExchange: (exchange) => exchanges.push(exchange) });
    server.does(json(ME), deed);
    const session = await client.open(CREDENTIAL);
    const update = session.call(individual.operations.update, { params: { id: ME.ID }, body });
    const result = await update.then(
      () => '',
      (error: Error & { hint?: string }) => `${error.message} ${error.hint}`,
    );
    expect(exchanges).toHaveLength(2);
    const all = `${result} ${JSON.stringify(exchanges)} ${exchanges.map(({ answer }) => answer).join()}`;
    expect(SPELLINGS.filter((spelling) => all.includes(spelling))).toEqual([]);
    expect(server.requests[1]?.body).toContain(NEW_SECRET);
  });

  it('is found in what is not redacted, so that this test can fail', () => {
    expect(SPELLINGS.every((spelling) => ECHO.includes(spelling))).toBe(true);
  });

  it('is hidden by its name where nobody knows it', () => {
    const redact = redactor([]);
    expect(redact('{"UserToken": "abc\\"d", "Name": "x"}')).toBe('{"UserToken": "[hidden]", "Name": "x"}');
    expect(redact('<a:Password i:x="y">abc</a:Password><Name>x</Name>')).toBe(
      '<a:Password i:x="y">[hidden]</a:Password><Name>x</Name>',
    );
  });
});
