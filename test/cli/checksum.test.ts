// The checksum of compiled code, by which damage is found before the code runs.
import { expect, it } from 'vitest';
import { checksum, room } from '../../src/cli/checksum.ts';

const BITS = 64;
const FACTOR = 0x9e3779b97f4a7c15n;

function mix(number: bigint): bigint {
  const product = BigInt.asUintN(BITS, number * FACTOR);
  return product ^ (product >> 32n);
}

/** The same sum in plain numbers. */
function plainSum(bytes: Buffer, before: bigint): bigint {
  const whole = Buffer.concat([bytes, Buffer.alloc(31)]);
  const sums = Array.from({ length: 4 }, () => before ^ BigInt(bytes.length));
  for (let word = 0; word < Math.ceil(bytes.length / 32) * 4; word++)
    sums[word % 4] = mix((sums[word % 4] ?? 0n) ^ whole.readBigUInt64LE(word * 8));
  return sums.reduceRight((sum, one) => mix(sum ^ one), 0n);
}

function sumOf(bytes: Buffer, before = 0n): bigint {
  room(bytes.length).set(bytes);
  return checksum(bytes.length, before);
}

const bytesOf = (size: number): Buffer => Buffer.from(Array.from({ length: size }, (_, at) => (at * 89) % 251));

it.each([1, 8, 31, 32, 33, 1000, 70_000])('of %i bytes is the same in plain numbers', (size) => {
  expect(sumOf(bytesOf(size))).toBe(plainSum(bytesOf(size), 0n));
  expect(sumOf(bytesOf(size), 2n ** 64n - 5n)).toBe(plainSum(bytesOf(size), 2n ** 64n - 5n));
});

it('is another one for each bit, each length and what stands before', () => {
  const bytes = bytesOf(200);
  const sums = new Set([sumOf(bytes), sumOf(bytes, 12_345n), sumOf(bytes.subarray(0, 199))]);
  sums.add(sumOf(Buffer.concat([bytes, Buffer.alloc(1)])));
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const other = Buffer.from(bytes);
    other[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    sums.add(sumOf(other));
  }
  expect(sums.size).toBe(4 + bytes.length * 8);
});

it('is another one where the first bits of two of the last words are turned', () => {
  const bytes = bytesOf(128);
  const sums = new Set([sumOf(bytes)]);
  for (const [one, two] of [
    [12, 13],
    [13, 14],
    [14, 15],
    [11, 15],
  ] as const) {
    const other = Buffer.from(bytes);
    for (const word of [one, two]) other[word * 8 + 7] = (bytes[word * 8 + 7] ?? 0) ^ 0x80;
    sums.add(sumOf(other));
  }
  expect(sums.size).toBe(5);
});

it('is the same behind what was longer, and where the room has to grow', () => {
  const sum = sumOf(bytesOf(1000));
  sumOf(Buffer.alloc(3_000_000, 7));
  expect(sumOf(bytesOf(1000))).toBe(sum);
});
