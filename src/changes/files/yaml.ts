// Reads YAML: a list of mappings, or several documents with a mapping each.
import type { Document, LineCounter, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { type FaultList, ReadingStopped, shownValue } from './bad-file.ts';
import { type Batches, type Cell, type FileRow, MOST_IN_CELL } from './input.ts';
import { EMPTY, overlong } from './table.ts';

type Yaml = typeof import('yaml');

/** In bytes: whole documents are in memory, and take many times their size. */
const MOST = 32 << 20;
const MOST_ALIASES = 100;

/** The rows of a YAML file of at most 32 MiB. */
export async function* yamlRows(texts: AsyncIterable<string>, faults: FaultList): Batches<FileRow> {
  const text = await whole(texts, faults);
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  // A pretty error shows its whole line: with an error at each sign of it, that is the square of its length.
  const options = { lineCounter: lines, strict: true, uniqueKeys: true, prettyErrors: false };
  const documents = yaml.parseAllDocuments(text, options);
  const all = Array.isArray(documents) ? documents : [];
  for (const { errors } of all) for (const error of errors) faults.add(notYaml(error, lines));
  if (faults.total > 0) return;
  let count = 0;
  const rows = all.flatMap((document) =>
    recordsOf(yaml, document).flatMap((node) => {
      count++;
      return rowOf({ yaml, document, lines, faults }, node) ?? [];
    }),
  );
  if (count === 0) faults.add(text.trim() === '' ? EMPTY : { line: 1, message: 'begins a file without a record' });
  if (rows.length > 0) yield rows;
}

async function whole(texts: AsyncIterable<string>, faults: FaultList): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const text of texts) {
    length += text.length;
    parts.push(text);
    if (length <= MOST) continue;
    faults.add({
      line: 1,
      message: 'begins a YAML file of more than 32 MiB',
      hint: 'Use NDJSON or CSV: they may be of any length.',
    });
    throw new ReadingStopped();
  }
  return parts.join('');
}

interface Reading {
  readonly yaml: Yaml;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly faults: FaultList;
}

const recordsOf = ({ isSeq }: Yaml, { contents }: Document.Parsed): readonly Node[] =>
  contents === null ? [] : isSeq(contents) ? (contents.items as Node[]) : [contents];

function rowOf(reading: Reading, given: Node): FileRow | undefined {
  const { yaml, faults } = reading;
  const line = lineOf(reading, given);
  const node = resolved(reading, given);
  if (!yaml.isMap(node)) {
    faults.add({
      line,
      value: shownValue(given),
      message: 'is no mapping',
      hint: 'Each record is written "- Name: …".',
    });
    return undefined;
  }
  const before = faults.total;
  const pairs = (node as YAMLMap<Node, Node | null>).items;
  const names = pairs.map(nameOf);
  if (names.includes('<<')) {
    const hint = 'Write the members of the other record out.';
    faults.add({ line, column: '<<', message: 'is a merge, and merges are not read', hint });
    return undefined;
  }
  const cells = pairs.map((pair, at) => cellOf(reading, pair, names[at] ?? '', line));
  if (faults.total > before) return undefined;
  const nested = names.filter((_, at) => isNested(reading, pairs[at]?.value ?? null));
  return nested.length > 0 ? { line, names, cells, nested } : { line, names, cells };
}

const nameOf = ({ key }: Pair<Node, Node | null>): string => String((key as Scalar).source ?? key);

function cellOf(reading: Reading, { key, value }: Pair<Node, Node | null>, column: string, from: number): Cell {
  const line = key.range ? lineOf(reading, key) : from;
  try {
    const cell = plainCell(reading, value);
    if (typeof cell === 'string' && cell.length > MOST_IN_CELL) reading.faults.add(overlong(line, column, cell));
    return cell;
  } catch {
    const hint = 'Write the values out.';
    reading.faults.add({ line, column, message: 'repeats aliases more often than is sound', hint });
    return null;
  }
}

/** Throws where aliases multiply. */
function plainCell(reading: Reading, given: Node | null): Cell {
  if (given === null) return null;
  const { yaml, document } = reading;
  const node = resolved(reading, given);
  if (!yaml.isScalar(node)) return JSON.stringify(node?.toJS(document, { maxAliasCount: MOST_ALIASES }) ?? null);
  const { value, source } = node;
  if (typeof value === 'number') return source === undefined || String(value) === source ? value : source;
  return typeof value === 'string' || typeof value === 'boolean' || value === null ? value : String(value);
}

function isNested(reading: Reading, given: Node | null): boolean {
  const node = given === null ? undefined : resolved(reading, given);
  return node !== undefined && !reading.yaml.isScalar(node);
}

const resolved = ({ yaml, document }: Reading, node: Node): Node | undefined =>
  yaml.isAlias(node) ? node.resolve(document) : node;

const lineOf = ({ lines }: Reading, node: Node): number => lines.linePos(node.range?.[0] ?? 0).line;

function notYaml(
  error: { readonly message: string; readonly code: string; readonly pos: readonly number[] },
  lines: LineCounter,
) {
  const { line, col } = lines.linePos(error.pos[0] ?? 0);
  const what = error.message.split(/ at line \d+|:?\n/, 1)[0] ?? '';
  if (error.code === 'DUPLICATE_KEY')
    return { line, message: 'gives a name twice in one record', hint: 'Delete one of the two.' };
  return { line, message: `is not well-formed YAML at character ${col}: ${shownValue(what)}` };
}
