// Terminal colors: the few of all output, and those of the site in drawings.
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

export type Depth = 'none' | '16' | 'true';

/** The number of colors that the terminal shows, by its variables. */
export function depthOf(color: boolean, env: Readonly<Record<string, string | undefined>>): Depth {
  if (!color) return 'none';
  return /^(truecolor|24bit)$/i.test(env.COLORTERM ?? '') ? 'true' : '16';
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
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `38;2;${parts.join(';')}`;
}
