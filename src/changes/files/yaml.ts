// Reads YAML: a list of mappings, also under a name, mappings by their names, or several documents with a mapping each.
import type { Document, LineCounter, Node, Pair, YAMLMap } from 'yaml';
import { type FaultList, ReadingStopped, shownValue, wholeFault } from './bad-file.ts';
import type { Batches, FileFault, FileRow } from './input.ts';
import { cellOf, checkWrapper, flatRow, type MemberRules } from './json.ts';
import { EMPTY } from './table.ts';

/** In bytes: whole documents are in memory, and take many times their size. */
const MOST = 32 << 20;
const MOST_ALIASES = 100;

/** The rows of a YAML file of at most 32 MiB. */
export async function* yamlRows(texts: AsyncIterable<string>, faults: FaultList, rules: MemberRules): Batches<FileRow> {
  const text = await whole(texts, faults);
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  // A pretty error shows its whole line: with an error at each sign of it, that is the square of its length.
  const options = { lineCounter: lines, strict: true, uniqueKeys: true, prettyErrors: false };
  const documents = yaml.parseAllDocuments(text, options);
  const all = Array.isArray(documents) ? documents : [];
  for (const { errors } of all) for (const error of errors) faults.add(notYaml(error, lines));
  if (faults.total > 0) return;
  const records = all.flatMap((document) => recordsOf({ yaml, document, lines, faults }, rules));
  const rows = records.filter((row) => row !== undefined);
  if (records.length === 0) faults.add(text.trim() === '' ? EMPTY : wholeFault('has no records'));
  if (rows.length > 0) yield rows;
}

async function whole(texts: AsyncIterable<string>, faults: FaultList): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const text of texts) {
    length += text.length;
    parts.push(text);
    if (length <= MOST) continue;
    faults.add(wholeFault('is larger than 32 MiB', 'Use NDJSON or CSV: they may be of any length.'));
    throw new ReadingStopped();
  }
  return parts.join('');
}

interface Reading {
  readonly yaml: typeof import('yaml');
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly faults: FaultList;
}

/** The rows of a document; undefined for those with faults. */
function recordsOf(reading: Reading, rules: MemberRules): readonly (FileRow | undefined)[] {
  const { yaml, document, faults } = reading;
  const { contents } = document;
  keepNumbers(reading);
  if (contents === null) return [];
  const pairs = yaml.isMap(contents) ? (contents.items as Pair<Node, Node | null>[]) : [];
  const within = pairs.find(({ value }) => isOfMappings(reading, value));
  const isRecord = pairs.some((pair) => pair !== within && rules.isField(String(pair.key)));
  if (!isRecord && within?.value) {
    const rows = rowsIn(reading, within.value);
    const list = String(within.key);
    const around = rowOf(reading, contents, list);
    if (around) checkWrapper(around, { list, count: rows.length, rules }, faults);
    return rows;
  }
  const isList = yaml.isSeq(contents) || (!isRecord && isOfMappings(reading, contents));
  return isList ? rowsIn(reading, contents) : [rowOf(reading, contents)];
}

/** Numbers that would not come back as they are written are texts: 00042. */
const keepNumbers = ({ yaml, document }: Reading): void =>
  yaml.visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'number' && String(node.value) !== node.source) node.value = node.source ?? node.value;
    },
  });

const isOfMappings = ({ yaml }: Reading, node: Node | null): boolean =>
  yaml.isCollection(node) &&
  node.items.length > 0 &&
  node.items.every((item) => yaml.isMap(yaml.isPair(item) ? item.value : item));

/** The rows of a list; of mappings by their names these are the `Name`, or the `key` of those that have another one. */
function rowsIn(reading: Reading, node: Node): readonly (FileRow | undefined)[] {
  if (reading.yaml.isSeq(node)) return (node.items as Node[]).map((item) => rowOf(reading, item));
  return (node as YAMLMap<Node, Node>).items.map(({ key, value }) => {
    const row = value ? rowOf(reading, value) : undefined;
    const column = row?.names.some((name) => name.toLowerCase() === 'name') ? 'key' : 'Name';
    return row && { ...row, names: [column, ...row.names], cells: [String(key), ...row.cells] };
  });
}

/** The row of a mapping, without one member that was read. Undefined if it has faults. */
function rowOf({ yaml, document, lines, faults }: Reading, given: Node, read?: string): FileRow | undefined {
  const { line } = lines.linePos(given.range?.[0] ?? 0);
  const fault = (message: string, hint: string, others: Partial<FileFault> = {}): undefined =>
    void faults.add({ line, message, hint, ...others });
  const node = yaml.isAlias(given) ? given.resolve(document) : given;
  if (!yaml.isMap(node))
    return fault('is not a mapping', 'Each record is written "- Name: …".', { value: shownValue(given) });
  if (node.has('<<'))
    return fault('is a merge, which pm does not read', 'Write the members of the other record out.', { column: '<<' });
  let members: readonly (readonly [string, unknown])[];
  try {
    members = Object.entries(node.toJS(document, { maxAliasCount: MOST_ALIASES }));
  } catch {
    return fault('uses too many aliases', 'Write the values out.');
  }
  // 1 and "1" are two names in YAML.
  if (members.length < node.items.length) return fault('gives a name twice in one record', 'Delete one of the two.');
  const before = faults.total;
  const cells = members.flatMap(([name, value]) => (name === read ? [] : [[name, cellOf(value)] as const]));
  const nested = members.flatMap(([name, value]) => (typeof value === 'object' && value !== null ? [name] : []));
  const row = flatRow(line, new Map(cells), new Set(nested), faults);
  return faults.total > before ? undefined : row;
}

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
