// The words and signs of a filter, each with its place, so that a wrong one can be underlined.
import { ServiceError } from '../../contract/errors.ts';
import { sanitise } from '../../text/escape.ts';
import { widthOf } from '../../text/width.ts';

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '~' | '!~';

export interface Token {
  /** A `literal` is a number, date, relative time or GUID that stands without quotes. */
  readonly type: 'word' | 'text' | 'literal' | 'operator' | 'sign' | 'end' | 'unknown';
  /** As it is written. */
  readonly raw: string;
  /** What it says: a text without its quotes. */
  readonly value: string;
  readonly start: number;
}

const TOKEN = new RegExp(
  [
    /(?<text>'(?:[^']|'')*')/,
    /(?<literal>(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?|[+-]?\d+[hdwmy]|[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)(?![\w.-]))/,
    /(?<operator>!=|<=|>=|!~|[=<>~])/,
    /(?<sign>[(),])/,
    /(?<word>[a-z_][\w.]*)/,
    /(?<unknown>['"&|=].*|[^\s(),'=<>~!]+|.)/,
  ]
    .map((part) => part.source)
    .join('|'),
  'isuy',
);

/** Takes a filter apart; the last token is always its end. */
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
export function wrong(text: string, token: Token, why: string, hint: string): ServiceError {
  const before = widthOf(sanitise(text.slice(0, token.start)));
  const mark = '^'.repeat(Math.max(1, widthOf(sanitise(token.raw))));
  return new ServiceError('usage', `--where: ${sanitise(why)}\n  ${sanitise(text)}\n  ${' '.repeat(before)}${mark}`, {
    hint,
  });
}
