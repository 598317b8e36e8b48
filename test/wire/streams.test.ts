// What arrives in pieces: how much is read, when a record is handed over, and what is kept meanwhile.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceNamed } from '../../src/contract/index.ts';
import { readList, writerOf } from '../../src/wire/codec.ts';
import { decodeChunks, LIMITS, readBytes } from '../../src/wire/gate.ts';
import type { Syntax } from '../../src/wire/media.ts';
import { bodyShape } from '../../src/wire/shape.ts';
import { inLong } from '../support/long.ts';
import { lateRefusal } from './refusal.ts';
import { bytesOf, gathered, inPieces } from './spelled.ts';

const shape = bodyShape(resourceNamed('accountability'));

/** What is read up to a limit is read alike up to a lower one, in less time. */
const { record: REAL_LIMIT } = LIMITS;
beforeAll(() => void Object.assign(LIMITS, { record: inLong(1 << 22, REAL_LIMIT) }));
afterAll(() => void Object.assign(LIMITS, { record: REAL_LIMIT }));

/** The same piece again and again; counts how often it was asked for. */
function endless(piece: string, first = ''): { chunks: Generator<Uint8Array>; asked: () => number } {
  const bytes = bytesOf(piece);
  let count = 0;
  function* chunks(): Generator<Uint8Array> {
    if (first !== '') yield bytesOf(first);
    while (true) {
      count++;
      yield bytes;
    }
  }
  return { chunks: chunks(), asked: () => count };
}

describe('a body', () => {
  it('is read up to its limit', async () => {
    const bytes = new Uint8Array(LIMITS.body);
    expect((await readBytes(inPieces(bytes, 1000))).length).toBe(LIMITS.body);
  });

  it('of one byte more is refused', async () => {
    const error = await lateRefusal(readBytes([new Uint8Array(LIMITS.body), new Uint8Array(1)]));
    expect(error.code).toBe('too_large');
  });

  it('without end is not read on', async () => {
    const { chunks, asked } = endless('x'.repeat(1000));
    await lateRefusal(readBytes(chunks, 10_000));
    expect(asked()).toBe(11);
  });
});

describe('a text', () => {
  it('may be cut within a character', async () => {
    expect((await gathered(decodeChunks(inPieces(bytesOf('\ufeffaé😀'), 1)))).join('')).toBe('aé😀');
  });

  it('may not end within one', async () => {
    expect((await lateRefusal(gathered(decodeChunks([bytesOf('😀').subarray(0, 3)])))).message).toMatch(/UTF-8/);
  });
});

describe.each(['json', 'xml'] as const)('a list in %s', (syntax: Syntax) => {
  const { opening, between, member } = writerOf(syntax === 'json' ? 'text/json' : 'text/xml', shape);
  const record = member({ Rank: 1, Name: 'a', Description: 'd'.repeat(1000) });

  it('hands over each record as soon as it is complete', async () => {
    const { chunks, asked } = endless(between + record, opening + record);
    const list = readList(syntax, shape, chunks);
    for (let count = 0; count < 100; count++) {
      expect((await list.next()).value).toMatchObject({ Rank: 1, Name: 'a' });
      expect(asked()).toBeLessThanOrEqual(count + 1);
    }
    await list.return(undefined);
  });

  it('may be far longer than what a record may be', async () => {
    const many = (between + record).repeat(1000);
    const { chunks, asked } = endless(many, opening + record);
    let size = 0;
    for await (const row of readList(syntax, shape, chunks)) {
      size += String(row.Description).length;
      if (size > LIMITS.record + 1_000_000) break;
    }
    expect(asked()).toBeGreaterThan((LIMITS.record >> 20) * 0.9);
  });

  it('without the end of a record is given up', async () => {
    const begun = syntax === 'json' ? '[{"Name":"' : '<ArrayOfListItem><ListItem><Name>';
    const { chunks, asked } = endless('x'.repeat(1 << 20), begun);
    expect((await lateRefusal(gathered(readList(syntax, shape, chunks)))).message).toMatch(/no end of a record/);
    expect(asked()).toBeLessThanOrEqual((LIMITS.record >> 20) + 2);
  });

  it('of endless blanks is given up too', async () => {
    const { chunks } = endless(' '.repeat(1 << 20), syntax === 'json' ? '[' : '<ArrayOfListItem>');
    expect((await lateRefusal(gathered(readList(syntax, shape, chunks)))).message).toMatch(/no end of a record/);
  });
});

describe('a list that a count stands beside, as XML', () => {
  it('hands over each record as soon as it is complete', async () => {
    const record = '<ListItem><Rank>1</Rank><Name>a</Name></ListItem>';
    const { chunks, asked } = endless(record, `<Result><Count>9</Count><Items>${record}`);
    const list = readList('xml', shape, chunks);
    for (let count = 0; count < 100; count++) {
      expect((await list.next()).value).toEqual({ Rank: 1, Name: 'a' });
      expect(asked()).toBeLessThanOrEqual(count + 1);
    }
    await list.return(undefined);
  });
});

describe('nested too deep', () => {
  it('an XML answer is refused', async () => {
    const { chunks } = endless('<a>'.repeat(100));
    expect((await lateRefusal(gathered(readList('xml', shape, chunks)))).message).toMatch(/nested more than 32/);
  });
});
