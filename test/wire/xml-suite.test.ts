// The XML conformance suite of the W3C: what is not well-formed is refused, what is well-formed is read.
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import { decodeUtf8 } from '../../src/wire/gate.ts';
import { parseXml } from '../../src/wire/xml-tree.ts';
import { type Document, documents, malformed, name, wellFormed } from '../support/w3c.ts';

/** The document's fate: read, or why not. A defect of ours is thrown on. */
function fate({ bytes }: Document): string {
  try {
    parseXml(decodeUtf8(bytes));
    return 'read';
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

const isUtf8 = ({ bytes }: Document): boolean =>
  !/^(\xfe\xff|\xff\xfe|\0<|<\0)/.test(Buffer.from(bytes).toString('latin1'));

describe('a document of the suite', () => {
  it('is one of many', () => {
    expect({ malformed: malformed.length, wellFormed: wellFormed.length }).toMatchInlineSnapshot(`
      {
        "malformed": 318,
        "wellFormed": 77,
      }
    `);
  });

  it('is refused where it is not well-formed', () => {
    expect(malformed.filter((one) => fate(one) === 'read').map(name)).toEqual([]);
  });

  it('is read where it is well-formed, in UTF-8 and by the rules of namespaces', () => {
    const ours = wellFormed.filter((one) => isUtf8(one) && one.namespaces);
    expect(ours.filter((one) => fate(one) !== 'read').map((one) => `${name(one)}: ${fate(one)}`)).toEqual([]);
  });

  it('is refused with any DOCTYPE', () => {
    const doctypes = documents.filter((one) => one.hasDoctype);
    expect(doctypes.length).toBeGreaterThan(1000);
    expect(doctypes.filter((one) => fate(one) === 'read').map(name)).toEqual([]);
  });
});
