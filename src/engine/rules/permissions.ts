// Permissions: the principal is a UserID, never an individual's ID (D18), and other child types mean none (D20).
import type { Fault } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { nameOf } from '../records/record-names.ts';
import { isChildType, mayRead } from '../rights/check.ts';
import type { Rules, Writing } from './rule.ts';

export const permissionRules: Rules = {
  fill({ values }) {
    if (values.ChildType !== undefined && !isChildType(values.ChildType)) values.ChildType = null;
  },
  async check({ values, before, change }: Writing): Promise<readonly Fault[]> {
    if (before || typeof values.PrincipalID !== 'string') return [];
    const individual = await change.lookup('individual', values.PrincipalID);
    if (!individual || !(await mayRead(change, resourceNamed('individual'), individual))) return [];
    const message = `is the ID of the individual ${nameOf(individual)}; the principal is the UserID ${String(individual.UserID)}`;
    return [{ field: 'PrincipalID', code: 'reference', message }];
  },
};
