// A JSON array is cut into its elements while it arrives, wherever its pieces end.
import { describe, expect, it } from 'vitest';
import { arraySplitter, type Misplaced } from '../../src/text/json-array.ts';

const wrong = (where: Misplaced, sign: string, line: number): never => {
  throw new Error(`${where} ${sign} ${line}`);
};

function split(...pieces: readonly string[]) {
  const splitter = arraySplitter(wrong);
  const elements = pieces.flatMap((piece) => splitter.push(piece));
  return { elements, state: splitter.state, waiting: splitter.waiting };
}

describe('the splitter of a JSON array', () => {
  const text = '[ {"a": "]},{\\"[", "b": [1, {}]},\n 5 ,"x,y"\r\n, null]\n';

  it('answers each element with its line', () => {
    expect(split(text)).toEqual({
      elements: [
        { text: '{"a": "]},{\\"[", "b": [1, {}]}', line: 1 },
        { text: '5', line: 2 },
        { text: '"x,y"', line: 2 },
        { text: 'null', line: 3 },
      ],
      state: 'done',
      waiting: '',
    });
  });

  it('does so wherever the pieces end', () => {
    const whole = split(text);
    expect(split(...text)).toEqual(whole);
    for (let at = 0; at <= text.length; at++) expect(split(text.slice(0, at), text.slice(at))).toEqual(whole);
  });

  it('answers an object with its last sign, before anything else has come', () => {
    expect(split('[{"a":{}}').elements).toEqual([{ text: '{"a":{}}', line: 1 }]);
    expect(split('[[1, 2]').elements).toHaveLength(1);
    expect(split('["a"').elements).toEqual([]);
  });

  it('knows an empty array, and what is not complete', () => {
    expect(split(' [ ] ')).toEqual({ elements: [], state: 'done', waiting: '' });
    expect(split(' \n')).toMatchObject({ state: 'front' });
    expect(split('{"a":[1]} ')).toEqual({ elements: [{ text: '{"a":[1]}', line: 1 }], state: 'done', waiting: '' });
    expect(split('{"a"')).toEqual({ elements: [], state: 'single', waiting: '{"a"' });
    expect(split('[1, {"a"')).toEqual({ elements: [{ text: '1', line: 1 }], state: 'open', waiting: '{"a"' });
  });

  it.each([
    ['"a"', 'front " 1'],
    ['{"a":1}\n,', 'behind , 2'],
    ['[,1]', 'element , 1'],
    ['[1,\n]', 'element ] 2'],
    ['[1,,2]', 'element , 1'],
    ['[{} {}]', 'comma { 1'],
    ['[[1]2]', 'comma 2 1'],
    ['[1]\n\nx', 'behind x 3'],
  ])('says where a sign of %j is misplaced', (given, message) => {
    expect(() => split(given)).toThrow(message);
  });

  it('takes time in step with the text', () => {
    const deep = `[${'['.repeat(100_000)}${']'.repeat(100_000)}]`;
    expect(split(deep).elements).toHaveLength(1);
  });
});
