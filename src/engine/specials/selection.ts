// What narrows a list besides the owners in its path.
import type { ResourceName } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import type { Query } from '../store/port.ts';
import type { Target } from '../target.ts';

export interface Narrowing extends Partial<Pick<Query, 'equals' | 'among' | 'between' | 'ids'>> {
  /** The owners in the path are no members of the records. */
  readonly apart?: true;
}
export type Selection = (context: Context, target: Target) => Promise<Narrowing> | Narrowing;

/** Each resource's, by the name of the route; in front of it the operation's, where that is not the list. */
export type Selections = Partial<Record<ResourceName, Readonly<Record<string, Selection>>>>;

/** The record that the path names first. */
export const first = (target: Target): string => target.named[0]?.id ?? '';
