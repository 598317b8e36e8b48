// One bar in a terminal, in eighths of a character cell, with the thresholds marked on it.
import type { Paint } from '../output/color.ts';
import type { Ink } from '../output/ink.ts';
import { marksOf, type Thresholds } from './levels.ts';
import type { Bar } from './picture.ts';

export interface Pens {
  readonly brush: Paint;
  readonly ink: Ink;
}

export interface Scale {
  readonly cells: number;
  readonly thresholds: Thresholds;
}

const EIGHTHS = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
/** The parts of a whole, told apart without color too. */
const SHADES = { exceeds: '█', meets: '▓', minimum: '▒', below: '░', none: ' ' } as const;

/** The bar in exactly so many cells: dots where there is no data, blanks for a count, which has no whole. */
export function barLine(bar: Bar, scale: Scale, pens: Pens): string {
  if (bar.kind === 'count') return ' '.repeat(scale.cells);
  if (bar.percent === null) return pens.brush.dim('·'.repeat(scale.cells));
  const cells = filling(bar.percent, scale.cells);
  return bar.kind === 'gauge' ? marked(cells, bar, scale, pens) : run(cells, bar, pens);
}

/** All parts of a whole in one bar, in their order. */
export function stackLine(bars: readonly Bar[], cells: number, { ink }: Pens): string {
  let [sum, drawn, line] = [0, 0, ''];
  for (const { percent, color, level } of bars) {
    sum += percent ?? 0;
    const end = Math.min(cells, Math.round((sum / 100) * cells));
    line += ink(SHADES[level].repeat(Math.max(0, end - drawn)), color, level);
    drawn = Math.max(drawn, end);
  }
  return line + ' '.repeat(cells - drawn);
}

/** One text for each cell: full, a part of one, or a blank. What is more than nothing is seen. */
function filling(percent: number, cells: number): readonly string[] {
  const share = Math.max(0, Math.min(100, percent)) / 100;
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * cells * 8));
  return Array.from({ length: cells }, (_, at) => {
    const left = eighths - at * 8;
    return left >= 8 ? '█' : (EIGHTHS[Math.max(0, left)] ?? ' ');
  });
}

/** The bar in pieces between its marks. A bar that ends at a threshold covers its mark, which is then heavy. */
function marked(cells: readonly string[], bar: Bar, { thresholds }: Scale, pens: Pens): string {
  const marks = marksOf(thresholds).map(({ at }) => ({ at, cell: Math.ceil((at / 100) * cells.length) - 1 }));
  let [from, line] = [0, ''];
  for (const { at, cell } of marks.sort((a, b) => a.cell - b.cell)) {
    if (cell < from) continue;
    const reached = (bar.percent ?? 0) >= at;
    line += run(cells.slice(from, cell), bar, pens) + (reached ? pens.ink('┃', bar.color, bar.level) : '│');
    from = cell + 1;
  }
  return line + run(cells.slice(from), bar, pens);
}

/** Filled cells in the bar's color, then the track. */
function run(cells: readonly string[], { color, level }: Bar, { ink, brush }: Pens): string {
  const filled = cells.filter((cell) => cell !== ' ');
  return ink(filled.join(''), color, level) + brush.dim('░'.repeat(cells.length - filled.length));
}
