// Cuts a JSON array into the texts of its elements while it arrives: no list is too long. A single object is one element.

interface Element {
  /** Without the blanks around it. Whether it is well-formed is for the reader of it to say. */
  readonly text: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

/**
 * Where a sign stands that cannot stand there: in front of the array, in place of an element, behind an element where a
 * comma is missing, or behind the array.
 */
export type Misplaced = 'front' | 'element' | 'comma' | 'behind';

export interface ArraySplitter {
  /** Takes the next piece; answers the elements that it completes: an object or a list with its last sign. */
  push(text: string): readonly Element[];
  /** `front`: nothing but blanks has come. `open`: the end of the array is missing. `single`: that of an object. */
  readonly state: 'front' | 'open' | 'single' | 'done';
  /** The line that was reached. */
  readonly line: number;
  /** The beginning of an element that is not complete; of a list in an object, what stands behind it. */
  readonly waiting: string;
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Is it white space? JSON and XML have the same four characters. */
export const isBlank = (code: number): boolean => code === 0x20 || code === LINE_FEED || code === 0x0d || code === 0x09;

/** Follows the signs of one element: does it end with this sign, or in front of it? */
function elementEnd(): (code: number) => 'with' | 'before' | undefined {
  let depth = 0;
  let quoted = false;
  let escaped = false;
  return (code) => {
    if (quoted) {
      if (escaped) escaped = false;
      else if (code === BACKSLASH) escaped = true;
      else if (code === QUOTE) quoted = false;
      return undefined;
    }
    if (code === QUOTE) quoted = true;
    else if (code === OBJECT || code === ARRAY) depth++;
    else if (depth === 0) return code === COMMA || code === ARRAY_END ? 'before' : undefined;
    else if (code === OBJECT_END || code === ARRAY_END) return --depth === 0 ? 'with' : undefined;
    return undefined;
  };
}

/** Follows the signs between elements and around the array. */
function arrayFrame(misplaced: (where: Misplaced, sign: string, line: number) => never) {
  let state: ArraySplitter['state'] = 'front';
  /** Next comes the first element or the end, an element, or a comma or the end. */
  let next: 'first' | 'element' | 'comma' = 'first';
  return {
    get state() {
      return state;
    },
    /** Does an element begin with this sign? */
    begins(code: number, line: number): boolean {
      const wrong = (where: Misplaced): never => misplaced(where, String.fromCharCode(code), line);
      if (state === 'done') return wrong('behind');
      if (state === 'front') {
        if (code !== ARRAY && code !== OBJECT) return wrong('front');
        state = code === ARRAY ? 'open' : 'single';
        return code === OBJECT;
      }
      if (code === ARRAY_END && next !== 'element') {
        state = 'done';
        return false;
      }
      if (next === 'comma') {
        if (code !== COMMA) return wrong('comma');
        next = 'element';
        return false;
      }
      return code === COMMA || code === ARRAY_END ? wrong('element') : true;
    },
    elementEnded(): void {
      if (state === 'single') state = 'done';
      next = 'comma';
    },
  };
}

/**
 * A splitter for one array. `misplaced` throws: it is handed the sign, and the line on which it stands. `inObject`: the line on
 * which an array in an object begins; what stands behind it is not looked at.
 */
export function arraySplitter(
  misplaced: (where: Misplaced, sign: string, line: number) => never,
  inObject?: number,
): ArraySplitter {
  const frame = arrayFrame(misplaced);
  const endOf = elementEnd();
  let line = inObject ?? 1;
  let begin = 1;
  let waiting = '';
  const push = (text: string): readonly Element[] => {
    const elements: Element[] = [];
    let start = waiting === '' ? -1 : 0;
    for (let at = 0; at < text.length; at++) {
      if (inObject !== undefined && frame.state === 'done') {
        start = at;
        break;
      }
      const code = text.charCodeAt(at);
      if (code === LINE_FEED) line++;
      if (start < 0) {
        if (isBlank(code) || !frame.begins(code, line)) continue;
        begin = line;
        start = at;
      }
      const end = endOf(code);
      if (!end) continue;
      elements.push({ text: (waiting + text.slice(start, end === 'with' ? at + 1 : at)).trimEnd(), line: begin });
      waiting = '';
      start = -1;
      frame.elementEnded();
      if (end === 'before') frame.begins(code, line);
    }
    if (start >= 0) waiting += text.slice(start);
    return elements;
  };
  return {
    push,
    get state() {
      return frame.state;
    },
    get line() {
      return line;
    },
    get waiting() {
      return waiting;
    },
  };
}
