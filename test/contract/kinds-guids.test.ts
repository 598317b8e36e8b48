// Several GUIDs in one value: a list in a body, one text in a record.
import { describe, expect, it } from 'vitest';
import { guids } from '../../src/contract/field.ts';
import { isRefusal, listsIn, RULES } from '../../src/contract/kinds.ts';

const A = '0f8fad5b-d9cb-469f-a165-70867728950e';
const B = '1f8fad5b-d9cb-469f-a165-70867728950e';
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => `0f8fad5b-d9cb-469f-a165-${String(at).padStart(12, '0')}`);

describe('several GUIDs', () => {
  it.each([
    ['a list', [B.toUpperCase(), A], `${B} ${A}`],
    ['a text', `${B} ${A}`, `${B} ${A}`],
    ['one that is named twice', [A, A.toUpperCase()], A],
    ['none', [], null],
    ['as many as there may be', many(100), many(100).join(' ')],
  ])('are taken as they are written: %s', (_what, value, taken) => {
    expect(RULES.guids.check(value)).toBe(taken);
  });

  it.each([`${A},${B}`, `${A}; ${B}`, ` ${A}\n${B} `])('are read with anything between them: %j', (text) => {
    expect(RULES.guids.read(text)).toBe(`${A} ${B}`);
  });

  it.each([[[A, 'x']], [[7]], [7], [true], [{ 0: A }], ['x'], [many(101)]])('are refused: %j', (value) => {
    expect(isRefusal(RULES.guids.check(value))).toBe(true);
  });

  it('are a list wherever JSON is written', () => {
    const lists = listsIn({ Responsible: guids('optional') });
    expect(lists?.({ Responsible: `${A} ${B}`, Name: 'x y' })).toEqual({ Responsible: [A, B], Name: 'x y' });
    expect(lists?.({ Responsible: null })).toEqual({ Responsible: null });
    expect(listsIn({})).toBeUndefined();
  });
});
