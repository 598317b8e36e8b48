// The codec's cases: what a value is in each syntax, to the character, and back.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resourceNamed } from '../../src/contract/index.ts';
import { listsIn } from '../../src/contract/kinds.ts';
import { readBody, readRecord, writerOf } from '../../src/wire/codec.ts';
import { bodyShape, type Members } from '../../src/wire/shape.ts';
import { bytesOf } from './spelled.ts';

interface Case {
  readonly description: string;
  readonly resource: string;
  readonly value: Members;
  readonly json: string;
  readonly xml: string;
}

const cases: readonly Case[] = JSON.parse(readFileSync(new URL('../cases/codec.json', import.meta.url), 'utf8'));
const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

describe.each(cases.map((one) => [one.description, one] as const))(
  '%s',
  (_description, { resource, value, json, xml }) => {
    const shape = bodyShape(resourceNamed(resource));
    const sent = listsIn(shape.fields)?.(value) ?? value;

    it('is written in JSON', () => {
      expect(writerOf('application/json', shape).one(value)).toBe(json);
    });

    it('is written in XML', () => {
      expect(writerOf('text/xml', shape).one(value)).toBe(DECLARATION + xml);
    });

    it.each([
      ['json', json],
      ['xml', xml],
    ] as const)('is read from an answer in %s', (syntax, text) => {
      expect(readRecord(syntax, shape, bytesOf(text))).toEqual(value);
    });

    it('is read from a body in JSON', () => {
      expect(readBody('application/json', shape, bytesOf(json))).toEqual(sent);
    });

    it('is read from a body in XML', () => {
      expect(readBody('application/xml', shape, bytesOf(xml))).toEqual(sent);
    });
  },
);
