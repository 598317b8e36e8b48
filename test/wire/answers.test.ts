// Answers of servers that we do not know: read in whatever shape, and refused in words where they are none.
import { describe, expect, it } from 'vitest';
import { resourceNamed } from '../../src/contract/index.ts';
import { readList, readRecord } from '../../src/wire/codec.ts';
import type { Syntax } from '../../src/wire/media.ts';
import { bodyShape } from '../../src/wire/shape.ts';
import { lateRefusal, refusal } from './refusal.ts';
import { bytesOf, gathered, inPieces } from './spelled.ts';

const shape = bodyShape(resourceNamed('accountability'));
const A = { Rank: 1, Name: 'a' };
const B = { Rank: 2, Name: 'b' };
const I = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance"';
const list = (syntax: Syntax, text: string, learn?: (namespace: string) => void) =>
  gathered(readList(syntax, shape, inPieces(bytesOf(text), 7), learn));

const a = '<Rank>1</Rank><Name>a</Name>';
const b = '<Name>b</Name><Rank>2</Rank>';

describe('a list', () => {
  it.each([
    ['an array', 'json', '[{"Rank":1,"Name":"a"}, {"Name":"b","Rank":2}]'],
    ['a wrapper with one array', 'json', '{"value":[{"Rank":1,"Name":"a"},{"Rank":2,"Name":"b"}],"count":2}'],
    ['a wrapper in a wrapper', 'json', '{"d":[{"Rank":1,"Name":"a"},{"Rank":2,"Name":"b"}]}'],
    ['members in any case', 'json', '[{"rank":1,"NAME":"a"},{"Rank":2,"name":"b"}]'],
    [
      'ArrayOf',
      'xml',
      `<ArrayOfListItem xmlns="urn:x"><ListItem>${a}</ListItem><ListItem>${b}</ListItem></ArrayOfListItem>`,
    ],
    ['ArrayOf anything', 'xml', `<ArrayOfanyType><anyType>${a}</anyType><anyType>${b}</anyType></ArrayOfanyType>`],
    ['a root of another name', 'xml', `<Items><Item>${a}</Item><Item>${b}</Item></Items>`],
    [
      'a wrapper',
      'xml',
      `<Result><Count>2</Count><Items><ListItem>${a}</ListItem><ListItem>${b}</ListItem></Items></Result>`,
    ],
    [
      'prefixes',
      'xml',
      `<p:ArrayOfListItem xmlns:p="urn:x"><p:ListItem><p:Rank>1</p:Rank><p:Name>a</p:Name></p:ListItem><p:ListItem><p:rank>2</p:rank><p:Name>b</p:Name></p:ListItem></p:ArrayOfListItem>`,
    ],
    [
      'blanks and comments',
      'xml',
      `<?xml version="1.0"?>\n<ArrayOfX>\n <!-- --> <X>\n${a}\n</X>\n<X>${b}</X></ArrayOfX>\n`,
    ],
  ] as const)('is read from %s', async (_what, syntax, text) => {
    expect(await list(syntax, text)).toEqual([A, B]);
  });

  it.each([
    ['json', '{"Rank":1,"Name":"a"}'],
    ['json', '[{"Rank":1,"Name":"a"}]'],
    ['xml', `<ListItem>${a}</ListItem>`],
    ['xml', `<ArrayOfListItem><ListItem>${a}</ListItem></ArrayOfListItem>`],
    ['xml', `<Items><ListItem>${a}</ListItem></Items>`],
  ] as const)('of one is read in %s: %s', async (syntax, text) => {
    expect(await list(syntax, text)).toEqual([A]);
  });

  it.each([
    ['json', '[]'],
    ['json', ' [ ] '],
    ['json', 'null'],
    ['json', '{"value":[]}'],
    ['json', '{}'],
    ['xml', '<ArrayOfListItem/>'],
    ['xml', `<ArrayOfListItem ${I} i:nil="true"/>`],
    ['xml', '<Result><Items/></Result>'],
  ] as const)('of none is read in %s: %s', async (syntax, text) => {
    expect((await list(syntax, text)).filter((row) => Object.keys(row).length > 0 && !('Items' in row))).toEqual([]);
  });

  it.each([
    ['json', ''],
    ['json', '<html></html>'],
    ['json', '[{"Rank":1}'],
    ['json', '[{"Rank":1},]'],
    ['json', '[{"Rank":1} {"Rank":2}]'],
    ['json', '[{"Rank":1}]x'],
    ['json', '[{"Rank":}]'],
    ['json', '[1,2]'],
    ['json', '"text"'],
    ['json', '[{"Rank":1}}'],
    ['xml', ''],
    ['xml', '{}'],
    ['xml', '<html><body>Hello</body></html>'],
    ['xml', '<ArrayOfX><X>'],
    ['xml', '<!DOCTYPE a><ArrayOfX/>'],
    ['xml', '<string>Hello</string>'],
    ['xml', '<ArrayOfX><X></Y></ArrayOfX>'],
  ] as const)('is refused in %s: %s', async (syntax, text) => {
    expect((await lateRefusal(list(syntax, text))).code).toBe('invalid');
  });

  it('hands over what came before it was cut', async () => {
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const row of readList('json', shape, [bytesOf('[{"Rank":1},{"Ra')])) seen.push(row);
    })();
    expect((await lateRefusal(reading)).message).toMatch(/cut off/);
    expect(seen).toEqual([{ Rank: 1 }]);
  });
});

describe('a record', () => {
  it.each([
    ['json', '', {}],
    ['json', '[{"Rank":1}]', { Rank: 1 }],
    ['json', '{"Rank":1,"More":{"x":[1]}}', { Rank: 1, More: { x: [1] } }],
    ['json', '\ufeff{"Rank":1}', { Rank: 1 }],
    ['json', '{"Rank":1,"__proto__":{"polluted":1}}', { Rank: 1 }],
    ['json', '{"ListItem":[{"Rank":1}]}', { Rank: 1 }],
    ['xml', '', {}],
    ['xml', `<ListItem ${I}><Rank i:nil="true"/><Name/></ListItem>`, { Rank: null, Name: '' }],
    ['xml', '<ListItem><Rank/><Rank2>x</Rank2></ListItem>', { Rank: null, Rank2: 'x' }],
    ['xml', '<ListItem xmlns="urn:x"><Name xmlns="urn:y">n</Name></ListItem>', { Name: 'n' }],
    ['xml', '<ListItem>&#13;<X><__proto__>1</__proto__></X></ListItem>', { X: JSON.parse('{"__proto__":"1"}') }],
  ] as const)('is read in %s: %s', (syntax, text, row) => {
    expect(readRecord(syntax, shape, bytesOf(text))).toEqual(row);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('is one', () => {
    expect(refusal(() => readRecord('json', shape, bytesOf('[{"Rank":1},{"Rank":2}]'))).message).toMatch(/several/);
  });

  const dated = bodyShape(resourceNamed('basicRoleDialog'));
  it.each([
    [
      'a structure',
      '<D:DateTime>2026-03-31T07:00:00.5Z</D:DateTime><D:OffsetMinutes>120</D:OffsetMinutes>',
      '2026-03-31T09:00:00.5+02:00',
    ],
    [
      'one turned round',
      '<D:OffsetMinutes>0</D:OffsetMinutes><D:DateTime>2026-03-31T07:00:00Z</D:DateTime>',
      '2026-03-31T07:00:00+00:00',
    ],
    ['a text', '2026-03-31T09:00:00+02:00', '2026-03-31T09:00:00+02:00'],
    ['what cannot be one', '<D:DateTime>soon</D:DateTime>', { '{urn:s}DateTime': 'soon' }],
  ])('has a stamp that is %s', (_what, inner, value) => {
    const text = `<BasicRoleDialog><DialogDate xmlns:D="urn:s">${inner}</DialogDate></BasicRoleDialog>`;
    expect(readRecord('xml', dated, bytesOf(text))).toEqual({ DialogDate: value });
  });
});

describe('the namespace of a server', () => {
  it.each([
    ['<ArrayOfListItem xmlns="urn:theirs"><ListItem><Rank>1</Rank></ListItem></ArrayOfListItem>', 'urn:theirs'],
    ['<p:ListItem xmlns:p="urn:other"/>', 'urn:other'],
    ['<ArrayOfListItem/>', undefined],
  ])('is learned from %s', async (text, namespace) => {
    let learned: string | undefined;
    await list('xml', text, (space) => {
      learned = space;
    });
    expect(learned).toBe(namespace);
  });
});
