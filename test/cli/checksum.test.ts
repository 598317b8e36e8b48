// The checksum of compiled code, by which damage is found before the code runs.
import { expect, it } from 'vitest';
import { checksum } from '../../src/cli/checksum.ts';

const bytes = Buffer.from(Array.from({ length: 200 }, (_, at) => (at * 89) % 251));

it('is another one for each bit, each length and what stands before', () => {
  const sums = new Set([checksum(bytes), checksum(bytes, 12_345n), checksum(bytes.subarray(0, 199))]);
  sums.add(checksum(Buffer.concat([bytes, Buffer.alloc(1)])));
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const other = Buffer.from(bytes);
    other[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    sums.add(checksum(other));
  }
  expect(sums.size).toBe(4 + bytes.length * 8);
});

it('takes all of what is longer than its memory', () => {
  const long = Buffer.alloc(200_000, 7);
  const other = Buffer.from(long);
  other[199_999] = 8;
  expect(checksum(long)).toBe(checksum(Buffer.from(long)));
  expect(checksum(other)).not.toBe(checksum(long));
});
