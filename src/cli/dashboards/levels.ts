// The four levels of a figure, and where each begins.
import type { Row } from '../../contract/resource.ts';

export type Level = 'below' | 'minimum' | 'meets' | 'exceeds' | 'none';

/** The percentages from which a figure reaches each level; null if not set. */
export interface Thresholds {
  readonly minimum: number | null;
  readonly meets: number | null;
  readonly exceeds: number | null;
}

export function thresholdsOf(row: Row): Thresholds {
  const number = (name: string): number | null => (typeof row[name] === 'number' ? row[name] : null);
  return { minimum: number('Threshold1'), meets: number('Threshold2'), exceeds: number('Threshold3') };
}

/** The level of a percentage; `none` where there is no data or no threshold. */
export function levelOf(percent: number | null, { minimum, meets, exceeds }: Thresholds): Level {
  if (percent === null || (minimum === null && meets === null && exceeds === null)) return 'none';
  if (exceeds !== null && percent >= exceeds) return 'exceeds';
  if (meets !== null && percent >= meets) return 'meets';
  return minimum !== null && percent >= minimum ? 'minimum' : 'below';
}

/** The thresholds that fit on a bar from 0 to 100, with the level that begins there. */
export const marksOf = ({ minimum, meets, exceeds }: Thresholds): readonly { at: number; level: Level }[] =>
  [
    { at: minimum, level: 'minimum' as const },
    { at: meets, level: 'meets' as const },
    { at: exceeds, level: 'exceeds' as const },
  ].flatMap(({ at, level }) => (at !== null && at > 0 && at <= 100 ? [{ at, level }] : []));
