// XML as the service would write it, and always well-formed.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { xmlWriter } from '../../src/wire/xml-writer.ts';
import { FIELDS, item, NAUGHTY, printed } from './output-printed.ts';

const lint = (text: string): string => spawnSync('xmllint', ['--noout', '-'], { input: text, encoding: 'utf8' }).stderr;
const reader = new XMLParser({ ignoreAttributes: false, trimValues: false, parseTagValue: false, htmlEntities: true });

/** The texts of each record's Name, as a reader of XML sees them. */
const names = (out: string): string[] =>
  [reader.parse(out).ArrayOfItem.Item].flat().map((member: { Name: string }) => String(member.Name));

describe('-o xml', () => {
  test('one record', async () => {
    const row = item({ IsOpen: true, Seen: '2026-03-31T09:00:00.5+02:00', Description: 'a < b' });
    expect((await printed(row, { format: 'xml' })).out).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="utf-8"?>
      <Item xmlns="urn:test" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">
        <ID>0f8fad5b-d9cb-469f-a165-000000000001</ID>
        <Rank>1</Rank>
        <Name>One</Name>
        <Description>a &lt; b</Description>
        <IsOpen>true</IsOpen>
        <Weight i:nil="true"/>
        <HireDate i:nil="true"/>
        <Due i:nil="true"/>
        <Seen xmlns:d2p1="http://schemas.datacontract.org/2004/07/System">
          <d2p1:DateTime>2026-03-31T07:00:00.5Z</d2p1:DateTime>
          <d2p1:OffsetMinutes>120</d2p1:OffsetMinutes>
        </Seen>
        <Updated i:nil="true"/>
        <RowType i:nil="true"/>
      </Item>
      "
    `);
  });

  test('a list, with --fields in the order of the contract', async () => {
    const { out } = await printed([item(), item({ Name: 'Two' })], { format: 'xml', fields: ['Name', 'Rank'] });
    expect(out).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="utf-8"?>
      <ArrayOfItem xmlns="urn:test" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">
        <Item>
          <Rank>1</Rank>
          <Name>One</Name>
        </Item>
        <Item>
          <Rank>1</Rank>
          <Name>Two</Name>
        </Item>
      </ArrayOfItem>
      "
    `);
  });

  test('an empty list is an empty root', async () => {
    const { out } = await printed([], { format: 'xml' });
    expect(reader.parse(out).ArrayOfItem['@_xmlns']).toBe('urn:test');
    expect(out).not.toContain('<Item');
  });

  test('naughty texts come back as they were', async () => {
    const texts = NAUGHTY.filter((text) => text !== '');
    const { out } = await printed(
      texts.map((Name) => item({ Name })),
      { format: 'xml' },
    );
    expect(names(out)).toEqual(texts);
  });

  test('on a terminal unsafe characters are references, and the value is the same', async () => {
    const texts = NAUGHTY.filter((text) => text !== '');
    const { out } = await printed(
      texts.map((Name) => item({ Name })),
      { format: 'xml', terminal: true },
    );
    expect(out).not.toMatch(/[\u0080-\u009f\u200b-\u200f\u2028-\u202e\ufeff]/);
    expect(names(out)).toEqual(texts);
  });

  test('xmllint finds no fault in any text', { tags: 'xmllint' }, async () => {
    const rows = fc
      .sample(fc.string({ unit: 'binary' }), 300)
      .concat(NAUGHTY)
      .map((Name) => item({ Name }));
    rows.push(item({ Name: [...Array(300).keys()].map((code) => String.fromCharCode(code)).join('') }));
    rows.push(item({ Name: '\ud800 \udfff \uffff \ufffe' }));
    expect(lint((await printed(rows, { format: 'xml' })).out)).toBe('');
    expect(lint((await printed(rows, { format: 'xml', terminal: true })).out)).toBe('');
  });

  test('xmllint does find a fault where there is one', { tags: 'xmllint' }, () => {
    expect(lint('<a>\x01</a>')).not.toBe('');
  });
});

describe('the writer', () => {
  const { one } = xmlWriter({ type: 'Item', fields: FIELDS, namespace: 'urn:a"<b' });

  test('the bytes of the wire hold no blank between elements', () => {
    expect(one({ Name: 'x', Rank: null })).toMatch(/><Rank i:nil="true"\/><Name>x<\/Name><\/Item>$/);
  });

  test('the namespace cannot end its attribute', () => {
    expect(one({})).toContain('xmlns="urn:a&quot;&lt;b"');
  });

  test.each([
    ['2026-03-31T23:30:00-03:30', '2026-04-01T03:00:00Z', -210],
    ['2026-03-31T09:00:00.1234567Z', '2026-03-31T09:00:00.1234567Z', 0],
    ['2026-03-31T09:00:00+05:45', '2026-03-31T03:15:00Z', 345],
  ])('the stamp %s is %s in UTC with %i minutes', (text, utc, minutes) => {
    expect(one({ Seen: text })).toContain(
      `<d2p1:DateTime>${utc}</d2p1:DateTime><d2p1:OffsetMinutes>${minutes}</d2p1:OffsetMinutes>`,
    );
  });

  test('members that the contract does not know come last, if their names can be elements', () => {
    const text = one({ Extra: 'e', 'not a name': 'n', Name: 'x' });
    expect(text).toMatch(/<Name>x<\/Name><Extra>e<\/Extra><\/Item>$/);
  });
});
