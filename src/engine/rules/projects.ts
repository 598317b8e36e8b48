// Projects stand in a tree of their own, below what they belong to.
import type { Fault } from '../../contract/errors.ts';
import { placeOf, replant } from '../records/tree.ts';
import { aboveItself } from './no-loops.ts';
import { changes, member, type Rules } from './rule.ts';

export const projectRules: Rules = {
  async prepare(writing) {
    const parent = await writing.change.lookup('project', member(writing, 'ParentID'));
    Object.assign(writing.values, placeOf({ ...writing.before, ...writing.values }, parent));
  },
  async check(writing): Promise<readonly Fault[]> {
    return changes(writing, 'ParentID') ? aboveItself(writing, 'project') : [];
  },
  async follow({ change, resource, values, before }) {
    if (before && values.TreeKey !== undefined) await replant(change, resource, { ...before, ...values });
  },
};
