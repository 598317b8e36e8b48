// Parses JSON strictly: refuses values that `JSON.parse` would change or lose.
import { type Fault, invalid } from '../contract/errors.ts';
import { quote } from '../contract/kinds.ts';
import { isBlank } from '../text/json-array.ts';
import { withoutTrailing } from '../text/trailing.ts';
import { malformed, meter } from './gate.ts';

const NUMBER = /-?[0-9][0-9.eE+-]*/y;
const PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const LONE_SURROGATE = /\p{Cs}/u;
/** The most characters of one number. The smallest doubles, written without an exponent, have about 330. */
const MAX_NUMBER_LENGTH = 400;

/**
 * Throws `invalid` for too much depth, too many values or names, duplicate names, lone surrogates, and numbers that
 * would lose digits. It does not check the syntax: the parser does, afterwards.
 */
function scanJson(text: string): void {
  const values = meter();
  // Names have a limit of their own: `{"a":,"b":` has no values, and is refused only by the parser, after the scan.
  const nameCount = meter();
  /** For each object or array that is open here: the names of the object so far; undefined for an array. */
  const openNames: (Set<string> | undefined)[] = [];
  const faults: Fault[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      const value = readString(text.slice(at, end));
      const isName = isBeforeColon(text, end);
      (isName ? nameCount : values).count();
      if (isName) checkName(openNames.at(-1), value, faults);
      at = end;
    } else if (char === '{' || char === '[') {
      values.enter();
      values.count();
      openNames.push(char === '{' ? new Set() : undefined);
      at++;
    } else if (char === '}' || char === ']') {
      values.leave();
      openNames.pop();
      at++;
    } else {
      at = skipPlain(text, at, values.count);
    }
  }
  if (faults.length > 0) throw invalid('the body', faults);
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  throw malformed('the JSON is not well-formed: a text has no end');
}

/** The value of a string in quotes. One without escapes holds no lone surrogate: it was decoded from UTF-8. */
function readString(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  const value = parseJson(token);
  if (typeof value !== 'string') return '';
  if (LONE_SURROGATE.test(value))
    throw malformed(`the text ${quote(value)} holds half a character: a surrogate without its pair`);
  return value;
}

const isBeforeColon = (text: string, at: number): boolean => {
  let next = at;
  while (isBlank(text.charCodeAt(next))) next++;
  return text[next] === ':';
};

function checkName(names: Set<string> | undefined, name: string, faults: Fault[]): void {
  if (names?.has(name)) faults.push({ field: name, code: 'unknown_member', message: 'is given twice' });
  if (name === '__proto__') faults.push({ field: name, code: 'unknown_member', message: 'cannot be a member' });
  names?.add(name);
}

/**
 * Skips a number, or one character of anything else; returns the index after it. `true`, `false` and `null` are counted
 * at their first letter.
 */
function skipPlain(text: string, at: number, count: () => void): number {
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0];
  if (number === undefined) {
    if (text[at] === 't' || text[at] === 'f' || text[at] === 'n') count();
    return at + 1;
  }
  count();
  if (number.length > MAX_NUMBER_LENGTH || (PARTS.test(number) && !keepsValue(number)))
    throw malformed(`${quoteNumber(number)} is more than a number can hold`);
  return at + number.length;
}

const quoteNumber = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Does this number keep its value as a double? One of more than 400 characters is taken not to. */
export function keepsValue(text: string): boolean {
  if (text.length > MAX_NUMBER_LENGTH) return false;
  const value = Number(text);
  return Number.isFinite(value) && normalized(text) === normalized(String(value));
}

/** One spelling for each value: the digits without leading and trailing zeros, and the exponent of the last digit. */
function normalized(text: string): string {
  const [, whole = '', fraction = '', power = '0'] = PARTS.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutTrailing(digits, '0');
  if (significant === '') return '0';
  return `${significant}e${Number(power) - fraction.length + digits.length - significant.length}`;
}

/** `JSON.parse`, which throws `invalid` with this message and the place of the fault. */
export function parseJson(text: string, message = 'the JSON is not well-formed'): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(`${message}${whereStopped(text, cause)}`, cause);
  }
}

/** Where the parser stopped: it names a position, or only the character. Nothing of the text is repeated. */
function whereStopped(text: string, cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : '';
  const [, token] = /^Unexpected token '(.)'/u.exec(reason) ?? [];
  if (token !== undefined) return `: ${quote(token)} stands where no value can`;
  const at = Number(/position (\d+)/.exec(reason)?.[1] ?? (/end of JSON/.test(reason) ? text.length : Number.NaN));
  if (Number.isNaN(at)) return '';
  const lines = text.slice(0, at).split('\n');
  return ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** Scans the text, then parses it. Throws `invalid`. */
export function parseStrictly(text: string): unknown {
  scanJson(text);
  return parseJson(text);
}
