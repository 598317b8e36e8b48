// Cuts a JSON array into the texts of its records while it arrives, so that no file is too long.
import { type FaultList, ReadingStopped, shownValue } from './bad-file.ts';
import { type Batches, type FileRow, MOST_IN_RECORD } from './input.ts';
import { jsonRow } from './json.ts';
import { EMPTY } from './table.ts';

/** The rows of a JSON array of objects. What is no such array goes to the faults. */
export async function* jsonListRows(texts: AsyncIterable<string>, faults: FaultList): Batches<FileRow> {
  const splitter = listSplitter(faults);
  let count = 0;
  for await (const text of texts) {
    const elements = splitter.push(text);
    count += elements.length;
    const rows = elements.flatMap((one) => jsonRow(one.text, one.line, faults) ?? []);
    if (rows.length > 0) yield rows;
  }
  if (splitter.isWhole() && count === 0) faults.add({ line: 1, message: 'is a list without a record' });
}

interface Element {
  readonly text: string;
  readonly line: number;
}

type State = 'start' | 'first' | 'element' | 'done';

/** Finds where the elements of one array begin and end. */
function listSplitter(faults: FaultList) {
  let state: State = 'start';
  let line = 1;
  let begin = 1;
  let depth = 0;
  let inText = false;
  let escaped = false;
  let waiting = '';

  const stop = (message: string, value = '', hint?: string): never => {
    faults.add({
      line,
      ...(value !== '' && { value: shownValue(value) }),
      message,
      ...(hint !== undefined && { hint }),
    });
    throw new ReadingStopped();
  };

  /** Between elements, and around the list. Answers whether an element begins here. */
  const between = (sign: string): boolean => {
    if (state === 'done') return stop('goes on behind the end of the list', sign);
    if (state === 'start') {
      if (sign !== '[') stop('holds no list of records', sign, 'JSON must be an array of objects: [{"Name": "…"}, …].');
      state = 'first';
      return false;
    }
    if (sign === ']' && state === 'first') {
      state = 'done';
      return false;
    }
    if (sign === ',' || sign === ']') stop('has a comma with no record beside it', sign);
    begin = line;
    return true;
  };

  /** Inside an element: is this the sign behind its end? */
  const ends = (sign: string): boolean => {
    if (inText) {
      if (escaped) escaped = false;
      else if (sign === '\\') escaped = true;
      else if (sign === '"') inText = false;
      return false;
    }
    if (sign === '"') inText = true;
    else if (sign === '{' || sign === '[') depth++;
    else if (depth === 0 && (sign === ',' || sign === ']')) return true;
    else if (sign === '}' || sign === ']') depth--;
    return false;
  };

  return {
    /** Takes the next piece; answers the elements that it completes. */
    push(text: string): Element[] {
      const elements: Element[] = [];
      let start = waiting === '' ? -1 : 0;
      for (let at = 0; at < text.length; at++) {
        const sign = text[at] ?? '';
        if (sign === '\n') line++;
        if (start < 0) {
          if (sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t' || !between(sign)) continue;
          start = at;
        }
        if (!ends(sign)) continue;
        elements.push({ text: (waiting + text.slice(start, at)).trimEnd(), line: begin });
        waiting = '';
        start = -1;
        state = sign === ']' ? 'done' : 'element';
      }
      if (start >= 0) waiting += text.slice(start);
      if (waiting.length > MOST_IN_RECORD) stop('is in a record of more than 8 MiB', waiting);
      return elements;
    },
    /** Was that the end of the list? If not, there is a fault more. */
    isWhole(): boolean {
      if (state === 'start') faults.add(EMPTY);
      else if (state !== 'done') faults.add({ line, ...CUT });
      return state === 'done';
    },
  };
}

const CUT = { message: 'is where the list is cut off: its closing ] is missing', hint: 'Export it again.' };
