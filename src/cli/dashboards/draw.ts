// Draws a dashboard in a terminal: its areas one below another or side by side, with bars in eighths of a cell.
import { cutTo, ELLIPSIS, GAP, padTo, widthOf } from '../../text/columns.ts';
import { sanitise } from '../../text/escape.ts';
import { type Colorize, colorizer, type Depth, type Paint, paint } from '../output/color.ts';
import { inAscii } from '../output/drawn.ts';
import { marksOf, type Thresholds } from './areas.ts';
import {
  amountOf,
  type Bar,
  figureOf,
  isBlank,
  levelWord,
  NO_DATA,
  type Picture,
  type Section,
  spanOf,
  thresholdWords,
} from './picture.ts';

interface Room {
  /** Character cells; at least 40, at most 200. */
  readonly columns: number;
  readonly depth: Depth;
  /** Bars and lines are drawn in ASCII. */
  readonly ascii?: boolean;
}

/** The cells that each part of a line takes; 0 leaves it out. */
interface Layout {
  readonly label: number;
  readonly bar: number;
  readonly amount: number;
  readonly figure: number;
  readonly level: number;
}

const NARROWEST = 40;
const WIDEST = 200;
const BETWEEN = 4;
/** A shorter bar shows too little: the amounts give way to it, then the words of the levels. */
const LEAST_BAR = 14;

/** The lines of the drawing: none is wider than the room, and nothing in the record's text can move the cursor. */
export function drawing(picture: Picture, room: Room): readonly string[] {
  const columns = Math.max(NARROWEST, Math.min(WIDEST, room.columns));
  const styles: Styles = {
    brush: paint(room.depth !== 'none'),
    colorize: colorizer(room.depth),
    ...(room.ascii ? { signs: inAscii, ellipsis: '...' } : { signs: (text) => text, ellipsis: ELLIPSIS }),
  };
  const half = Math.floor((columns - BETWEEN) / 2);
  const [fitting] = layouts(picture, half);
  const two = fitting !== undefined && fitting.bar >= LEAST_BAR && picture.sections.length > 1;
  const layout = two ? fitting : layOut(picture, columns);
  const blocks = picture.sections.map((section) => ['', ...draw(section, picture, layout, styles)]);
  if (blocks.length === 0) blocks.push(['', 'The site shows no area of this dashboard.']);
  return [...head(picture, columns, styles), ...(two ? sideBySide(blocks, half) : blocks.flat())];
}

function head(picture: Picture, columns: number, { brush, signs, ellipsis }: Styles): readonly string[] {
  const facts = [picture.kind, spanOf(picture)].filter((fact) => fact !== '').join(' · ');
  const words = thresholdWords(picture);
  return [
    brush.bold(cutTo(sanitise(picture.name), columns, ellipsis)),
    brush.dim(cutTo(sanitise(signs(facts)), columns, ellipsis)),
    ...(words === '' ? [] : [brush.dim(cutTo(`${signs('│')} ${words}`, columns, ellipsis))]),
  ];
}

/** The fullest layout that leaves a bar to be seen. */
function layOut(picture: Picture, columns: number): Layout {
  const choices = layouts(picture, columns);
  return (choices.find(({ bar }) => bar >= LEAST_BAR) ?? choices.at(-1)) as Layout;
}

/** Everything; without the amounts; without the words of the levels too. */
function layouts({ sections }: Picture, columns: number): readonly Layout[] {
  const bars = sections.flatMap((section) => section.bars);
  const widest = (textOf: (bar: Bar) => string): number => Math.max(0, ...bars.map((bar) => widthOf(textOf(bar))));
  const [label, figure] = [widest((bar) => bar.label), widest(figureOf)];
  const [amount, level] = [widest(amountOf), widest(levelWord)];
  const room = columns - GAP - label - GAP - tail(figure);
  return [
    { amount, level },
    { amount: 0, level },
    { amount: 0, level: 0 },
  ].map((choice) => ({ ...choice, label, figure, bar: room - tail(choice.amount) - tail(choice.level) }));
}

const tail = (width: number): number => (width === 0 ? 0 : width + GAP);

/** The title, and a line for each bar; an area without any data takes one line. */
function draw(section: Section, { thresholds }: Picture, layout: Layout, styles: Styles): readonly string[] {
  const title = styles.brush.bold(section.title);
  if (isBlank(section)) return [`${title}  ${styles.brush.dim(NO_DATA)}`];
  const whole =
    `  ${'All'.padEnd(layout.label)}  ${styles.signs(stackLine(section.bars, layout.bar, styles))}`.trimEnd();
  return [
    title,
    ...(section.stacked ? [whole] : []),
    ...section.bars.map((bar) => line(bar, styles.signs(barLine(bar, layout.bar, thresholds, styles)), layout, styles)),
  ];
}

function line(bar: Bar, cells: string, { label, amount, figure, level }: Layout, { brush }: Styles): string {
  const text = figureOf(bar);
  const parts = [
    padTo(bar.label, label),
    cells,
    ...(amount === 0 ? [] : [padTo(amountOf(bar), amount, 'right')]),
    padTo(text === NO_DATA ? brush.dim(text) : text, figure, 'right'),
    ...(level === 0 ? [] : [levelWord(bar)]),
  ];
  return `  ${parts.join(' '.repeat(GAP))}`.trimEnd();
}

/** The areas in two columns of much the same height, in reading order down the left one first. */
function sideBySide(blocks: readonly (readonly string[])[], width: number): readonly string[] {
  const height = (some: readonly (readonly string[])[]): number => some.flat().length;
  const highest = (at: number): number => Math.max(height(blocks.slice(0, at)), height(blocks.slice(at)));
  const cuts = blocks.map((_, at) => at + 1);
  const cut = cuts.reduce((best, at) => (highest(at) < highest(best) ? at : best), 1);
  const [left, right] = [blocks.slice(0, cut).flat(), blocks.slice(cut).flat()];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const [one = '', other = ''] = [left[at], right[at]];
    return other === '' ? one : padTo(one, width + BETWEEN) + other;
  });
}

interface Styles {
  readonly brush: Paint;
  readonly colorize: Colorize;
  /** A piece of the drawing, as the locale can show it. */
  readonly signs: (text: string) => string;
  readonly ellipsis: string;
}

const EIGHTHS = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
/** The parts of a whole, distinct without color too. */
const SHADES = { exceeds: '█', meets: '▓', minimum: '▒', below: '░', none: ' ' } as const;

/** The bar in exactly so many cells: dots where there is no data, blanks for a count, which has no whole. */
function barLine(bar: Bar, width: number, thresholds: Thresholds, styles: Styles): string {
  if (bar.kind === 'count') return ' '.repeat(width);
  if (bar.percent === null) return styles.brush.dim('·'.repeat(width));
  const cells = filling(bar.percent, width);
  return bar.kind === 'gauge' ? marked(cells, bar, thresholds, styles) : run(cells, bar, styles);
}

/** All parts of a whole in one bar, in their order. */
function stackLine(bars: readonly Bar[], cells: number, { colorize }: Styles): string {
  let [sum, drawn, line] = [0, 0, ''];
  for (const { percent, color, level } of bars) {
    sum += percent ?? 0;
    const end = Math.min(cells, Math.round((sum / 100) * cells));
    line += colorize(SHADES[level].repeat(Math.max(0, end - drawn)), color, level);
    drawn = Math.max(drawn, end);
  }
  return line + ' '.repeat(cells - drawn);
}

/** One text for each cell: full, a part of one, or a blank. Any share above nothing is seen. */
function filling(percent: number, cells: number): readonly string[] {
  const share = Math.max(0, Math.min(100, percent)) / 100;
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * cells * 8));
  return Array.from({ length: cells }, (_, at) => {
    const left = eighths - at * 8;
    return left >= 8 ? '█' : (EIGHTHS[Math.max(0, left)] ?? ' ');
  });
}

/** The bar in pieces between its marks. A bar that ends at a threshold covers its mark, which is then heavy. */
function marked(cells: readonly string[], bar: Bar, thresholds: Thresholds, styles: Styles): string {
  const marks = marksOf(thresholds).map(({ at }) => ({ at, cell: Math.ceil((at / 100) * cells.length) - 1 }));
  let [from, line] = [0, ''];
  for (const { at, cell } of marks.sort((a, b) => a.cell - b.cell)) {
    if (cell < from) continue;
    const reached = (bar.percent ?? 0) >= at;
    line += run(cells.slice(from, cell), bar, styles) + (reached ? styles.colorize('┃', bar.color, bar.level) : '│');
    from = cell + 1;
  }
  return line + run(cells.slice(from), bar, styles);
}

/** Filled cells in the bar's color, then the track. */
function run(cells: readonly string[], { color, level }: Bar, { colorize, brush }: Styles): string {
  const filled = cells.filter((cell) => cell !== ' ');
  return colorize(filled.join(''), color, level) + brush.dim('░'.repeat(cells.length - filled.length));
}
