// Terminal colors: the few of all output, and the nearest ones to the site's colors in drawings.
import type { Level } from '../dashboards/areas.ts';

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
}

const style =
  (on: boolean, open: number, close: number) =>
  (text: string): string =>
    on && text !== '' ? `\x1b[${open}m${text}\x1b[${close}m` : text;

/** Paints text for a terminal; without colour it stays as it is. */
export const paint = (on: boolean): Paint => ({
  bold: style(on, 1, 22),
  dim: style(on, 2, 22),
  red: style(on, 31, 39),
});

/** Colors a piece of a drawing. */
export type Colorize = (text: string, color: string | null, level: Level) => string;

export type Depth = 'none' | '16' | '256' | 'true';

/** The number of colors that the terminal shows, by its variables. */
export function depthOf(color: boolean, env: Readonly<Record<string, string | undefined>>): Depth {
  if (!color) return 'none';
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? '')) return 'true';
  return /256|kitty|alacritty/.test(env.TERM ?? '') ? '256' : '16';
}

/** Parts without a level are dim. */
export const colorizer =
  (depth: Depth): Colorize =>
  (text, color, level) => {
    if (depth === 'none' || text === '') return text;
    if (level === 'none') return `\x1b[2m${text}\x1b[22m`;
    return `\x1b[${codeOf(depth, color, level)}m${text}\x1b[39m`;
  };

/** Red, yellow, green and cyan, where the site has no color or the terminal few. Blue is hardly seen on black. */
const PLAIN = { below: 31, minimum: 33, meets: 32, exceeds: 36 } as const;

function codeOf(depth: Depth, color: string | null, level: keyof typeof PLAIN): string {
  if (color === null || depth === '16') return String(PLAIN[level]);
  const wanted: Rgb = [partOf(color, 1), partOf(color, 3), partOf(color, 5)];
  return depth === 'true' ? `38;2;${wanted.join(';')}` : `38;5;${nearestOf(wanted)}`;
}

type Rgb = readonly [number, number, number];

const partOf = (color: string, at: number): number => Number.parseInt(color.slice(at, at + 2), 16);

const STEPS = [0, 95, 135, 175, 215, 255] as const;
/** The colors that every terminal of 256 colors has, from number 16 on. */
const CUBE: readonly Rgb[] = STEPS.flatMap((red) =>
  STEPS.flatMap((green) => STEPS.map((blue): Rgb => [red, green, blue])),
);

/** The most similar color that is seen on black. Hue counts more than brightness: a red must not become an orange. */
function nearestOf(wanted: Rgb): number {
  const distances = CUBE.map((one) => (contrastOnBlack(one) < LEAST_CONTRAST ? Infinity : distance(one, wanted)));
  return 16 + distances.indexOf(Math.min(...distances));
}

const LEAST_CONTRAST = 3.5;

/** The contrast by WCAG 2, from 1 to 21. */
function contrastOnBlack(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 1 + (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 0.05;
}

/** Squared distance; differences of hue weigh more than of brightness. */
const distance = (one: Rgb, other: Rgb): number =>
  (one[0] - one[1] - other[0] + other[1]) ** 2 +
  (one[1] - one[2] - other[1] + other[2]) ** 2 +
  (brightness(one) - brightness(other)) ** 2 / 2;

const brightness = ([red, green, blue]: Rgb): number => 0.3 * red + 0.59 * green + 0.11 * blue;
