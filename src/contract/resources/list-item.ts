// The fields of accountabilities, supervisory scopes, project scopes and, with one more, evaluation criteria.
import { guid, integer, text } from '../field.ts';
import { audit, deletion } from './shared.ts';

/** The ListItem of the document; `owner` is what its AncestorID names. */
export const listItem = (owner: 'individual' | 'project') =>
  ({
    ID: guid('required on update'),
    AncestorID: guid('required on create', { doc: `The ${owner} it belongs to.`, to: [owner], owner: true }),
    Rank: integer('required', { doc: 'Its place in the list.' }),
    Name: text('required', { max: 255 }),
    Description: text('required'),
    SiteID: guid('read-only', { to: ['site'] }),
    ...deletion,
    Created: audit.Created,
    CreatedBy: audit.CreatedBy,
    Updated: audit.Updated,
    UpdatedBy: audit.UpdatedBy,
  }) as const;
