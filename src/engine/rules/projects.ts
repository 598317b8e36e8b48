// Projects stand in a tree of their own, and their team members have one of the service's roles.
import type { Fault } from '../../contract/errors.ts';
import { ROLES } from '../records/defaults.ts';
import { placeOf, updateSubtree } from '../records/tree.ts';
import { parentLoop } from './no-loops.ts';
import { changes, member, type Rules } from './rule.ts';

export const projectRules: Rules = {
  async prepare(writing) {
    const parent = await writing.change.lookup('project', member(writing, 'ParentID'));
    Object.assign(writing.values, placeOf({ ...writing.before, ...writing.values }, parent));
  },
  async check(writing): Promise<readonly Fault[]> {
    return changes(writing, 'ParentID') ? parentLoop(writing, 'project') : [];
  },
  async follow({ change, resource, values, before }) {
    if (before && values.TreeKey !== undefined) await updateSubtree(change, resource, { ...before, ...values });
  },
};

export const teamMemberRules: Rules = {
  check({ values }): readonly Fault[] {
    if (values.RoleID === undefined || ROLES.some((role) => role.ID === values.RoleID)) return [];
    return [
      {
        field: 'RoleID',
        code: 'reference',
        message: `names ${String(values.RoleID)}, which is no role`,
        hint: "The team members' operation roles lists them.",
      },
    ];
  },
};
