// Finds where the records of a JSON array end, while the text arrives in pieces.
import { malformed } from './gate.ts';

export interface JsonSplitter {
  /** Takes the next piece; answers the texts of the records that it completes. */
  push(text: string): readonly string[];
  /** The whole text, where it was no array; undefined where all was handed over. Throws `invalid` for a cut array. */
  end(): string | undefined;
}

type State = 'start' | 'first' | 'item' | 'comma' | 'done' | 'whole';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);

/** A splitter for one text. What is no array is gathered whole: a single object, or a wrapper. */
export function jsonSplitter(): JsonSplitter {
  let state: State = 'start';
  let waiting = '';
  let depth = 0;
  let quoted = false;
  let escaped = false;

  /** Is the record at its end behind this character? */
  const step = (code: number): boolean => {
    if (quoted) {
      if (escaped) escaped = false;
      else if (code === BACKSLASH) escaped = true;
      else if (code === QUOTE) quoted = false;
      return false;
    }
    if (code === QUOTE) quoted = true;
    else if (OPEN.has(code)) depth++;
    else if (CLOSE.has(code)) return --depth === 0;
    return false;
  };

  /** What stands between records: blanks, commas and the brackets of the array. */
  const between = (sign: string): void => {
    if (/[ \t\r\n]/.test(sign)) return;
    if (state === 'start') state = sign === '[' ? 'first' : 'whole';
    else if (sign === ']' && (state === 'first' || state === 'comma')) state = 'done';
    else if (sign === ',' && state === 'comma') state = 'item';
    else throw malformed(`the answer is not well-formed JSON: ${JSON.stringify(sign)} between its records`);
  };

  const split = (text: string): string[] => {
    const records: string[] = [];
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (depth > 0) {
        if (!step(code)) continue;
        records.push(waiting + text.slice(start, at + 1));
        waiting = '';
        state = 'comma';
      } else if (code === 0x7b && (state === 'first' || state === 'item')) {
        depth = 1;
        start = at;
      } else {
        between(text[at] ?? '');
        if (state === 'whole') {
          waiting = text.slice(at);
          return records;
        }
      }
    }
    if (depth > 0) waiting += text.slice(start);
    return records;
  };

  return {
    push(text) {
      if (state !== 'whole') return split(text);
      waiting += text;
      return [];
    },
    end() {
      if (state === 'whole') return waiting;
      if (state === 'done') return undefined;
      throw malformed(state === 'start' ? 'the answer is empty' : 'the answer is cut off: its list has no end');
    },
  };
}
