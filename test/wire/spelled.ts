// What the tests of the wire share: bytes in pieces, lists gathered, and records of every kind of value.
import fc from 'fast-check';
import type { Field, Fields, Kind } from '../../src/contract/field.ts';
import { resources } from '../../src/contract/index.ts';
import type { Row, Value } from '../../src/contract/resource.ts';
import { answerShape, bodyShape, type WireShape } from '../../src/wire/shape.ts';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The bytes in pieces of that size. */
export function* inPieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function gathered<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of list) all.push(one);
  return all;
}

/** Every shape of the contract: of the resources, and of answers that have one of their own. */
export const shapes: readonly WireShape[] = resources.flatMap((resource) => [
  bodyShape(resource),
  ...Object.values(resource.operations)
    .filter((operation) => operation.answers && operation.verb !== 'local')
    .map(answerShape),
]);

const pair = (n: number): string => String(n).padStart(2, '0');
const fit = fc
  .string({ unit: 'binary' })
  .map((text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '?'));
const day = fc
  .date({ min: new Date('0200-01-01'), max: new Date('9800-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const offset = fc
  .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 13 }), fc.constantFrom(0, 15, 30, 45))
  .map(([sign, hours, minutes]) => (hours + minutes === 0 ? '+00:00' : `${sign}${pair(hours)}:${pair(minutes)}`));
const dateTime = fc
  .tuple(day, fc.constantFrom('', '.5', '.1234567'), offset)
  .map(([date, fraction, zone]) => date.slice(0, 19) + fraction + zone);

const VALUES: Readonly<Record<Kind, fc.Arbitrary<Value>>> = {
  guid: fc.uuid(),
  guids: fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 4 }).map((all) => all.join(' ')),
  text: fit,
  integer: fc.integer(),
  byte: fc.integer({ min: 0, max: 255 }),
  decimal: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
  boolean: fc.boolean(),
  date: dateTime,
  day: fc.oneof(
    dateTime,
    day.map((date) => date.slice(0, 10)),
  ),
  stamp: dateTime,
  bytes: fc.base64String(),
};

export const valueFor = (field: Field): fc.Arbitrary<Value> => fc.option(VALUES[field.kind], { freq: 8, nil: null });

/** A record of these fields, every member there. */
export const recordFor = (fields: Fields): fc.Arbitrary<Row> =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueFor(field)])));
