// Fields that many resources share: who made a record and who changed it, whether it is deleted, the items of lists.
import { boolean, date, type Fields, guid, integer, type Source, stamp, text } from '../field.ts';

export const audit = {
  Created: date('read-only', { doc: 'When it was made.' }),
  CreatedBy: guid('read-only', { doc: 'The individual who made it.', to: ['individual'] }),
  Updated: date('read-only', { doc: 'When it was last changed.' }),
  UpdatedBy: guid('read-only', { doc: 'The individual who last changed it.', to: ['individual'] }),
} as const;

export const deletion = {
  Deleted: boolean('read-only', { doc: 'Deleted by itself.' }),
  DeletedByRef: boolean('read-only', { doc: 'Hidden because something it belongs to is deleted.' }),
} as const;

/** The same fields, known from this source. */
export const knownFrom = <F extends Fields>(source: Source, fields: F): F =>
  // Each name keeps its field.
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, source }])) as unknown as F;

/** The newest comment on a record, as far as the caller may see it. */
export const lastComment = {
  LastComment: text('read-only', { doc: 'Body of the newest comment.' }),
  LastCommentDate: stamp('read-only', { doc: 'When the newest comment was made.' }),
  LastCommentByID: guid('read-only', { doc: 'Who made the newest comment.', to: ['individual'] }),
  LastCommentBy: text('read-only', { doc: 'Name of who made the newest comment.' }),
} as const;

/** The caller's rights on a record. */
export const mayDo = {
  CanRead: boolean('read-only', { doc: 'May you read it?' }),
  CanUpdate: boolean('read-only', { doc: 'May you change it?' }),
  CanDelete: boolean('read-only', { doc: 'May you delete it?' }),
  CanDelegate: boolean('read-only', { doc: 'May you give others rights on it?' }),
} as const;

/** The ListItem of the document; `owner` is named by its AncestorID. */
export const listItem = (owner: 'individual' | 'project') =>
  ({
    ID: guid('required on update'),
    AncestorID: guid('required on create', { doc: `The ${owner} it belongs to.`, to: [owner], owner: true }),
    Rank: integer('required', { doc: 'Its place in the list.' }),
    Name: text('required', { max: 255, name: true }),
    Description: text('required'),
    SiteID: guid('read-only', { to: ['site'] }),
    ...deletion,
    ...audit,
  }) as const;

/** All resources of such items have it. */
export const listItems = {
  type: 'ListItem',
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['AncestorID', 'Name'],
  columns: ['ID', 'Rank', 'Name', 'Description'],
} as const;
