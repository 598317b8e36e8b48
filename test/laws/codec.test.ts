// Law 3: what is written in either syntax is read again as it was, for every type of the contract.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listsIn } from '../../src/contract/kinds.ts';
import type { Row } from '../../src/contract/resource.ts';
import { readBody, readList, readRecord, writerOf } from '../../src/wire/codec.ts';
import { MEDIA_TYPES, syntaxOf } from '../../src/wire/media.ts';
import type { WireShape, Writer } from '../../src/wire/shape.ts';
import { bytesOf, gathered, inPieces, recordFor, shapes } from '../wire/spelled.ts';

const RUNS = { numRuns: 20 };
const table = shapes.flatMap((shape) => MEDIA_TYPES.map((media) => [shape.type, media, shape] as const));

const listed = ({ opening, between, member, closing }: Writer, rows: readonly Row[]): Uint8Array =>
  bytesOf(opening + rows.map(member).join(between) + closing);

/** A body as a client would send it: what is read-only cannot be relied upon. */
const writable = ({ fields }: WireShape, row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => fields[name]?.rule !== 'read-only'));

describe.each(table)('%s as %s', (_type, media, shape) => {
  const writer = writerOf(media, shape);

  it('is one record again', () => {
    fc.assert(
      fc.property(recordFor(shape.fields), (row) => {
        expect(readRecord(syntaxOf(media), shape, bytesOf(writer.one(row)))).toEqual(row);
      }),
      RUNS,
    );
  });

  it('is a list again, in whatever pieces it arrives', async () => {
    const rows = fc.array(recordFor(shape.fields), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 50 }), async (all, size) => {
        const chunks = inPieces(listed(writer, all), size);
        expect(await gathered(readList(syntaxOf(media), shape, chunks))).toEqual(all);
      }),
      RUNS,
    );
  });

  it('is a body again', () => {
    fc.assert(
      fc.property(recordFor(shape.fields), (row) => {
        const body = writable(shape, row);
        expect(readBody(media, shape, bytesOf(writer.one(body)))).toEqual(listsIn(shape.fields)?.(body) ?? body);
      }),
      RUNS,
    );
  });
});
