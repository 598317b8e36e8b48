// `--where`: a filter over records, such as  LastName ~ '^Mc' and HireDate >= -30d
import { ServiceError } from '../../contract/errors.ts';
import { type Field, type Fields, isDate } from '../../contract/field.ts';
import type { Row } from '../../contract/resource.ts';
import type { Zone } from '../../contract/zone.ts';
import { valueAt } from '../../text/once-per.ts';
import { dayCalled } from '../history/relative-time.ts';
import { memberCalled, suggestion } from './fields.ts';
import {
  type Column,
  comparison,
  isNull,
  membership,
  type Naming,
  type Operator,
  opposite,
  syntaxError,
  type Test,
  type Token,
  tokens,
} from './where-condition.ts';

/**
 * One test out of all the filters: a record must pass each. Dates without a time are midnight in `zone`, or in UTC.
 * Throws `usage`; the message shows the filter with the wrong word underlined.
 */
export function compileWhere(texts: readonly string[], fields: Fields, now: Date, zone?: Zone, naming?: Naming): Test {
  const tests = texts.map((text) => compile(text, (name, field) => ({ name, field, text, now, zone, naming }), fields));
  return (row: Row) => tests.every((test) => test(row));
}

/** How names stand for records. */
export interface Refer {
  /** The ID of the record that a filter names. Throws `not_found`, `ambiguous`. */
  id(field: Field, text: string): Promise<string>;
  /** The names of all records that a member may name, by their IDs; undefined if a service does not list them. */
  names(field: Field): Promise<ReadonlyMap<string, string> | undefined>;
}

/** As `compileWhere`, where a reference may be compared with a name: each is looked up once. Throws as `refer`, too. */
export async function compileWithNames(
  texts: readonly string[],
  fields: Fields,
  now: Date,
  zone: Zone | undefined,
  refer: Refer,
): Promise<Test> {
  const ids = new Map<Field, Map<string, string>>();
  const names = new Map<Field, ReadonlyMap<string, string>>();
  const unnamed = compileWhere(texts, fields, now, zone, {
    idOf(field, text) {
      valueAt(ids, field, () => new Map<string, string>()).set(text, text);
      return field.kind === 'guid' ? NO_GUID : '0';
    },
    namesOf: (field) => valueAt(names, field, () => NONE),
  });
  if (ids.size + names.size === 0) return unnamed;
  for (const [field, found] of ids) for (const text of found.keys()) found.set(text, await refer.id(field, text));
  for (const field of names.keys()) names.set(field, (await refer.names(field)) ?? refuseUnlisted());
  const idOf: Naming['idOf'] = (field, text) => ids.get(field)?.get(text) ?? text;
  return compileWhere(texts, fields, now, zone, { idOf, namesOf: (field) => names.get(field) ?? NONE });
}

function refuseUnlisted(): never {
  throw new ServiceError('usage', 'filter: the service does not list the names that ~ looks into', {
    hint: 'Compare with = and one name, or with an ID.',
  });
}

const NONE: ReadonlyMap<string, string> = new Map();
const NO_GUID = '00000000-0000-0000-0000-000000000000';

function compile(text: string, columnOf: (name: string, field: Field) => Column, fields: Fields): Test {
  const reader = readerOf(text, columnOf, fields);
  const test = orTest(reader);
  if (reader.peek().type !== 'end') throw reader.wrong('"and", "or" or the end is');
  return test;
}

type Reader = ReturnType<typeof readerOf>;

/** Reads the tokens of one filter. */
function readerOf(text: string, columnOf: (name: string, field: Field) => Column, fields: Fields) {
  const list = tokens(text);
  let at = 0;
  const peek = (): Token => list[at] as Token;
  const take = (): Token => list[Math.min(at++, list.length - 1)] as Token;
  return {
    peek,
    take,
    /** Takes the next token if it is this word or sign. */
    accept: (word: string): boolean => {
      const { type, raw } = peek();
      const hit = (type === 'word' || type === 'sign') && raw.toLowerCase() === word;
      if (hit) at++;
      return hit;
    },
    column: (token: Token): Column => {
      const name = memberCalled(fields, token.raw);
      const field = name === undefined ? undefined : fields[name];
      if (!name || !field)
        throw syntaxError(text, token, `there is no field "${token.raw}" here`, suggestion(fields, token.raw));
      return columnOf(name, field);
    },
    wrong: (expected: string): Error => {
      const { type, raw } = peek();
      const isOpen = type === 'unknown' && raw.startsWith("'");
      const why = isOpen
        ? `the text ${raw} has no quote at its end`
        : `${expected} expected, not ${type === 'end' ? 'the end' : raw}`;
      const quoted = type === 'word' && expected === A_VALUE ? `Write it in single quotes: '${raw}'.` : undefined;
      return syntaxError(text, peek(), why, quoted ?? HINTS[raw.charAt(0)] ?? 'See: pm help where');
    },
  };
}

const A_VALUE = 'a value (texts in single quotes) is';

const HINTS: Readonly<Record<string, string>> = {
  '"': "Write texts in single quotes: 'Smith'.",
  "'": "A text begins and ends with a single quote; write '' for a quote within it.",
  '=': 'Write a single = for "is equal".',
  '&': 'Write "and".',
  '|': 'Write "or".',
};

const orTest = (reader: Reader): Test => joined(reader, 'or', 'some', both);
const both = (reader: Reader): Test => joined(reader, 'and', 'every', unary);

function joined(reader: Reader, word: string, by: 'some' | 'every', part: (reader: Reader) => Test): Test {
  const tests = [part(reader)];
  while (reader.accept(word)) tests.push(part(reader));
  return tests.length === 1 ? (tests[0] as Test) : (row) => tests[by]((test) => test(row));
}

function unary(reader: Reader): Test {
  if (reader.accept('not')) return opposite(unary(reader));
  if (!reader.accept('(')) return condition(reader);
  const test = orTest(reader);
  if (!reader.accept(')')) throw reader.wrong('")" is');
  return test;
}

function condition(reader: Reader): Test {
  if (reader.peek().type !== 'word') throw reader.wrong('a field is');
  const column = reader.column(reader.take());
  if (reader.accept('is')) return nullness(reader, column);
  const not = reader.accept('not');
  if (reader.accept('in')) return not ? opposite(listed(reader, column)) : listed(reader, column);
  if (not) throw reader.wrong('"in" is');
  const operator = reader.peek();
  if (operator.type !== 'operator') throw reader.wrong('an operator (= != < <= > >= ~ !~ ~~ !~~, in, is) is');
  reader.take();
  return comparison(column, operator.raw as Operator, value(reader, column));
}

function nullness(reader: Reader, column: Column): Test {
  const not = reader.accept('not');
  if (!reader.accept('null')) throw reader.wrong('"null" is');
  return not ? opposite(isNull(column)) : isNull(column);
}

function listed(reader: Reader, column: Column): Test {
  if (!reader.accept('(')) throw reader.wrong('"(" is');
  const values = [value(reader, column)];
  while (reader.accept(',')) values.push(value(reader, column));
  if (!reader.accept(')')) throw reader.wrong('"," or ")" is');
  return membership(column, values);
}

function value(reader: Reader, column: Column): Token {
  const token = reader.peek();
  const day = isDate(column.field) ? dayCalled(token.value, column) : undefined;
  const isValue = token.type === 'text' || token.type === 'literal' || /^(true|false|null)$/i.test(token.raw);
  if (!isValue && !day) throw reader.wrong(A_VALUE);
  return { ...reader.take(), ...(day && { type: 'literal', value: day }) };
}
