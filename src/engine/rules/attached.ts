// Comments, dialogs, commitments and permissions: records that belong to records of several types (D18, D20).
import { type Fault, ServiceError } from '../../contract/errors.ts';
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import { type Change, findIn } from '../context.ts';
import { findByID, nameOf } from '../records/record-names.ts';
import { isChildType, mayRead } from '../rights/check.ts';
import { isAdministrator } from '../rights/labels.ts';
import type { Stored } from '../store/port.ts';
import { member, type Rules, type Writing } from './rule.ts';

const COMMENTED: readonly ResourceName[] = ['organization', 'individual', 'dialog'];

export const commentRules: Rules = {
  beside: 'AncestorID',
  async prepare(writing) {
    if (writing.before) onlyAuthor(writing.change, writing.before);
    await fillAncestorType(writing);
  },
  follow: ({ change, values, before }) => updateNewestComment(change, { ...before, ...values }, before === undefined),
  deleting: onlyAuthor,
  undeleting: onlyAuthor,
  deleted: (change, row) => updateNewestComment(change, row, false),
};

function onlyAuthor(change: Change, comment: Stored): void {
  if (comment.CreatedBy === change.caller.id || isAdministrator(change)) return;
  throw new ServiceError('forbidden', `the comment ${String(comment.ID)} was made by somebody else`, {
    hint: 'Only its author or an administrator changes a comment.',
  });
}

/**
 * Updates the `LastComment…` members of the commented record, without an entry of history. The others are asked only where a
 * comment may have been the newest, or is as new: those of a file mostly are not.
 */
async function updateNewestComment(change: Change, comment: Stored, isNew: boolean): Promise<void> {
  const about = await findByID(change, comment.AncestorID ?? null);
  if (!about || !COMMENTED.includes(about.resource) || (isNew && comment.Deleted === true)) return;
  const last = about.row.LastCommentDate ?? null;
  const [made, before] = [Date.parse(String(comment.Created)), Date.parse(String(last))];
  if (made < before) return;
  const isNewest = isNew && (last === null || made > before);
  const newest = isNewest ? comment : await newestComment(change, about.row);
  await change.store.update(about.resource, change.site, String(about.row.ID), {
    LastComment: newest?.Body ?? null,
    LastCommentDate: newest?.Created ?? null,
    LastCommentByID: newest?.CreatedBy ?? null,
  });
}

/** The first of a list (D16): of those of one moment that of the lowest ID. */
async function newestComment(change: Change, about: Stored): Promise<Stored | undefined> {
  const all = await findIn(change, 'comment', { equals: { AncestorID: about.ID ?? null }, deleted: 2 });
  const madeAt = ({ Created }: Stored): number => Date.parse(String(Created));
  const isFirst = (one: Stored, other: Stored): boolean =>
    madeAt(one) > madeAt(other) || (madeAt(one) === madeAt(other) && String(one.ID) < String(other.ID));
  const live = all.filter(({ Deleted }) => Deleted !== true);
  return live.reduce<Stored | undefined>((first, one) => (first && isFirst(first, one) ? first : one), undefined);
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
    values.MeasuresTotal = MEASURES.filter((number) => isSet(writing, number)).length;
  },
};

const isSet = (writing: Writing, number: number): boolean => member(writing, `Measure${number}`) !== null;

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
