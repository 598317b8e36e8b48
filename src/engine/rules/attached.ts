// Comments: only their author or an administrator changes them (D17), and the newest shows on what it is about.
import { ServiceError } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/index.ts';
import type { Change } from '../context.ts';
import { rowTypeOf } from '../records/row-types.ts';
import { isAdministrator } from '../rights/labels.ts';
import type { Stored } from '../store/port.ts';
import { fillAncestorType } from './hangs-on.ts';
import type { Rules } from './rule.ts';

const SHOWING: readonly ResourceName[] = ['organization', 'individual', 'dialog'];

export const commentRules: Rules = {
  async prepare(writing) {
    if (writing.before) onlyAuthor(writing.change, writing.before);
    await fillAncestorType(writing);
  },
  follow: ({ change, values, before }) => showNewest(change, String(before?.AncestorID ?? values.AncestorID)),
  deleting: onlyAuthor,
  undeleting: onlyAuthor,
  deleted: (change, row) => showNewest(change, String(row.AncestorID)),
};

function onlyAuthor(change: Change, comment: Stored): void {
  if (comment.CreatedBy === change.caller.id || isAdministrator(change)) return;
  throw new ServiceError('forbidden', `the comment ${String(comment.ID)} was made by somebody else`, {
    hint: 'Only its author or an administrator changes a comment.',
  });
}

/** Brings the `LastComment…` members of what was commented on in step; that is no change of the record itself. */
async function showNewest(change: Change, ancestor: string): Promise<void> {
  const about = await rowTypeOf(change, ancestor);
  if (!about || !SHOWING.includes(about.resource)) return;
  const [newest] = await change.store.find({
    resource: 'comment',
    site: change.site,
    equals: { AncestorID: ancestor, Deleted: false },
    deleted: 2,
    ordered: true,
    limit: 1,
  });
  await change.store.update(about.resource, change.site, ancestor, {
    LastComment: newest?.Body ?? null,
    LastCommentDate: newest?.Created ?? null,
    LastCommentByID: newest?.CreatedBy ?? null,
  });
}
