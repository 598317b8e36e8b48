// Reads records of JSON strictly, so that nothing in them is lost without a message: a list, or NDJSON with one on each line.

import { type ArraySplitter, arraySplitter, type Misplaced } from '../../text/json-array.ts';
import { counted } from '../../text/thousands.ts';
import { type FaultList, ReadingStopped, shownValue, wholeFault } from './bad-file.ts';
import { type Batches, type Cell, type FileRow, MOST_IN_CELL, MOST_IN_RECORD, type OpenOptions } from './input.ts';
import { EMPTY, overlong } from './table.ts';

/**
 * The row in the text of one JSON object that begins on that line; undefined if it has faults, which go to the list:
 * no JSON, no object, a member given twice at any depth, a cell over 1 MiB.
 */
function jsonRow(text: string, line: number, faults: FaultList): FileRow | undefined {
  const before = faults.total;
  const nested = new Set<string>();
  const members = membersOf(text, line, faults, nested);
  if (!members || faults.total > before) return undefined;
  const row = flatRow(line, members, nested, faults);
  return faults.total > before ? undefined : row;
}

/** How deep the members of objects are columns: `manager.name.last`. What is deeper stays in one cell. */
const DEEPEST = 4;

/** A row of these members, and of those of its objects: `name.givenName`. Those of an extension (`urn:…`) are the record's own. */
export function flatRow(line: number, members: Members, nested: ReadonlySet<string>, faults: FaultList): FileRow {
  for (const [name, cell] of members)
    if (typeof cell === 'string' && cell.length > MOST_IN_CELL) faults.add(overlong(line, name, cell));
  if (nested.size === 0) return { line, names: [...members.keys()], cells: [...members.values()] };
  const row = { line, names: [] as string[], cells: [] as Cell[], nested: [] as string[] };
  const put = (name: string, cell: Cell, isNested: boolean, depth: number): void => {
    if (isNested && depth < DEEPEST && /^\{./.test(String(cell)) && cell !== '{}') {
      const inner = new Set<string>();
      for (const [key, value] of membersOf(String(cell), line, faults, inner) ?? [])
        put(/^urn:/i.test(name) && !members.has(key) ? key : `${name}.${key}`, value, inner.has(key), depth + 1);
      return;
    }
    row.names.push(name);
    row.cells.push(cell);
    if (isNested) row.nested.push(name);
  };
  for (const [name, cell] of members) put(name, cell, nested.has(name), 1);
  return row;
}

type Members = ReadonlyMap<string, Cell>;

/** The names of arrays and objects are added to `nested`. */
function membersOf(text: string, line: number, faults: FaultList, nested: Set<string>): Members | undefined {
  const value = parsed(text, line, faults);
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.add({ line, value: shownValue(text), message: 'is not an object', hint: 'Write a record as {"Name": …}.' });
    return undefined;
  }
  for (const [name, its] of Object.entries(value)) if (typeof its === 'object' && its !== null) nested.add(name);
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

export const cellOf = (value: unknown): Cell =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell);

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

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
    if (size > MOST_IN_RECORD) {
      faults.add({ line: line + 1, value: shownValue(waiting[0] ?? ''), message: TOO_LONG });
      throw new ReadingStopped();
    }
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

const TOO_LONG = 'is longer than 8 MiB; the rest of the file was not checked';

/** What is wrong with a sign, and what to do about it. */
const WRONG: Readonly<Record<Misplaced, { readonly message: string; readonly hint?: string }>> = {
  front: { message: 'holds no records', hint: 'JSON must be an array of objects, or one: [{"Name": "…"}, …].' },
  element: { message: 'has a comma with no record beside it' },
  comma: { message: 'follows a record without a comma between them' },
  behind: { message: 'continues after the end of the list' },
};

/** How records are known from what is around them, and how a file was read, in words. */
export interface MemberRules extends Required<Pick<OpenOptions, 'isField'>> {
  readonly remarks: Set<string>;
}

/** The rows of a JSON array of objects, which may be wrapped in an object, or of one object. Anything else goes to the faults. */
export async function* jsonListRows(
  texts: AsyncIterable<string>,
  faults: FaultList,
  rules: MemberRules,
): Batches<FileRow> {
  const stop = (value: string, line: number, fault: { readonly message: string }): never => {
    faults.add({ line, value: shownValue(value), ...fault });
    throw new ReadingStopped();
  };
  const splitterFrom = (line?: number) => arraySplitter((where, sign, at) => stop(sign, at, WRONG[where]), line);
  let wrapper: ReturnType<typeof wrapperIn>;
  let splitter: ArraySplitter | undefined;
  let count = 0;
  for await (let text of texts) {
    wrapper ??= splitter ? undefined : wrapperIn(text, rules);
    splitter ??= splitterFrom(wrapper?.head.split('\n').length);
    if (wrapper && splitter.state === 'front') text = text.slice(wrapper.head.length);
    const elements = splitter.push(text);
    if (splitter.waiting.length > MOST_IN_RECORD)
      stop(splitter.waiting, splitter.line, { message: 'is in a record of more than 8 MiB' });
    count += elements.length;
    const rows = elements.flatMap((one) => jsonRow(one.text, one.line, faults) ?? []);
    if (rows.length > 0) yield rows;
  }
  checkWhole(splitter ?? splitterFrom(), count, faults);
  if (!wrapper || splitter?.state !== 'done') return;
  // Members behind the list stay on their lines.
  const list = '\n'.repeat(splitter.line - wrapper.head.split('\n').length);
  const around = jsonRow(`${wrapper.head}[${list}]${splitter.waiting}`.trim(), 1, faults);
  if (around) checkWrapper(around, { list: wrapper.list, count, rules }, faults);
}

/**
 * The text before a list of objects, and the members that lead to it (`data.users`), where an object begins a file so. One with
 * a field before the list is a record.
 */
function wrapperIn(beginning: string, { isField }: MemberRules): { head: string; list: string } | undefined {
  const names: string[] = [];
  let arrays = 0;
  let before = '';
  let head = '';
  for (const { 0: token, index } of beginning.matchAll(TOKEN)) {
    if (token === '{' && before === '[' && arrays === 1) return { head, list: names.join('.') };
    if (token === '[' && arrays++ === 0) head = beginning.slice(0, index);
    if (token === ']') arrays--;
    if (token === '{' && arrays === 0) names.push('');
    if (token === '}' && arrays === 0) names.pop();
    if (token === ':' && arrays === 0) names[names.length - 1] = before.slice(1, -1);
    if (names.length === 0 || names.length > DEEPEST) return undefined;
    if (token === ',' && arrays === 0 && isField(names.join('.'))) return undefined;
    before = token;
  }
  return undefined;
}

/** Words of services for a next page, for all records, and for all pages, as small letters. */
const NEXT = /^(?:next(?:link|page|pagetoken|token|cursor|url|href)?|hasmore|hasnext|hasnextpage|more|istruncated)$/;
const TOTAL = /^(?:total|count|totalresults|totalcount|totalrecords|totalitems|totalelements|totalsize|recordcount)$/;
const PAGES = /^(?:pages|totalpages|pagecount|lastpage)$/;

/** Finds faults of the members around a list of so many records: rows that would be missing, and values that would be lost. */
export function checkWrapper(
  { line, names, cells }: FileRow,
  { list, count, rules }: { readonly list: string; readonly count: number; readonly rules: MemberRules },
  faults: FaultList,
): void {
  rules.remarks.add(`read: the list under ${shownValue(list)}`);
  for (const [at, column] of names.entries()) {
    if (column === list) continue;
    const cell = cells[at] ?? '';
    const parts = column.split(/[.@]/).map((part) => part.replaceAll(/[^\p{L}]/gu, '').toLowerCase());
    const most = TOTAL.test(parts.at(-1) ?? '') ? count : PAGES.test(parts.at(-1) ?? '') ? 1 : undefined;
    const isPage = most === undefined ? parts.some((part) => NEXT.test(part)) : Number(cell) > most;
    const page = `is ${shownValue(cell)}: the file is one page of several, and holds ${counted(count, 'record')}`;
    const beside = `is beside the list under ${shownValue(list)}, and would be lost`;
    if (isPage && cell !== false && cell !== '') faults.add({ line, column, message: page, hint: ALL_PAGES });
    else if (rules.isField(column) || /^\[\{/.test(String(cell)))
      faults.add({ line, column, message: beside, hint: ALONE });
  }
}

const ALONE = 'Write one list into the file, without anything around it: [{…}, …].';
const ALL_PAGES = 'Import all pages as one list: [{…}, …]. For this page alone, write only its list into the file.';

function checkWhole({ state, line }: ArraySplitter, count: number, faults: FaultList): void {
  if (state === 'front') faults.add(EMPTY);
  else if (state !== 'done') {
    const closing = state === 'open' ? 'closing ] of the list' : 'closing } of the record';
    faults.add({ line, message: `is where the ${closing} is missing: the file is cut off`, hint: 'Export it again.' });
  } else if (count === 0) faults.add(wholeFault('is a list without a record'));
}
