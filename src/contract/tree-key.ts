// The key by which a whole tree is sorted: rank, name and ID of every step from the top down.

import { textKey } from '../text/text-key.ts';
import type { Value } from './resource.ts';

/** The rank of a record that has none: it comes last. */
export const NO_RANK = 2_147_483_647;
const END_OF_NAME = '\u0001';
const END_OF_STEP = '\u0002';

/** The key of a record below the record with the key `above`; at the top that is empty. Ranks are 32-bit integers. */
export function treeKey(above: string, rank: Value, name: Value, id: Value): string {
  const step = ((typeof rank === 'number' ? rank : NO_RANK) + 2_147_483_648).toString(16).padStart(8, '0');
  return `${above}${step}${textKey(String(name ?? ''))}${END_OF_NAME}${String(id)}${END_OF_STEP}`;
}
