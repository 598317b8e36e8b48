// What narrows a list besides the owners in its path.
import type { Contract, ResourceName } from '../../contract/index.ts';
import type { Operations } from '../../contract/operation.ts';
import type { Context } from '../context.ts';
import type { Query } from '../store/port.ts';
import type { Target } from '../target.ts';

export interface Narrowing extends Partial<Pick<Query, 'equals' | 'among' | 'between' | 'ids'>> {
  /** The owners in the path are no members of the records. */
  readonly apart?: true;
}
export type Selection = (context: Context, target: Target) => Promise<Narrowing> | Narrowing;

/** Of the operations that list, by the names of their routes. */
type OfRoutes<O extends Operations> = {
  readonly [N in keyof O as O[N]['verb'] extends 'list' ? N : never]?: {
    readonly [Route in keyof O[N]['routes']]?: Selection;
  };
};

/** By resource, operation and route: a name that the contract has not is no key. */
export type Selections = { readonly [R in ResourceName]?: OfRoutes<Contract[R]['operations']> };

/** The record that the path names first. */
export const first = (target: Target): string => target.named[0]?.id ?? '';
