// Errors over HTTP (D27), ours and those of any other server.
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode, invalid, ServiceError } from '../../src/contract/errors.ts';
import { contentTypeOf, MEDIA_TYPES } from '../../src/wire/media.ts';
import { problemOf, readProblem, writeProblem } from '../../src/wire/problem.ts';
import { bytesOf } from './spelled.ts';

const refused = invalid('the accountability', [
  { field: 'Rank', code: 'required', message: 'is required' },
  { field: 'Nmae', code: 'unknown_member', message: 'is not a member of it', hint: 'Did you mean Name?' },
]);

describe('an error', () => {
  it('is a problem with the members of RFC 9457', () => {
    expect(problemOf(refused, '/v4/accountabilities')).toEqual({
      type: 'urn:performance-management:problem:invalid',
      title: ERRORS.invalid.title,
      status: 400,
      code: 'invalid',
      detail: refused.message,
      instance: '/v4/accountabilities',
      errors: refused.faults,
    });
  });

  it.each(MEDIA_TYPES)('is the same error behind %s', (media) => {
    const text = writeProblem(problemOf(refused, '/v4/x?a=<b>'), media);
    const read = readProblem(400, contentTypeOf(media), bytesOf(text));
    expect(read).toEqual({ code: 'invalid', detail: refused.message, faults: refused.faults });
  });

  it.each(MEDIA_TYPES)('is read behind %s whatever comes next', (media) => {
    const next = { method: 'POST', href: '/v4/login' };
    const read = readProblem(400, contentTypeOf(media), bytesOf(writeProblem(problemOf(refused, '/', next), media)));
    expect(read).toEqual({ code: 'invalid', detail: refused.message, faults: refused.faults });
  });

  it.each(Object.keys(ERRORS) as ErrorCode[])('keeps its code under its own status: %s', (code) => {
    for (const media of MEDIA_TYPES) {
      const text = writeProblem(problemOf(new ServiceError(code, 'a <b> & "c"'), '/'), media);
      const read = readProblem(ERRORS[code].status, contentTypeOf(media), bytesOf(text));
      expect(read).toEqual({ code, detail: 'a <b> & "c"', faults: [] });
    }
  });

  it('in XML has the root Problem', () => {
    const text = writeProblem(problemOf(refused, '/v4/x'), 'text/xml');
    expect(text).toMatch(/^<\?xml [^>]*>\n<Problem xmlns="urn:performance-management:v4"/);
    expect(text).toContain(
      '<errors><error><field>Rank</field><code>required</code><message>is required</message></error>',
    );
  });
});

describe("another server's error", () => {
  const read = (status: number, type: string | undefined, text: string) => readProblem(status, type, bytesOf(text));

  it.each([
    ['application/json', '{"Message":"No HTTP resource was found"}', 'No HTTP resource was found'],
    ['application/json', '{"error":{"x":1},"title":"Bad"}', 'Bad'],
    ['application/problem+json', '{"detail":"  Two\\nlines "}', 'Two lines'],
    ['application/xml', '<Error><Message>Denied</Message></Error>', 'Denied'],
    ['text/html', '<html><style>a{}</style><h1>Not <b>here</b></h1></html>', 'Not here'],
    ['application/json', '{broken', '{broken'],
    ['application/json', '[1]', '[1]'],
    ['application/json', '{"detail":""}', ''],
    ['application/xml', '<!DOCTYPE a [<!ENTITY b "c">]><a>x</a>', '<!DOCTYPE a [ ]> x'],
    [undefined, '', ''],
    [
      'application/json',
      '{"Message":"The request is invalid.","ModelState":{"model.Name":["Name is required."]}}',
      'The request is invalid.; model.Name Name is required.',
    ],
    [
      'application/problem+json',
      '{"title":"Validation failed","errors":{"Name":["is required","is short"],"Rank":["is no number"]}}',
      'Validation failed; Name is required; Name is short; Rank is no number',
    ],
    [
      'application/json',
      '{"error":"Bad Request","message":"Not valid","errors":[{"field":"name","defaultMessage":"must not be blank"}]}',
      'Not valid; name must not be blank',
    ],
    ['application/json', '{"errors":["Name is taken"]}', 'Name is taken'],
    ['application/json', '{"errors":{"name":["is taken"]}}', 'name is taken'],
    [
      'application/vnd.api+json',
      '{"errors":[{"status":"422","title":"Bad","detail":"Too long","source":{"pointer":"/data/name"}}]}',
      'Too long',
    ],
    ['application/json', '{"error":{"code":"42","message":"Not so"}}', 'Not so'],
    ['application/json', '{"odata.error":{"code":"","message":{"lang":"en-US","value":"Not so"}}}', 'Not so'],
    ['application/json', '{"error":{"message":"No","details":[{"code":"1","message":"Too long"}]}}', 'No; Too long'],
    ['application/json', '{"errorMessage":"No"}', 'No'],
    ['application/json', '{"violations":[{"propertyName":"Rank","message":"is no number"}]}', 'Rank is no number'],
    [
      'text/xml',
      '<s:Envelope xmlns:s="urn:s"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>Not so</faultstring></s:Fault></s:Body></s:Envelope>',
      'Not so',
    ],
    [
      'application/soap+xml',
      '<s:Envelope xmlns:s="urn:s"><s:Body><s:Fault><s:Reason><s:Text>Not so</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>',
      'Not so',
    ],
    [
      'application/xml',
      '<Error><Message>Bad</Message><ModelState><Name>Too long</Name></ModelState></Error>',
      'Bad; Name Too long',
    ],
  ])('in %s says: %s', (type, text, detail) => {
    expect(read(404, type, text)).toEqual({ code: 'not_found', detail, faults: [] });
  });

  it.each([
    [403, '{"code":"admin_only"}', 'admin_only'],
    [404, '{"code":"interrupted"}', 'not_found'],
    [403, '{"code":"__proto__"}', 'forbidden'],
    [418, '{"code":"invalid"}', undefined],
    [500, '{}', undefined],
  ])('of status %i with %s is %s', (status, text, code) => {
    expect(read(status, 'application/json', text).code).toBe(code);
  });

  it('is at most 300 characters, on one line, without what steers a terminal', () => {
    const { detail } = read(400, 'text/plain', `\u001b[31mred\u009b\u202e\u200b\r\n${'x😀'.repeat(100_000)}`);
    expect([...detail]).toHaveLength(300);
    expect(detail).toMatch(/^\[31mred x😀/);
    expect(detail).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('is cleaned in its faults too', () => {
    const text = JSON.stringify({
      errors: [{ field: 'a\u0007', code: 'x', message: 'b\u001b[0m' }, { field: 1 }, null],
    });
    expect(read(400, 'text/json', text).faults).toEqual([{ field: 'a', code: 'malformed', message: 'b [0m' }]);
  });
});
