// Metrics stand in a tree of their own, and show what they measure.
import type { Fault } from '../../contract/errors.ts';
import { placeOf, replant } from '../records/tree.ts';
import { fillAncestorType } from './hangs-on.ts';
import { aboveItself } from './no-loops.ts';
import { changes, member, type Rules } from './rule.ts';

export const metricRules: Rules = {
  async prepare(writing) {
    await fillAncestorType(writing);
    const { values, before, change } = writing;
    const parent = await change.lookup('metric', member(writing, 'ParentID'));
    const { Level, TreeKey } = placeOf({ ...before, ...values }, parent);
    Object.assign(values, { Level, TreeKey });
  },
  async check(writing): Promise<readonly Fault[]> {
    return changes(writing, 'ParentID') ? aboveItself(writing, 'metric') : [];
  },
  async follow({ change, resource, values, before }) {
    if (before && values.TreeKey !== undefined) await replant(change, resource, { ...before, ...values });
  },
};
