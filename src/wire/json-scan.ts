// Parses JSON strictly: refuses what `JSON.parse` accepts but changes or loses.
import { type Fault, invalid } from '../contract/errors.ts';
import { quote } from '../contract/kinds.ts';
import { malformed, meter } from './gate.ts';

const NUMBER = /-?[0-9][0-9.eE+-]*/y;
const PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const LONE_SURROGATE = /\p{Cs}/u;
/** The most characters of one number. The longest that keeps its value has about 330. */
const MAX_NUMBER_LENGTH = 400;

/**
 * Throws `invalid` for too much depth or too many values, duplicate names, lone surrogates, and numbers that would lose
 * digits. The parser checks the syntax afterwards.
 */
function scanJson(text: string): void {
  const values = meter();
  // Names are counted too: the parser refuses names without values only later.
  const nameCount = meter();
  const names: (Set<string> | undefined)[] = [];
  const faults: Fault[] = [];
  for (let at = 0; at < text.length; ) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      const value = readString(text.slice(at, end));
      const named = isName(text, end);
      (named ? nameCount : values).count();
      if (named) checkName(names.at(-1), value, faults);
      at = end;
    } else if (sign === '{' || sign === '[') {
      values.enter();
      values.count();
      names.push(sign === '{' ? new Set() : undefined);
      at++;
    } else if (sign === '}' || sign === ']') {
      values.leave();
      names.pop();
      at++;
    } else {
      at = skipPlain(text, at, values.count);
    }
  }
  if (faults.length > 0) throw invalid('the body', faults);
}

/** The index after the string that begins here. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  throw malformed('the JSON is not well-formed: a text has no end');
}

function readString(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  const value = parseJson(token);
  if (typeof value !== 'string') return '';
  if (LONE_SURROGATE.test(value))
    throw malformed(`the text ${quote(value)} holds half a character: a surrogate without its pair`);
  return value;
}

const isName = (text: string, at: number): boolean => {
  let next = at;
  while (isBlank(text.charCodeAt(next))) next++;
  return text[next] === ':';
};

/** A blank of JSON, and of XML. */
export const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function checkName(names: Set<string> | undefined, name: string, faults: Fault[]): void {
  if (names?.has(name)) faults.push({ field: name, code: 'unknown_member', message: 'is given twice' });
  if (name === '__proto__') faults.push({ field: name, code: 'unknown_member', message: 'is no member of anything' });
  names?.add(name);
}

/** Skips a number, a word, a blank or a sign; returns the index after it. */
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

/** Does this number keep its value as a double? No number of more than 400 characters does. */
export function keepsValue(text: string): boolean {
  if (text.length > MAX_NUMBER_LENGTH) return false;
  const value = Number(text);
  return Number.isFinite(value) && normalized(text) === normalized(String(value));
}

/** Digits without leading and trailing zeros, and the exponent of the last one. */
function normalized(text: string): string {
  const [, whole = '', fraction = '', power = '0'] = PARTS.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  if (bare === '') return '0';
  return `${bare}e${Number(power) - fraction.length + digits.length - bare.length}`;
}

/** Throws `invalid` with this message. */
export function parseJson(text: string, message = 'the JSON is not well-formed'): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(message, cause);
  }
}

/** Throws `invalid`. */
export function parseStrictly(text: string): unknown {
  scanJson(text);
  return parseJson(text);
}
