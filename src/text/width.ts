// How many character cells of a terminal a text takes, and how columns fit into the room there is.

const ASCII = /^[\x20-\x7e]*$/;
const NOTHING = /\p{Mn}|\p{Me}|\p{Cf}/u;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** The cells of a sanitised line: wide letters and pictures take two, combining marks none. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let cells = 0;
  for (const char of text) cells += NOTHING.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return cells;
}

/** The least that is left of a column which has to give way. */
const LEAST = 12;
/** The blanks between two columns. */
export const GAP = 2;

interface Column {
  readonly name: string;
  /** The cells its widest content takes. */
  readonly width: number;
  /** Is never narrowed: half a GUID or a date is of no use. */
  readonly rigid: boolean;
}

/**
 * Widths by name, for the columns that fit: the widest texts give way first, then the last columns go. The first column
 * always stays, as narrow as it must be.
 */
export function fitColumns(columns: readonly Column[], room: number): ReadonlyMap<string, number> {
  for (let count = columns.length; count > 1; count--) {
    const widths = narrowed(columns.slice(0, count), room);
    if (widths) return widths;
  }
  return new Map(columns.slice(0, 1).map(({ name, width }) => [name, Math.max(1, Math.min(width, room))]));
}

function narrowed(columns: readonly Column[], room: number): Map<string, number> | undefined {
  const widths = new Map(columns.map(({ name, width }) => [name, width]));
  let over = columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1)) - room;
  while (over > 0) {
    const widest = columns.filter((column) => canGive(column, widths)).sort((a, b) => at(widths, b) - at(widths, a))[0];
    if (!widest) return undefined;
    widths.set(widest.name, at(widths, widest) - 1);
    over--;
  }
  return widths;
}

const at = (widths: ReadonlyMap<string, number>, { name }: Column): number => widths.get(name) ?? 0;

const canGive = (column: Column, widths: ReadonlyMap<string, number>): boolean =>
  !column.rigid && at(widths, column) > LEAST;
