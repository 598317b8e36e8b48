// Lists in XML: plain records are read by a pattern, and the result is what the strict parser reads.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resourceNamed } from '../../src/contract/index.ts';
import { readList } from '../../src/wire/codec.ts';
import { bodyShape } from '../../src/wire/shape.ts';
import { recordsInXml } from '../../src/wire/xml-reader.ts';
import { inLong } from '../support/long.ts';
import { bytesOf, gathered, inPieces } from './spelled.ts';

const shape = bodyShape(resourceNamed('accountability'));
const TYPE = 'Accountability';

/** Members and marks as services write them, plain and otherwise. */
const MEMBERS = [
  '<Rank>7</Rank>',
  '<Name>a</Name>',
  '<Name>\n  <i>b</i>\n</Name>',
  '<name>R&amp;D &lt;x&gt; &quot;y&quot; &apos;z&apos;</name>',
  '<Name>&#65;&#x42;</Name>',
  '<Name>line\r\nline</Name>',
  '<Name>[a]</Name>',
  `<Name><![CDATA[</${TYPE}><${TYPE}>]]></Name>`,
  `<!-- <${TYPE}><Rank>1</Rank></${TYPE}> -->`,
  '<?note a?>',
  '<Description i:nil="true"/>',
  '<Description i:nil="true" />',
  '<Description i:nil="true"></Description>',
  '<Description i:nil="1"/>',
  '<Description/>',
  '<Description a="b"/>',
  '<LastCommentDate xmlns:d2p1="urn:d"><d2p1:DateTime>2026-01-02T03:04:05Z</d2p1:DateTime><d2p1:OffsetMinutes>60</d2p1:OffsetMinutes></LastCommentDate>',
  '<Other xmlns:i="urn:not"><i:a/></Other>',
  '<Other xmlns="urn:else"><a>1</a></Other>',
  '<Other><a><b><c>deep</c></b></a></Other>',
  `<Other><${TYPE}><Rank>2</Rank></${TYPE}><${TYPE}><Rank>3</Rank></${TYPE}></Other>`,
  `<${TYPE}><Rank>2</Rank></${TYPE}>`,
  'text',
  '\n  ',
  '<__proto__>a</__proto__>',
];
/** Not well-formed, or of a prefix that may not be declared. */
const FAULTS = [
  '<a>'.repeat(40) + '</a>'.repeat(40),
  '<Name>]]></Name>',
  '<Name>&unknown;</Name>',
  '<Name>\u0007</Name>',
  '<Name>\uffff</Name>',
  '<Description i:nil="yes"/>',
  '<Description q:nil="true"/>',
  '<Open>',
  '</Close>',
  '<xmlns:a>1</xmlns:a>',
  '<a:b>1</a:b>',
];
const HEADS = [
  [`<ArrayOf${TYPE}`, `</ArrayOf${TYPE}>`],
  [`<?xml version="1.0"?>\n<Page xmlns:q="urn:q"><Total>2</Total><Items`, '</Items></Page>'],
  ['<Items', '</Items>'],
] as const;
const SPACES = ' xmlns="urn:x" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">';

const COMMENT = `<!-- <${TYPE}><Rank>1</Rank></${TYPE}><${TYPE}><Rank>1</Rank></${TYPE}> -->`;
const PLAIN = ['<Rank>7</Rank>', '<Name>a</Name>'];
const member = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 30, arbitrary: fc.constantFrom(...MEMBERS) },
  { weight: 3, arbitrary: fc.constantFrom(...FAULTS) },
);
const records = fc.array(fc.array(member, { maxLength: 3 }), { minLength: 1, maxLength: 6 });
const between = fc.constantFrom('', '', '', '\n  ', COMMENT, 'x');
const spaces = fc.constantFrom(SPACES, SPACES, SPACES, '>');
const documents = fc
  .tuple(fc.constantFrom(...HEADS), records, between, spaces)
  .map(([[head, tail], all, gap, declared]) => {
    const list = all.map((members) => `<${TYPE}><Rank>1</Rank>${members.join('')}</${TYPE}>`);
    return `${head}${declared}${list.join(gap)}${tail}`;
  });

const readInPieces = (text: string, size: number) =>
  gathered(readList('xml', shape, inPieces(bytesOf(text), size))).catch(() => 'refused');

function readWhole(text: string): unknown {
  try {
    return recordsInXml(shape, text);
  } catch {
    return 'refused';
  }
}

describe('a list in XML that comes in pieces', () => {
  it('has the records of the same list that the parser reads whole', async () => {
    const runs = inLong(2_000, 100_000);
    await fc.assert(
      fc.asyncProperty(documents, fc.integer({ min: 1, max: 400 }), async (text, size) => {
        expect(await readInPieces(text, size)).toEqual(readWhole(text));
      }),
      { numRuns: runs },
    );
  });

  it('goes on behind a record that is not plain', async () => {
    const odd = `<${TYPE}><Name>&#65;</Name></${TYPE}>`;
    const plain = `<${TYPE}><Name>a &amp; b</Name><Rank>1</Rank></${TYPE}>`;
    const text = `<ArrayOf${TYPE}>${plain}${odd}${plain}</ArrayOf${TYPE}>`;
    const A = { Name: 'a & b', Rank: 1 };
    expect(await readInPieces(text, 30)).toEqual([A, { Name: 'A' }, A]);
  });
});
