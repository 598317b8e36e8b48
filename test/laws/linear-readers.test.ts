// Whatever reads what a stranger sends takes linear time; texts of 1 MiB are read in the long form alone.
import { describe, expect, it } from 'vitest';
import { readPlanFile } from '../../src/changes/plan/plan-reader.ts';
import { drawnTable } from '../../src/cli/output/formats/drawn-table.ts';
import { tokens } from '../../src/cli/output/where-condition.ts';
import { contract } from '../../src/contract/index.ts';
import { validate } from '../../src/contract/validate.ts';
import { cutTo } from '../../src/text/columns.ts';
import { clean, quoted, sanitise } from '../../src/text/escape.ts';
import { fitOf, folded, spanOf } from '../../src/text/folded.ts';
import { nameFault, trimBlanks } from '../../src/text/names.ts';
import { readJsonBody, readJsonList } from '../../src/wire/codec.ts';
import { bodyMedia, negotiate } from '../../src/wire/media.ts';
import { readProblem } from '../../src/wire/problem.ts';
import { matchRoute } from '../../src/wire/route.ts';
import { bodyShape } from '../../src/wire/shape.ts';
import { parseXml } from '../../src/wire/xml-tree.ts';
import { faultsOf, fileOf } from '../support/input-files.ts';
import { filledWith, firstSlow } from '../support/linear.ts';
import { isLong } from '../support/long.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const JSON_UNITS = ['[', '{"a":', '"', '\\', '"a",', '0', '1e', ' ', '\n', '\\u0301', '\u0301\u0316', '{"a":1},'];
const XML_UNITS = [
  '<a>',
  '<a/>',
  '<',
  '&',
  '&amp;',
  '&#65;',
  ' ',
  ' a="b"',
  '<!--',
  '-',
  ']]>',
  '\u0301\u0316',
  '<![CDATA[',
];
const TABLE_UNITS = ['"', ',', ';', '\n', '\r', '=', 'a', ' ', '\\', "'", '\u0301\u0316', 'a,b\n', '"a""b",'];
const YAML_UNITS = ['- ', '[', '{a: ', 'a: ', '"', '#', ' ', '\n', '? ', '&a ', '- a\n', '|\n '];
const WORDS = [
  'a',
  '0',
  ' ',
  '"',
  "'",
  '.',
  '-',
  '/',
  '%',
  ':',
  '\\',
  '(',
  '=',
  ';',
  ',',
  '*/*,',
  'a/b;q=0.1,',
  '\u0301\u0316',
];

const SHAPE = bodyShape(contract.individual);

interface Reader {
  readonly of: string;
  readonly units: readonly string[];
  readonly head?: string;
  readonly tail?: string;
  readonly read: (text: string) => unknown;
  /** Characters that can arrive, where that is less than a body. */
  readonly most?: number;
}

/** More is refused before anything reads it. */
const HEADERS = 1 << 14;
/** No longer argument can be given to a program. */
const ARGUMENT = 1 << 17;

const inForm = (form: string, units: readonly string[], head = '') => ({
  ...{ of: `a file of rows as ${form}`, units, head },
  read: (text: string) => faultsOf(`x.${form}`, text),
});

const READERS: readonly Reader[] = [
  { of: 'a body in JSON', units: JSON_UNITS, read: (text) => readJsonBody(bytes(text)) },
  {
    of: 'a text in JSON',
    units: ['a', '\\\\', '\\u0041', '\u0301\u0316'],
    head: '{"Name":"',
    tail: '"}',
    read: (text) => readJsonBody(bytes(text)),
  },
  {
    of: 'a number in JSON',
    units: ['0', '1', '9'],
    head: '{"Rank":0.1',
    tail: '1}',
    read: (text) => readJsonBody(bytes(text)),
  },
  { of: 'a list in JSON', units: JSON_UNITS, head: '[', read: listed },
  { of: 'a body in XML', units: XML_UNITS, head: '<a>', read: parseXml },
  {
    of: 'an error of a service',
    units: [...JSON_UNITS, ...XML_UNITS, '<script>'],
    read: (text) => readProblem(500, 'text/html', bytes(text)),
  },
  { of: 'the address of a request', units: WORDS, head: '/v4/', read: (text) => matchRoute('GET', text) },
  { of: 'what a request accepts', units: WORDS, read: negotiate, most: HEADERS },
  { of: 'the type of a body', units: WORDS, head: 'application/json;', read: bodyMedia },
  { of: 'a filter', units: WORDS, read: tokens, most: ARGUMENT },
  { of: 'a text that is shown', units: WORDS, read: (text) => sanitise(text) + quoted(text) + clean(text) },
  {
    of: 'a text in a table',
    units: [...WORDS, '日', '🫠', '\u1100\u1161'],
    read: (text) => drawnTable([['Name', text]].concat([[cutTo(text, 40), '']]), { widths: [40] }),
  },
  {
    of: 'a text that is looked into',
    units: [...WORDS, 'ß', '´', 'ab ab', '- '],
    head: 'e',
    read: (text) => ['a a', 'ab abb', 'e'].map((wanted) => [fitOf(folded(text), wanted), spanOf(text, wanted)]),
  },
  {
    of: 'a name',
    units: [...WORDS, '\u00a0', '\u200b'],
    head: 'a',
    tail: 'a',
    read: (text) => [trimBlanks(text), nameFault(text)],
  },
  {
    of: 'the members of a record',
    units: WORDS,
    read: (text) => validate(SHAPE, { UserName: text, Email: text, HireDate: text, PrimaryTitle: text }, 'create'),
  },
  {
    of: 'a plan',
    units: ['\n', '{', '"a",', ' '],
    head: '{"pm":"plan","version":2}\n',
    read: (text) => readPlanFile(fileOf('x.plan', text)),
  },
  inForm('csv', TABLE_UNITS, 'Name,Rank\n'),
  inForm('csv', TABLE_UNITS),
  inForm('tsv', TABLE_UNITS, 'Name\tRank\n'),
  inForm('json', JSON_UNITS, '['),
  inForm('ndjson', JSON_UNITS),
  inForm('yaml', YAML_UNITS, '- Name: '),
];

async function listed(text: string): Promise<void> {
  const pieces = async function* () {
    for (let at = 0; at < text.length; at += 65_536) yield bytes(text.slice(at, at + 65_536));
  };
  for await (const _row of readJsonList(SHAPE, pieces()));
}

/** What it makes of the text is not asked here. */
const whatever =
  (read: (text: string) => unknown) =>
  async (text: string): Promise<void> => {
    try {
      await read(text);
    } catch {}
  };

const CASES = READERS.flatMap(({ units, head, tail, ...reader }) =>
  [...new Set(units)].map((unit) => ({ ...reader, unit, textOf: filledWith(unit, head, tail) })),
);

describe('the readers', () => {
  it('read a short text of each kind to its end', async () => {
    for (const { read, textOf } of CASES) await whatever(read)(textOf(1_000));
    expect(CASES.length).toBeGreaterThan(200);
  });
});

describe.runIf(isLong)('the time to read', () => {
  it.each(CASES)('$of, of $unit', async ({ read, textOf, most }) => {
    expect(await firstSlow(whatever(read), textOf, most)).toBeUndefined();
  });

  it('is not linear where a text is read again for each of its signs', async () => {
    const again = (text: string): number => {
      let count = 0;
      for (let at = 0; at < text.length; at += 8) count += text.lastIndexOf('b', at);
      return count;
    };
    expect(await firstSlow(again, filledWith('a'), 1 << 18)).toBeDefined();
  });
});
