// Reads records of JSON strictly, so that nothing in them is lost without a message: a list, or NDJSON with one on each line.
import { type ArraySplitter, arraySplitter, type Misplaced } from '../../text/json-array.ts';
import { type FaultList, ReadingStopped, shownValue } from './bad-file.ts';
import { type Batches, type Cell, type FileRow, MOST_IN_CELL, MOST_IN_RECORD } from './input.ts';
import { EMPTY, overlong } from './table.ts';

/**
 * The row in the text of one JSON object that begins on that line; undefined where it has faults, which go to the list:
 * no JSON, no object, a member given twice at any depth, a cell over 1 MiB.
 */
function jsonRow(text: string, line: number, faults: FaultList): FileRow | undefined {
  const before = faults.total;
  const nested: string[] = [];
  const members = membersOf(text, line, faults, nested);
  if (!members) return undefined;
  for (const [name, cell] of members)
    if (typeof cell === 'string' && cell.length > MOST_IN_CELL) faults.add(overlong(line, name, cell));
  if (faults.total > before) return undefined;
  const row = { line, names: [...members.keys()], cells: [...members.values()] };
  return nested.length > 0 ? { ...row, nested } : row;
}

type Members = ReadonlyMap<string, Cell>;

/** The names of arrays and objects are added to `nested`. */
function membersOf(text: string, line: number, faults: FaultList, nested: string[]): Members | undefined {
  const value = parsed(text, line, faults);
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.add({ line, value: shownValue(text), message: 'is no object', hint: 'Each record is written {"Name": …}.' });
    return undefined;
  }
  for (const [name, its] of Object.entries(value)) if (typeof its === 'object' && its !== null) nested.push(name);
  // A text that is written again as it was read holds no member twice, and no number that JavaScript cannot hold.
  if (text === rewritten(value)) return new Map(Object.entries(value).map(([name, its]) => [name, cellOf(its)]));
  return strictMembers(text, line, faults);
}

function parsed(text: string, line: number, faults: FaultList): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    faults.add(noJson(text, line, error));
    return undefined;
  }
}

function noJson(text: string, line: number, error: unknown) {
  const reason = error instanceof Error ? error.message : '';
  const at = Number(/position (\d+)/.exec(reason)?.[1] ?? (/end of JSON/.test(reason) ? text.length : Number.NaN));
  if (Number.isNaN(at)) return { line, value: shownValue(text), message: 'is not well-formed JSON' };
  const rows = text.slice(0, at).split('\n');
  const value = shownValue(text.slice(Math.max(0, at - 20), at + 20));
  return {
    line: line + rows.length - 1,
    value,
    message: `is not well-formed JSON at character ${(rows.at(-1)?.length ?? 0) + 1}`,
  };
}

function rewritten(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Deeper than the stack; the strict reading takes it member by member.
    return undefined;
  }
}

const cellOf = (value: unknown): Cell =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell);

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Walks over well-formed JSON word by word. Texts of arrays and objects stay as they are, without their blanks. */
function strictMembers(text: string, line: number, faults: FaultList): Members {
  const members = new Map<string, Cell>();
  const open: (Set<string> | undefined)[] = [];
  let before = '';
  let name = '';
  let value: string[] = [];
  const finish = (): void => {
    if (value.length > 0) members.set(name, plainCell(value));
    value = [];
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const names = open.at(-1);
    const isName = names && token[0] === '"' && (before === '{' || before === ',');
    if (isName) {
      const said = String(JSON.parse(token));
      if (names.has(said)) faults.add(twice(said, line + text.slice(0, index).split('\n').length - 1));
      names.add(said);
      if (open.length === 1) name = said;
    }
    if (token === '}' || token === ']') open.pop();
    if (open.length === 0 || (open.length === 1 && token === ',')) finish();
    else if (open.length > 1 || (!isName && token !== ':') || token === '}' || token === ']') value.push(token);
    if (token === '{' || token === '[') {
      if (open.length === 1) value = [token];
      open.push(token === '{' ? new Set() : undefined);
    }
    before = token;
  }
  return members;
}

const twice = (column: string, line: number) => ({
  line,
  column,
  message: 'is given twice in one record',
  hint: 'Delete one of the two.',
});

function plainCell(tokens: readonly string[]): Cell {
  const [token = '', more] = tokens;
  if (more !== undefined) return tokens.join('');
  if (/^[-\d]/.test(token)) return String(Number(token)) === token ? Number(token) : token;
  return JSON.parse(token) as string | boolean | null;
}

/** The rows of a file with a record on each line. */
export async function* ndjsonRows(texts: AsyncIterable<string>, faults: FaultList): Batches<FileRow> {
  let line = 0;
  let count = 0;
  const rowsOf = (lines: readonly string[]): FileRow[] =>
    lines.flatMap((text) => {
      line++;
      if (text.trim() === '') return [];
      count++;
      return jsonRow(text.trim(), line, faults) ?? [];
    });
  let waiting: string[] = [];
  let size = 0;
  for await (const text of texts) {
    const [first = '', ...lines] = text.split('\n');
    waiting.push(first);
    size += first.length;
    if (size > MOST_IN_RECORD) throw tooLong(line + 1, waiting[0] ?? '', faults);
    if (lines.length === 0) continue;
    const last = lines.pop() ?? '';
    const rows = rowsOf([waiting.join(''), ...lines]);
    waiting = [last];
    size = last.length;
    if (rows.length > 0) yield rows;
  }
  const rows = rowsOf([waiting.join('')]);
  if (rows.length > 0) yield rows;
  if (count === 0) faults.add(EMPTY);
}

function tooLong(line: number, text: string, faults: FaultList): ReadingStopped {
  faults.add({
    line,
    value: shownValue(text),
    message: 'is longer than 8 MiB; what follows in the file was not looked at',
  });
  return new ReadingStopped();
}

/** What is wrong with a sign, and what to do about it. */
const WRONG: Readonly<Record<Misplaced, { readonly message: string; readonly hint?: string }>> = {
  front: { message: 'holds no records', hint: 'JSON must be an array of objects, or one: [{"Name": "…"}, …].' },
  element: { message: 'has a comma with no record beside it' },
  comma: { message: 'stands behind a record without a comma between them' },
  behind: { message: 'goes on behind the end of the list' },
};
const cutOff = (what: string) => ({
  message: `is where the ${what} is missing: the file is cut off`,
  hint: 'Export it again.',
});

/** The rows of a JSON array of objects, or of one object. Anything else goes to the faults. */
export async function* jsonListRows(texts: AsyncIterable<string>, faults: FaultList): Batches<FileRow> {
  const stop = (value: string, line: number, fault: { readonly message: string }): never => {
    faults.add({ line, value: shownValue(value), ...fault });
    throw new ReadingStopped();
  };
  const splitter = arraySplitter((where, sign, line) => stop(sign, line, WRONG[where]));
  let count = 0;
  let isSingle: boolean | undefined;
  for await (const text of texts) {
    isSingle ??= text.trim() === '' ? undefined : text.trimStart().startsWith('{');
    const elements = splitter.push(text);
    if (splitter.waiting.length > MOST_IN_RECORD)
      stop(splitter.waiting, splitter.line, { message: 'is in a record of more than 8 MiB' });
    count += elements.length;
    const rows = elements.flatMap((one) => jsonRow(one.text, one.line, faults) ?? []);
    const list = isSingle ? rows.flatMap(listsIn)[0] : undefined;
    if (list !== undefined) faults.add({ line: 1, column: list, ...WRAPPED });
    else if (rows.length > 0) yield rows;
  }
  checkWhole(splitter, count, faults);
}

/** The members of a row that are lists of records: none has a field for one. */
const listsIn = ({ names, cells, nested = [] }: FileRow): readonly string[] =>
  names.filter((name, at) => nested.includes(name) && String(cells[at]).startsWith('[{'));

const WRAPPED = { message: 'holds a list, not one value of a record', hint: 'Write that list alone into the file.' };

function checkWhole({ state, line }: ArraySplitter, count: number, faults: FaultList): void {
  if (state === 'front') faults.add(EMPTY);
  else if (state !== 'done')
    faults.add({ line, ...cutOff(state === 'open' ? 'closing ] of the list' : 'closing } of the record') });
  else if (count === 0) faults.add({ line: 1, message: 'is a list without a record' });
}
