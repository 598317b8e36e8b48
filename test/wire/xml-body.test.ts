// The body of a request in XML: content that a server might lose is refused.
import { describe, expect, it } from 'vitest';
import { resourceNamed } from '../../src/contract/index.ts';
import { validate } from '../../src/contract/validate.ts';
import { NAMESPACE, readBody } from '../../src/wire/codec.ts';
import { bodyShape, type Members, type WireShape } from '../../src/wire/shape.ts';
import { refusal } from './refusal.ts';
import { bytesOf } from './spelled.ts';

const I = 'http://www.w3.org/2001/XMLSchema-instance';
const sent = (resource: string, text: string) =>
  readBody('application/xml', bodyShape(resourceNamed(resource)), bytesOf(text));
/** A list item with these members. */
const item = (inner: string): string => `<ListItem xmlns="${NAMESPACE}" xmlns:i="${I}">${inner}</ListItem>`;
const read = (inner: string) => sent('accountability', item(inner));
const refused = (inner: string) => refusal(() => read(inner));
const refusedWhole = (text: string) => refusal(() => sent('accountability', text));

describe('a body in XML', () => {
  it.each([
    ['blanks around a number', '<Rank> 3\n</Rank>', { Rank: 3 }],
    ['blanks of a text', '<Name> a </Name>', { Name: ' a ' }],
    ['pretty-printed members', '\n  <Rank>1</Rank>\n  <Name>n</Name>\n', { Rank: 1, Name: 'n' }],
    ['CDATA', '<Name>a<![CDATA[<b>]]>&amp;</Name>', { Name: 'a<b>&' }],
    ['references', '<Name>&#65;&#x1F600;&lt;&apos;</Name>', { Name: "A😀<'" }],
    ['comments and instructions', '<!-- c --><Name>a<!-- b -->c</Name><?go on?>', { Name: 'ac' }],
    ['line ends as XML has them', '<Name>a\r\nb&#13;c</Name>', { Name: 'a\nb\rc' }],
    ['nil', '<Name i:nil="true"/><Description i:nil="1"></Description>', { Name: null, Description: null }],
    ['what is not nil', '<Name i:nil="false">a</Name>', { Name: 'a' }],
    ['a text that mentions a DOCTYPE', '<Name><![CDATA[<!DOCTYPE a>]]></Name>', { Name: '<!DOCTYPE a>' }],
    ['a read-only member of any kind', '<Deleted>banana</Deleted>', { Deleted: 'banana' }],
    ['names in any case', '<rank>1</rank><NAME>n</NAME>', { Rank: 1, Name: 'n' }],
    ['an unknown member, for the check of the body', '<Colour>red</Colour>', { Colour: 'red' }],
  ])('is read with %s', (_what, inner, members) => {
    expect(read(inner)).toEqual(members);
  });

  it('has true and false as XML Schema writes them', () => {
    const admin = (text: string): unknown =>
      sent('individual', `<Individual xmlns="${NAMESPACE}"><IsAdmin>${text}</IsAdmin></Individual>`).IsAdmin;
    expect(['true', '1', ' true '].map(admin)).toEqual([true, true, true]);
    expect(['false', '0'].map(admin)).toEqual([false, false]);
    // The check of the body refuses texts.
    expect(['TRUE', 'True', 'False'].map(admin)).toEqual(['TRUE', 'True', 'False']);
  });

  it('is read with prefixes of its own', () => {
    const text = `<v:ListItem xmlns:v="${NAMESPACE}" xmlns:x="${I}"><v:Name x:nil="true"/></v:ListItem>`;
    expect(sent('accountability', text)).toEqual({ Name: null });
  });

  it.each([
    ['members out of order', '<Name>n</Name><Rank>1</Rank>', 'Rank', /after Name/],
    ['a member given twice', '<Name>n</Name><Name>n</Name>', 'Name', /twice/],
    ['one given twice in another case', '<Name>n</Name><name>n</name>', 'Name', /twice/],
    ['an unknown one given twice', '<X>1</X><X>2</X>', 'X', /twice/],
    ['elements within a value', '<Name><b>n</b></Name>', 'Name', /holds elements/],
    ['nil that holds something', '<Name i:nil="true">n</Name>', 'Name', /nil/],
    ['an attribute', '<Name lang="de">n</Name>', 'Name', /attribute lang/],
    ['nil of no namespace', '<Name nil="true"/>', 'Name', /attribute nil/],
  ])('is refused with %s', (_what, inner, field, message) => {
    const { code, faults } = refused(inner);
    expect({ code, faults }).toMatchObject({ code: 'invalid', faults: [{ field }] });
    expect(faults[0]?.message).toMatch(message);
  });

  it('names all its faults at once', () => {
    expect(refused('<Name><b/></Name><Rank>1</Rank><Rank>2</Rank>').faults).toHaveLength(4);
  });

  it.each([
    ['text between members', item('a<Name>n</Name>'), /text between/],
    ['nil that is neither true nor false', item('<Name i:nil="yes"/>'), /not true or false/],
    ['another root', item('').replaceAll('ListItem', 'Item'), /that of the accountability is ListItem/],
    ['no namespace', '<ListItem/>', /no namespace/],
    ['another namespace', '<ListItem xmlns="urn:x"/>', /"urn:x"/],
    ['a list', item('').replaceAll('ListItem', 'ArrayOfListItem'), /\broot\b/],
    ['a nil root', `<ListItem xmlns="${NAMESPACE}" xmlns:i="${I}" i:nil="true"/>`, /nil/],
    ['an attribute of the root', `<ListItem xmlns="${NAMESPACE}" a="b"/>`, /attribute a/],
    ['a DOCTYPE', `<!DOCTYPE ListItem [<!ENTITY a "b">]>${item('<Name>&a;</Name>')}`, /DOCTYPE/],
    ['an entity of its own', item('<Name>&nbsp;</Name>'), /line 1.*entity/],
    ['an unbound prefix', item('<x:Name>n</x:Name>'), /prefix/],
    ['a character that XML has not', item('<Name>&#0;</Name>'), /character/],
    ['two roots', `${item('')}${item('')}`, /\broot\b/],
    ['an end that is missing', item('').slice(0, -1), /not well-formed/],
    ['another version', `<?xml version="1.1"?>${item('')}`, /version 1.1/],
    ['another encoding', `<?xml version="1.0" encoding="iso-8859-1"?>${item('')}`, /UTF-8/],
    ['nothing', '', /\broot\b/],
    ['too deep a member', item('<X>'.repeat(40) + '</X>'.repeat(40)), /nested more than 32/],
    ['too many members', item('<X/>'.repeat(10_001)), /more than 10000/],
  ])('is refused with %s', (_what, text, message) => {
    const { code, message: actual } = refusedWhole(text);
    expect({ code, actual }).toMatchObject({ code: 'invalid', actual: expect.stringMatching(message) });
  });

  it('in another namespace has a member of its own, not ours', () => {
    expect(read('<Name xmlns="urn:x">n</Name>')).toEqual({ '{urn:x}Name': 'n' });
  });

  it('cannot reach what every object has', () => {
    expect(refused('<__proto__><polluted>1</polluted></__proto__>').code).toBe('invalid');
    expect(Object.keys(read('<constructor>c</constructor>'))).toEqual(['constructor']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a body in XML and the same in JSON', () => {
  const shape = bodyShape(resourceNamed('period'));
  const period = (inner: string) => `<Period xmlns="${NAMESPACE}" xmlns:i="${I}">${inner}</Period>`;
  const faultsOf = (members: Members, of: WireShape = shape) => refusal(() => validate(of, members, 'create')).faults;

  it.each([
    ['StartDate', '2026-03-31', '2026-03-31'],
    ['StartDate', 'tomorrow', 'tomorrow'],
    ['SiteID', 'north', 'north'],
    ['StartDate', '2026-02-30T00:00:00Z', '2026-02-30T00:00:00Z'],
  ])('are refused in the same words: %s is %s', (name, text, value) => {
    const inXml = faultsOf(sent('period', period(`<${name}>${text}</${name}>`)));
    expect(inXml).toEqual(faultsOf({ [name]: value }));
    expect(inXml.some((fault) => fault.field === name && fault.code === 'malformed')).toBe(true);
  });

  it('takes a list of IDs from guid elements in any namespace, and refuses others', () => {
    const task = (inner: string) => `<Task xmlns="${NAMESPACE}"><Responsible>${inner}</Responsible></Task>`;
    expect(sent('task', task('<guid>a</guid><x:guid xmlns:x="urn:x"> b </x:guid>'))).toEqual({
      Responsible: ['a', 'b'],
    });
    expect(sent('task', task(''))).toEqual({ Responsible: '' });
    expect(refusal(() => sent('task', task('<id>a</id>'))).faults).toMatchObject([{ field: 'Responsible' }]);
  });

  it.each([
    ['99999999999', 'out_of_range'],
    ['1.5', 'malformed'],
    ['', 'malformed'],
    ['one', 'malformed'],
  ])('a rank that is "%s" is %s', (text, code) => {
    const faults = faultsOf(read(`<Rank>${text}</Rank>`), bodyShape(resourceNamed('accountability')));
    expect(faults.find((fault) => fault.field === 'Rank')?.code).toBe(code);
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['1e400', '1e400'],
    ['0.5', 0.5],
    ['+.50', 0.5],
    ['7.', 7],
  ])('a number of hours that is %s arrives as %s', (text, value) => {
    const member = `<TeamMember xmlns="${NAMESPACE}"><HoursProjected>${text}</HoursProjected></TeamMember>`;
    expect(sent('teamMember', member)).toEqual({ HoursProjected: value });
  });
});
