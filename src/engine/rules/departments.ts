// The parent of an organization is the site, that of a department an organization or a department.
import type { Fault } from '../../contract/errors.ts';
import { placeAfter, treeRules } from './no-loops.ts';
import { changes, member, type Rules, type Writing } from './rule.ts';
import { fillSite } from './sites.ts';

const ORGANIZATION = 4;
const DEPARTMENT = 56;

export const organizationRules: Rules = {
  ...treeRules,
  fill(writing) {
    fillSite(writing);
    const { values, before, change } = writing;
    if (!before) values.ParentID ??= change.site;
  },
  async prepare(writing) {
    const { values, change } = writing;
    values.RowType = member(writing, 'ParentID') === change.site ? ORGANIZATION : DEPARTMENT;
    Object.assign(values, await placeAfter(writing));
  },
  check: (writing) => otherKind(writing) ?? treeRules.check(writing),
};

/** D10: an organization does not become a department, nor the reverse. */
function otherKind(writing: Writing): readonly Fault[] | undefined {
  const { values, before } = writing;
  if (!before || before.RowType === values.RowType || !changes(writing, 'ParentID')) return undefined;
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
