// One record that pm find has found: in which of its texts, how well that fits, and the piece of it that is shown.
import { ServiceError } from '../../contract/errors.ts';
import { isWritable } from '../../contract/field.ts';
import { storedResources } from '../../contract/index.ts';
import { ownersOf } from '../../contract/record-address.ts';
import { isGone, nameOf, type Resource, type Row, valuesOf } from '../../contract/resource.ts';
import { type Fit, fitOf, folded, spanOf } from '../../text/folded.ts';
import { oncePer } from '../../text/once-per.ts';
import { compareKeys, textKey } from '../../text/text-key.ts';
import { resourceCalled } from '../names.ts';

export interface Hit {
  readonly resource: Resource;
  /** The ID, names, owners and marks of the record: there may be many hits. */
  readonly row: Row;
  /** Undefined for one without a name, such as a comment. */
  readonly name: string | undefined;
  readonly field: string;
  /** One line around the place. */
  readonly piece: string;
  /** The smaller, the better; compared number by number, then by `key`. */
  readonly rank: Rank;
  readonly key: string;
}

type Rank = readonly number[];

/** The best text of a record that has the folded one in it; undefined if none has. */
export function hitOf(resource: Resource, row: Row, wanted: string): Hit | undefined {
  let best: { readonly field: string; readonly text: string; readonly rank: Rank } | undefined;
  for (const field of textsOf(resource)) {
    const text = row[field];
    const fit = typeof text === 'string' ? fitOf(folded(text), wanted) : undefined;
    const rank = fit && rankOf(resource, row, field, fit);
    if (rank && (!best || compareRanks(rank, best.rank) < 0)) best = { field, text: String(text), rank };
  }
  if (!best) return undefined;
  const { field, text, rank } = best;
  const name = nameOf(resource, row);
  const piece = pieceOf(text, wanted);
  return { resource, row: valuesOf(row, membersOf(resource)), name, field, piece, rank, key: textKey(name ?? piece) };
}

/** Names before other texts; then how well it fits; then live records before deleted ones; then by their kind. */
const rankOf = (resource: Resource, row: Row, field: string, { grade }: Fit): Rank => [
  resource.names.includes(field) ? 0 : 1,
  grade,
  isGone(row) ? 1 : 0,
  storedResources.indexOf(resource),
];

const membersOf = oncePer((resource: Resource): readonly string[] => [
  ...['ID', 'Deleted', 'DeletedByRef'],
  ...ownersOf(resource).map(({ field }) => field),
]);

/** The best first; those of one rank by name. */
export const compareHits = (one: Hit, other: Hit): number =>
  compareRanks(one.rank, other.rank) ||
  compareKeys(one.key, other.key) ||
  compareKeys(String(one.row.ID), String(other.row.ID));

function compareRanks(one: Rank, other: Rank): number {
  const at = one.findIndex((number, i) => number !== other[i]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

const LENGTH = 60;
const BEFORE = 16;
const HALF_PAIR = /\p{Cs}$/u;

/** The text as one line; of a long one the part around the place. */
function pieceOf(text: string, wanted: string): string {
  if (text.length <= LENGTH) return oneLine(text);
  const [start, end] = spanOf(text, wanted) ?? [0, 0];
  const from = start <= BEFORE ? 0 : wordFrom(text, start - BEFORE, start);
  const to = Math.min(text.length, Math.max(end, from + LENGTH));
  const piece = oneLine(text.slice(from, to).replace(HALF_PAIR, ''));
  return `${from > 0 ? '…' : ''}${piece}${to < text.length ? '…' : ''}`;
}

/** The beginning of a word from there on, else the place itself. */
function wordFrom(text: string, from: number, place: number): number {
  const blank = text.indexOf(' ', from);
  return blank < 0 || blank >= place ? place : blank + 1;
}

const oneLine = (text: string): string => text.replace(/\s/g, ' ').trim();

/** Colors and formats: no words. */
const CODES: readonly string[] = ['Color', 'TColor1', 'TColor2', 'TColor3', 'TColor4', 'Code', 'Format'];

/** The texts of a record in which words are found: its names first, then texts that people write. None of another record. */
export const textsOf = oncePer(({ names, fields }: Resource): readonly string[] => {
  const written = Object.entries(fields)
    .filter(([name, field]) => field.kind === 'text' && isWritable(field) && !field.deprecated && !CODES.includes(name))
    .map(([name]) => name);
  return [...new Set([...names, ...written])];
});

const searchable = storedResources.filter((resource) => textsOf(resource).length > 0);

/** The resources of these names, or all that have such texts. Throws `usage` for one that has none. */
export function resourcesToSearch(names: readonly string[]): readonly Resource[] {
  if (names.length === 0) return searchable;
  return [...new Set(names.map((name) => resourceCalled(name, ': pm find … --resource ')))].map((resource) => {
    if (searchable.includes(resource)) return resource;
    throw new ServiceError('usage', `${resource.command} have no texts to look into`, {
      hint: `These have some: ${searchable.map(({ command }) => command).join(', ')}.`,
    });
  });
}
