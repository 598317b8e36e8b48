// Single conditions of a filter, typed by the field they look at.
import type { Field } from '../../contract/field.ts';
import { RULES } from '../../contract/kinds.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { checkText } from '../../contract/validate.ts';
import type { Zone } from '../../contract/zone.ts';
import { compareKeys, type Key, keyOf } from './key.ts';
import { relativeTime } from './relative-time.ts';
import { type Operator, type Token, wrong } from './where-token.ts';

export type Test = (row: Row) => boolean;

/** The field of a condition, with what reading its values needs. */
export interface Column {
  readonly name: string;
  readonly field: Field;
  /** The whole filter, to show in errors. */
  readonly text: string;
  readonly now: Date;
  readonly zone: Zone | undefined;
}

const ORDERS: Readonly<Record<'<' | '<=' | '>' | '>=', (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** A comparison with null holds for nothing; `!=` and `!~` are exactly what `=` and `~` are not. */
export function comparison(column: Column, operator: Operator, token: Token): Test {
  switch (operator) {
    case '=':
      return membership(column, [token]);
    case '!=':
      return opposite(membership(column, [token]));
    case '~':
      return matching(column, token);
    case '!~':
      return opposite(matching(column, token));
    default:
      return ordering(column, ORDERS[operator], token);
  }
}

/** Is the value one of these? */
export function membership({ name, field, ...rest }: Column, list: readonly Token[]): Test {
  const keys = new Set(list.map((token) => keyFrom({ name, field, ...rest }, token)));
  return (row) => keys.has(keyOf(field, row[name]));
}

export const isNull =
  ({ name }: Column): Test =>
  (row) =>
    (row[name] ?? null) === null;

function ordering(column: Column, holds: (order: number) => boolean, token: Token): Test {
  const { name, field } = column;
  const wanted = keyFrom(column, token);
  if (wanted === null) throw wrong(column.text, token, 'nothing is more or less than null', `Write ${name} is null.`);
  return (row) => {
    const key = keyOf(field, row[name]);
    return key !== null && holds(compareKeys(key, wanted));
  };
}

function matching({ name, text }: Column, token: Token): Test {
  const pattern = expression(text, token);
  return (row) => {
    const value = row[name] ?? null;
    return value !== null && pattern.test(String(value));
  };
}

function expression(text: string, token: Token): RegExp {
  if (token.type !== 'text')
    throw wrong(text, token, `${token.raw} is no regular expression`, "Write it in single quotes: '^Mc'.");
  try {
    return new RegExp(token.value, 'iu');
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, '') : String(error);
    throw wrong(
      text,
      token,
      `${token.raw} is no regular expression: ${why}`,
      'Put a backslash in front of signs that are meant as they are.',
    );
  }
}

function keyFrom(column: Column, token: Token): Key {
  const { field } = column;
  if (token.type === 'word' && /^null$/i.test(token.raw)) return null;
  if (isTime(field)) {
    const moment = relativeTime(token.value, column.now);
    if (moment) return keyOf(field, column.zone ? column.zone.shift(moment) : moment);
  }
  return keyOf(field, valueFrom(column, token));
}

const isTime = (field: Field): boolean => field.kind === 'date' || field.kind === 'stamp' || field.kind === 'day';

/** A value of the field's kind; a number that has words may be named by its word. */
function valueFrom({ name, field, text, zone }: Column, token: Token): Value {
  if (field.kind === 'text' || field.kind === 'bytes') return token.value;
  const named = Object.entries(field.choices ?? {}).find(
    ([, word]) => word.toLowerCase() === token.value.toLowerCase(),
  );
  if (named) return Number(named[0]);
  const answer = checkText({ kind: field.kind, rule: field.rule }, token.value, zone);
  if ('value' in answer) return answer.value;
  const form = isTime(field) ? 'a date such as 2026-03-31, or a time from now such as -30d' : RULES[field.kind].form;
  throw wrong(text, token, `${name} ${answer.refused}`, `Write ${form}.`);
}

const opposite =
  (test: Test): Test =>
  (row) =>
    !test(row);
