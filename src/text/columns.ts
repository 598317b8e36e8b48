// Texts in columns of a terminal: their width in character cells, texts that are cut or wrapped to fit, and lines of cells.
import measured from 'fast-string-truncated-width';
import { once } from './once-per.ts';

const ASCII = /^[\x20-\x7e]*$/;
/** Vowels and finals of Hangul, which stand within the two cells of the consonant before them. */
const WITHIN = /[\u1160-\u11ff\ud7b0-\ud7fb]/g;

/** The cells of a sanitised line: wide letters and pictures take two, combining marks and color codes none. */
export const widthOf = (text: string): number =>
  ASCII.test(text) ? text.length : measured(text.replace(WITHIN, '')).width;

/** A text that is cut ends with it. */
export const ELLIPSIS = '…';

/** The text in so many cells at most. One that is cut ends with an ellipsis, where there is room for it. */
export function cutTo(text: string, cells: number, ellipsis: string = ELLIPSIS): string {
  if (widthOf(text) <= cells) return text;
  const end = ellipsis.length > cells ? '' : ellipsis;
  return text.slice(0, fitting(text, cells - end.length)) + end;
}

/** Readers see one letter or one picture in each, with the marks that belong to it. */
const letters = once(() => new Intl.Segmenter());

/** Where a letter begins that so many cells have no room for; the first `least` units are taken without room. */
function fitting(text: string, cells: number, least = 0): number {
  if (ASCII.test(text.slice(0, cells + 1))) return Math.max(least, cells);
  let room = cells;
  for (const { segment, index } of letters().segment(text)) {
    room -= widthOf(segment);
    if (room < 0 && index >= least) return index;
  }
  return text.length;
}

/** Where a word may be broken: user names and e-mails between their parts, PrimaryTitle before the capital. */
const SEAM = /^.*(?:[.@_/-](?=.)|[a-z](?=[A-Z]))/;

/** The text in lines of so many cells at most, broken at blanks where that can be. A letter too wide for a line has its own. */
export function wrapTo(text: string, cells: number): readonly string[] {
  const room = Math.max(1, cells);
  if (widthOf(text) <= room) return [text];
  const lines: string[] = [];
  let rest = text;
  for (let most = fitting(rest, room, 1); most < rest.length; most = fitting(rest, room, 1)) {
    const blank = rest.lastIndexOf(' ', most);
    const end = blank > 0 ? blank : (SEAM.exec(rest.slice(0, most + 1))?.[0].length ?? most);
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** The blanks between two columns. */
export const GAP = 2;

export type Align = 'left' | 'right';

/** The text filled up with blanks to so many cells. */
export function padTo(text: string, cells: number, align: Align = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, cells - widthOf(text)));
  return align === 'left' ? text + blanks : blanks + text;
}

/** The widest text of each column. */
export const widthsOf = (lines: readonly (readonly string[])[]): readonly number[] =>
  (lines[0] ?? []).map((_cell, at) => Math.max(...lines.map((line) => widthOf(line[at] ?? ''))));

export interface Column {
  readonly name: string;
  /** The cells its widest content takes. */
  readonly width: number;
  /** It is not narrowed below: half a GUID or a date is of no use. */
  readonly least: number;
  /** It goes after all others. Once these have gone, it is narrowed to so many cells. */
  readonly stays?: number | undefined;
  /** Before one that stays goes, its words are broken to so many cells. */
  readonly shortest?: number;
}

/**
 * Widths by name, for the columns that fit: the widest texts give way first, then the last columns go, those that stay
 * after the others, once they are as narrow as they may be. One column is always left, as narrow as it must be.
 */
export function fitColumns(columns: readonly Column[], room: number): ReadonlyMap<string, number> {
  let left = columns;
  while (left.length > 1) {
    const last = left.findLastIndex(({ stays }) => stays === undefined);
    const widths =
      last < 0 ? (narrowed(left.map(inWords), room) ?? narrowed(left.map(inParts), room, true)) : narrowed(left, room);
    if (widths) return widths;
    left = left.toSpliced(last < 0 ? left.length - 1 : last, 1);
  }
  return new Map(left.map(({ name, width }) => [name, Math.max(1, Math.min(width, room))]));
}

const inWords = (column: Column): Column => ({ ...column, least: column.stays ?? 0 });

/** No wider than its longest word, which is broken only where there is no other way. */
const inParts = ({ stays, ...column }: Column): Column => ({
  ...column,
  width: stays ?? column.width,
  least: column.shortest ?? 0,
});

function narrowed(columns: readonly Column[], room: number, lastFirst = false): Map<string, number> | undefined {
  const widths = new Map(columns.map(({ name, width }) => [name, width]));
  let over = columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1)) - room;
  while (over > 0) {
    // Those that matter more come first.
    const giving = columns.filter((column) => at(widths, column) > column.least);
    const next = (lastFirst ? giving : giving.sort((a, b) => at(widths, a) - at(widths, b))).at(-1);
    if (!next) return undefined;
    widths.set(next.name, at(widths, next) - 1);
    over--;
  }
  return widths;
}

const at = (widths: ReadonlyMap<string, number>, { name }: Column): number => widths.get(name) ?? 0;
