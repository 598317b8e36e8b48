// Comments, dialogs, commitments and permissions: records that belong to records of several types (D18, D20).
import { type Fault, ServiceError } from '../../contract/errors.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Change } from '../context.ts';
import { findByID, nameOf } from '../records/record-names.ts';
import { isChildType, mayRead } from '../rights/check.ts';
import { isAdministrator } from '../rights/labels.ts';
import type { Stored, WorkOnIDs } from '../store/port.ts';
import { member, type Rules, type Writing } from './rule.ts';

const COMMENTED: readonly ResourceName[] = ['organization', 'individual', 'dialog'];

export const commentRules: Rules = {
  async prepare(writing) {
    if (writing.before) onlyAuthor(writing.change, writing.before);
    await fillAncestorType(writing);
  },
  follow: ({ change, values, before }) => updateNewestComment(change, String(before?.AncestorID ?? values.AncestorID)),
  deleting: onlyAuthor,
  undeleting: onlyAuthor,
  deleted: (change, row) => updateNewestComment(change, String(row.AncestorID)),
};

function onlyAuthor(change: Change, comment: Stored): void {
  if (comment.CreatedBy === change.caller.id || isAdministrator(change)) return;
  throw new ServiceError('forbidden', `the comment ${String(comment.ID)} was made by somebody else`, {
    hint: 'Only its author or an administrator changes a comment.',
  });
}

/** Updates the `LastComment…` members of the commented record, without an entry of history; of many at the end of a batch. */
async function updateNewestComment(change: Change, ancestor: string): Promise<void> {
  const update: WorkOnIDs = (ancestors) => updateNewestComments(change, [...ancestors]);
  if (change.store.atEnd) change.store.atEnd('newest comments', ancestor, update);
  else await update(new Set([ancestor]));
}

async function updateNewestComments(change: Change, ancestors: readonly string[]): Promise<void> {
  const { store, site } = change;
  const newest = await store.firstOf('comment', site, 'AncestorID', ancestors);
  for (const ancestor of ancestors) {
    const about = await findByID(change, ancestor);
    if (!about || !COMMENTED.includes(about.resource)) continue;
    const comment = newest.get(ancestor);
    await store.update(about.resource, site, ancestor, {
      LastComment: comment?.Body ?? null,
      LastCommentDate: comment?.Created ?? null,
      LastCommentByID: comment?.CreatedBy ?? null,
    });
  }
}

/** Sets the row type of the record that this one belongs to. */
export async function fillAncestorType(writing: Writing): Promise<void> {
  if (writing.before) return;
  writing.values.AncestorType = (await findByID(writing.change, member(writing, 'AncestorID')))?.rowType ?? null;
}

export const ancestorTypeRules: Rules = { prepare: fillAncestorType };

const MEASURES = [1, 2, 3, 4, 5];

export const commitmentRules: Rules = {
  async prepare(writing) {
    await fillAncestorType(writing);
    const { values } = writing;
    values.MeasuresCompleted = MEASURES.filter(
      (number) => member(writing, `Measure${number}Completed`) === true,
    ).length;
    values.MeasuresTotal = MEASURES.filter((number) => member(writing, `Measure${number}`) !== null).length;
  },
};

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
