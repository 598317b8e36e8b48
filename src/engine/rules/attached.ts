// Comments, dialogs, commitments and permissions: records that belong to records of several types (D18, D20).
import { type Fault, ServiceError } from '../../contract/errors.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Writing } from '../context.ts';
import { findByID, nameOf } from '../records/record-names.ts';
import { isChildType, mayRead } from '../rights/check.ts';
import { isAdministrator } from '../rights/labels.ts';
import type { Stored, WorkOnIDs } from '../store/port.ts';
import { member, type RecordToStore, type Rules } from './rule.ts';

const COMMENTED: readonly ResourceName[] = ['organization', 'individual', 'dialog'];

export const commentRules: Rules = {
  async prepare(toStore) {
    if (toStore.before) onlyAuthor(toStore.writing, toStore.before);
    await fillAncestorType(toStore);
  },
  follow: ({ writing, values, before }) =>
    updateNewestComment(writing, String(before?.AncestorID ?? values.AncestorID)),
  deleting: onlyAuthor,
  undeleting: onlyAuthor,
  deleted: (writing, row) => updateNewestComment(writing, String(row.AncestorID)),
};

function onlyAuthor(writing: Writing, comment: Stored): void {
  if (comment.CreatedBy === writing.caller.id || isAdministrator(writing)) return;
  throw new ServiceError('forbidden', `the comment ${String(comment.ID)} was made by somebody else`, {
    hint: 'Only its author or an administrator changes a comment.',
  });
}

/** Updates the `LastComment…` members of the commented record, without an entry of history; of many at the end of a batch. */
async function updateNewestComment(writing: Writing, ancestor: string): Promise<void> {
  const update: WorkOnIDs = (ancestors) => updateNewestComments(writing, [...ancestors]);
  if (writing.store.atEnd) writing.store.atEnd('newest comments', ancestor, update);
  else await update(new Set([ancestor]));
}

async function updateNewestComments(writing: Writing, ancestors: readonly string[]): Promise<void> {
  const { store, site } = writing;
  const newest = await store.firstOf('comment', site, 'AncestorID', ancestors);
  for (const ancestor of ancestors) {
    const about = await findByID(writing, ancestor);
    if (!about || !COMMENTED.includes(about.resource)) continue;
    const comment = newest.get(ancestor);
    await store.update(about.resource, site, ancestor, {
      LastComment: comment?.Body ?? null,
      LastCommentDate: comment?.Created ?? null,
      LastCommentByID: comment?.CreatedBy ?? null,
    });
  }
}

export async function fillAncestorType(toStore: RecordToStore): Promise<void> {
  if (toStore.before) return;
  toStore.values.AncestorType = (await findByID(toStore.writing, member(toStore, 'AncestorID')))?.rowType ?? null;
}

export const ancestorTypeRules: Rules = { prepare: fillAncestorType };

const MEASURES = [1, 2, 3, 4, 5];

export const commitmentRules: Rules = {
  async prepare(toStore) {
    await fillAncestorType(toStore);
    const { values } = toStore;
    values.MeasuresCompleted = MEASURES.filter(
      (number) => member(toStore, `Measure${number}Completed`) === true,
    ).length;
    values.MeasuresTotal = MEASURES.filter((number) => member(toStore, `Measure${number}`) !== null).length;
  },
};

export const permissionRules: Rules = {
  fill({ values }) {
    if (values.ChildType !== undefined && !isChildType(values.ChildType)) values.ChildType = null;
  },
  async check({ values, before, writing }: RecordToStore): Promise<readonly Fault[]> {
    if (before || typeof values.PrincipalID !== 'string') return [];
    const individual = await writing.lookup('individual', values.PrincipalID);
    if (!individual || !(await mayRead(writing, resourceNamed('individual'), individual))) return [];
    const message = `is the ID of the individual ${nameOf(individual)}; permissions need the UserID ${String(individual.UserID)}`;
    return [{ field: 'PrincipalID', code: 'reference', message }];
  },
};
