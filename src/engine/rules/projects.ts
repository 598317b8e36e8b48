// Projects form a tree, and team members have one of the service's roles.
import type { Fault } from '../../contract/errors.ts';
import { ROLES } from '../records/defaults.ts';
import { placeAfter, treeRules } from './no-loops.ts';
import type { Rules } from './rule.ts';

export const projectRules: Rules = {
  ...treeRules,
  async prepare(writing) {
    Object.assign(writing.values, await placeAfter(writing));
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
