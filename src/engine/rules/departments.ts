// Organizations stand below the site, departments below an organization or a department.
import type { Fault } from '../../contract/errors.ts';
import { placeOf, updateSubtree } from '../records/tree.ts';
import { parentLoop } from './no-loops.ts';
import { changes, member, type Rules, type Writing } from './rule.ts';
import { fillSite } from './sites.ts';

const ORGANIZATION = 4;
const DEPARTMENT = 56;

export const organizationRules: Rules = {
  fill(writing) {
    fillSite(writing);
    const { values, before, change } = writing;
    if (!before) values.ParentID ??= change.site;
  },
  async prepare(writing) {
    const { values, before, change } = writing;
    values.RowType = member(writing, 'ParentID') === change.site ? ORGANIZATION : DEPARTMENT;
    const parent = await change.lookup('organization', member(writing, 'ParentID'));
    Object.assign(values, placeOf({ ...before, ...values }, parent));
  },
  async check(writing): Promise<readonly Fault[]> {
    if (!changes(writing, 'ParentID')) return [];
    return otherKind(writing) ?? parentLoop(writing, 'organization');
  },
  async follow({ change, resource, values, before }) {
    if (before && values.TreeKey !== undefined) await updateSubtree(change, resource, { ...before, ...values });
  },
};

/** D10: an organization stays one, and so does a department. */
function otherKind({ values, before }: Writing): readonly Fault[] | undefined {
  if (!before || before.RowType === values.RowType) return undefined;
  const message =
    before.RowType === ORGANIZATION
      ? 'would make a department of an organization'
      : 'would make an organization of a department';
  return [
    {
      field: 'ParentID',
      code: 'immutable',
      message,
      hint: 'Make a new one in its place.',
    },
  ];
}
