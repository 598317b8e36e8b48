// A strict look at a JSON text before it is parsed: what `JSON.parse` would take without a word and lose.
import { type Fault, invalid } from '../contract/errors.ts';
import { quote } from '../contract/kinds.ts';
import { malformed, meter } from './gate.ts';

const NUMBER = /-?[0-9][0-9.eE+-]*/y;
const PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const LONE_SURROGATE = /\p{Cs}/u;
/** The most characters of one number. The longest that comes back as it was written has about 330. */
const MAX_NUMBER_LENGTH = 400;

/**
 * Throws `invalid` where the text is too deep or large, gives a member twice, holds half a surrogate pair, or a number
 * that would not come back as it was written. Whether the text is JSON at all is left to the parser behind it.
 */
function scanJson(text: string): void {
  const gauge = meter();
  // A name without a value is no JSON, but that is found out only behind the scan.
  const nameGauge = meter();
  const names: (Set<string> | undefined)[] = [];
  const faults: Fault[] = [];
  for (let at = 0; at < text.length; ) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      const value = readString(text.slice(at, end));
      const named = isName(text, end);
      (named ? nameGauge : gauge).count();
      if (named) checkName(names.at(-1), value, faults);
      at = end;
    } else if (sign === '{' || sign === '[') {
      gauge.enter();
      gauge.count();
      names.push(sign === '{' ? new Set() : undefined);
      at++;
    } else if (sign === '}' || sign === ']') {
      gauge.leave();
      names.pop();
      at++;
    } else {
      at = skipPlain(text, at, gauge.count);
    }
  }
  if (faults.length > 0) throw invalid('the body', faults);
}

/** The index behind the string that begins here. */
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
  const value = parse(token);
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

/** Passes a number, a word, a blank or a sign; answers where the next one begins. */
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

/** Is this number, read and written again, still the same one? One of more than 400 characters is not looked at. */
export function keepsValue(text: string): boolean {
  if (text.length > MAX_NUMBER_LENGTH) return false;
  const value = Number(text);
  return Number.isFinite(value) && normalized(text) === normalized(String(value));
}

/** Digits without the noughts around them, and the power of ten of the last one. */
function normalized(text: string): string {
  const [, whole = '', fraction = '', power = '0'] = PARTS.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  if (bare === '') return '0';
  return `${bare}e${Number(power) - fraction.length + digits.length - bare.length}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed('the JSON is not well-formed', cause);
  }
}

/** Parses a text that passed the scan. Throws `invalid`. */
export function parseStrictly(text: string): unknown {
  scanJson(text);
  return parse(text);
}
