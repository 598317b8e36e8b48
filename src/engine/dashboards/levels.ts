// The four levels of performance, and the site's colors for them (D31).
import type { Row } from '../../contract/resource.ts';
import type { Sum } from '../store/port.ts';
import type { Look } from './figures.ts';

/** The ID of the color of so much done; 0 without anything to do, and where the site has no color. */
export function colorValue({ done, of }: Sum, { thresholds, colors }: Look): number {
  if (of === 0) return 0;
  const percent = (done / of) * 100;
  const [minimum, meets, exceeds] = thresholds;
  const level = percent >= exceeds ? 4 : percent >= meets ? 3 : percent >= minimum ? 2 : 1;
  return Number(colorOf(colors, level)?.ID ?? 0);
}

/** The color of a level from 1 below to 4 exceeds: the colors by rank, and the last one for levels that have none. */
export const colorOf = (colors: readonly Row[], level: number): Row | undefined =>
  colors[Math.min(level, colors.length) - 1];
