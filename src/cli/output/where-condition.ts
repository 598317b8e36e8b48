// The tokens of a filter, and its single conditions, typed by their field.
import { ServiceError } from '../../contract/errors.ts';
import { type Field, isDate, isOfDays } from '../../contract/field.ts';
import { idKey, looksLikeGuid, RULES } from '../../contract/kinds.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { checkText } from '../../contract/validate.ts';
import type { Zone } from '../../contract/zone.ts';
import { widthOf } from '../../text/columns.ts';
import { sanitise } from '../../text/escape.ts';
import { folded } from '../../text/folded.ts';
import { relativeTime } from '../history/relative-time.ts';
import { compareKeys, type DateView, type Key, keyOf } from './fields.ts';

export type Test = (row: Row) => boolean;

/** The field of a condition, and what its values are read with. */
export interface Column {
  readonly name: string;
  readonly field: Field;
  /** The whole filter, to show in errors. */
  readonly text: string;
  readonly now: Date;
  readonly zone: Zone | undefined;
  readonly naming: Naming | undefined;
}

/** What a name means where IDs stand, and the name of each record that a member may name, by its ID. */
export interface Naming {
  idOf(field: Field, text: string): string;
  namesOf(field: Field): ReadonlyMap<string, string>;
}

const ORDERS: Readonly<Record<'<' | '<=' | '>' | '>=', (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** No order holds with null; `!=`, `!~` and `!~~` are the exact opposites of `=`, `~` and `~~`. */
export function comparison(column: Column, operator: Operator, token: Token): Test {
  switch (operator) {
    case '!=':
    case '!~':
    case '!~~':
      return opposite(comparison(column, operator.slice(1) as Operator, token));
    case '=':
      return membership(column, [token]);
    case '~':
      return matching(column, token);
    case '~~':
      return holding(column, token);
    default:
      return ordering(column, ORDERS[operator], token);
  }
}

/** Is the value one of these? */
export function membership(column: Column, given: readonly Token[]): Test {
  const { name, field, zone } = column;
  const list = given.map((token) => withID(column, token));
  const views = [...new Set(list.map((token) => viewOf(column, token)))];
  const sets = views.map((view) => {
    const wanted = list.filter((token) => viewOf(column, token) === view);
    return { view, keys: new Set(wanted.map((token) => keyFrom(column, token))) };
  });
  return (row) => sets.some(({ view, keys }) => keys.has(keyOf(field, row[name], view, zone)));
}

/** Does a member name one other record? */
export const refersToOne = ({ to, kind }: Field): boolean =>
  to !== undefined && (kind === 'guid' || kind === 'integer');

/** A name in place of an ID becomes the ID. */
function withID({ field, naming }: Column, token: Token): Token {
  const { type, value } = token;
  const isName = type === 'text' && !looksLikeGuid(value) && !/^\d+$/.test(value);
  return isName && refersToOne(field) && naming ? { ...token, value: naming.idOf(field, value) } : token;
}

export function isNull({ name }: Column): Test {
  return (row) => (row[name] ?? null) === null;
}

function ordering(column: Column, holds: (order: number) => boolean, token: Token): Test {
  const { name, field, zone } = column;
  const view = viewOf(column, token);
  const wanted = keyFrom(column, token);
  if (field.kind === 'text' && token.type === 'literal' && NUMBER.test(token.raw))
    throw syntaxError(column.text, token, `${name} is a text, and ${token.raw} a number`, AS_TEXTS);
  if (wanted === null)
    throw syntaxError(column.text, token, 'nothing is more or less than null', `Write ${name} is null.`);
  return (row) => {
    const key = keyOf(field, row[name], view, zone);
    return key !== null && holds(compareKeys(key, wanted));
  };
}

const NUMBER = /^[+-]?[\d.]+(?:e[+-]?\d+)?$/i;
const AS_TEXTS = "Texts are compared sign by sign, '10' before '5': put it in single quotes to do so.";

function matching(column: Column, token: Token): Test {
  const pattern = expression(column.text, token);
  return ofText(column, (text) => pattern.test(text));
}

/** Has the value this text in it, folded (text/folded.ts)? */
function holding(column: Column, token: Token): Test {
  if (token.type !== 'text')
    throw syntaxError(
      column.text,
      token,
      `${token.raw} is not a text to look for`,
      "Write it in single quotes: 'strauss'.",
    );
  const wanted = folded(token.value);
  return ofText(column, (text) => folded(text).includes(wanted));
}

/** A test of the value as text, and of the name in place of an ID; null is none. */
function ofText({ name, field, naming }: Column, test: (text: string) => boolean): Test {
  const names = refersToOne(field) ? naming?.namesOf(field) : undefined;
  return (row) => {
    const value = row[name] ?? null;
    const text = names ? names.get(idKey(value)) : String(value);
    return value !== null && text !== undefined && test(text);
  };
}

function expression(text: string, token: Token): RegExp {
  if (token.type !== 'text')
    throw syntaxError(text, token, `${token.raw} is not a regular expression`, "Write it in single quotes: '^Mc'.");
  try {
    return new RegExp(token.value, 'iu');
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, '') : String(error);
    throw syntaxError(
      text,
      token,
      `${token.raw} is not a regular expression: ${why}`,
      'Put a backslash in front of signs that are meant as they are.',
    );
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day is compared with days as they are written; a date-time, or a time from now, with moments (D13). */
const viewOf = ({ field }: Column, { value }: Token): DateView =>
  isOfDays(field) && DAY.test(value.trim()) ? 'day' : 'moment';

function keyFrom(column: Column, token: Token): Key {
  const { field, zone } = column;
  if (token.type === 'word' && /^null$/i.test(token.raw)) return null;
  const moment = isDate(field) ? relativeTime(token.value, column.now) : undefined;
  return keyOf(field, moment ?? valueFrom(column, token), viewOf(column, token), zone);
}

/** A value of the field's kind; a number with a word may be given by its word. */
function valueFrom({ name, field, text, zone }: Column, token: Token): Value {
  if (field.kind === 'text' || field.kind === 'bytes') return token.value;
  const named = Object.entries(field.choices ?? {}).find(
    ([, word]) => word.toLowerCase() === token.value.toLowerCase(),
  );
  if (named) return Number(named[0]);
  const answer = checkText({ kind: field.kind, rule: field.rule }, token.value, zone);
  if ('value' in answer) return answer.value;
  const form = isDate(field) ? 'a date such as 2026-03-31, or a time from now such as -30d' : RULES[field.kind].form;
  throw syntaxError(text, token, `${name} ${answer.refused}`, `Write ${form}.`);
}

/** Holds where the other test does not. */
export const opposite =
  (test: Test): Test =>
  (row) =>
    !test(row);

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '~' | '!~' | '~~' | '!~~';

export interface Token {
  /** A `literal` is a number, date, relative time or GUID without quotes. */
  readonly type: 'word' | 'text' | 'literal' | 'operator' | 'sign' | 'end' | 'unknown';
  /** The source text. */
  readonly raw: string;
  /** The value: a text without its quotes. */
  readonly value: string;
  readonly start: number;
}

const TOKEN = new RegExp(
  [
    /(?<text>'(?:[^']|'')*')/,
    /(?<literal>(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?|[+-]?\d+(?:min|h|d|w|mo?|y)|[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)(?![\w.-]))/,
    /(?<operator>!=|<=|>=|!~~|!~|~~|[=<>~])/,
    /(?<sign>[(),])/,
    /(?<word>[a-z_][\w.]*)/,
    /(?<unknown>['"&|=].*|[^\s(),'=<>~!]+|.)/,
  ]
    .map((part) => part.source)
    .join('|'),
  'isuy',
);

/** Splits a filter into tokens; the last one is its end. */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  for (let at = skip(text, 0); at < text.length; ) {
    const token = next(text, at);
    found.push(token);
    at = skip(text, at + token.raw.length);
  }
  return [...found, { type: 'end', raw: '', value: '', start: text.length }];
}

function next(text: string, start: number): Token {
  TOKEN.lastIndex = start;
  const groups = TOKEN.exec(text)?.groups ?? {};
  const [type, raw] = Object.entries(groups).find(([, part]) => part !== undefined) ?? ['unknown', text.slice(start)];
  const value = type === 'text' ? raw.slice(1, -1).replaceAll("''", "'") : raw;
  return { type: type as Token['type'], raw, value, start };
}

function skip(text: string, at: number): number {
  let place = at;
  while (/\s/.test(text.charAt(place))) place++;
  return place;
}

/** The error for one token: says what is wrong, shows the filter, and underlines the token in the line below. */
export function syntaxError(text: string, token: Token, why: string, hint: string): ServiceError {
  const before = widthOf(sanitise(text.slice(0, token.start)));
  const mark = '^'.repeat(Math.max(1, widthOf(sanitise(token.raw))));
  return new ServiceError('usage', `filter: ${sanitise(why)}\n  ${sanitise(text)}\n  ${' '.repeat(before)}${mark}`, {
    hint,
  });
}
