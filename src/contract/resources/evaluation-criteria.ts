// By what a project will be judged, and whether that is reached.
import { boolean } from '../field.ts';
import { create, get, list, remove, undelete, update } from '../operation.ts';
import { defineResource, type RecordOf } from '../resource.ts';
import { listItem } from './list-item.ts';

export const evaluationCriteria = defineResource({
  name: 'evaluationCriteria',
  command: 'evaluation-criteria',
  aliases: ['evaluation-criterion'],
  type: 'EvaluationCriteria',
  doc: 'By what a project will be judged, and whether that is reached.',
  fields: {
    Completed: boolean('optional', { doc: 'Is it reached?', source: 'help pages' }),
    ...listItem('project'),
  },
  rights: { from: ['AncestorID'], unset: 'open' },
  order: ['Rank', 'Name'],
  names: ['Name'],
  key: ['AncestorID', 'Name'],
  columns: ['ID', 'Rank', 'Name', 'Completed', 'Description'],
  operations: {
    list: list({ project: 'GET /projects/{projectid}/evaluationcriteria?deleted' }, { source: 'help pages' }),
    get: get(
      {
        plain: 'GET /evaluationcriteria/{evaluationcriteriaid}',
        project: 'GET /projects/{projectid}/evaluationcriteria/{evaluationcriteriaid}',
      },
      { source: 'help pages' },
    ),
    create: create({ plain: 'POST /evaluationcriteria' }, { source: 'help pages' }),
    update: update({ plain: 'PUT /evaluationcriteria/{id}' }, { source: 'help pages' }),
    delete: remove({ plain: 'DELETE /evaluationcriteria/{id}' }, { source: 'inferred', output: 'object' }),
    undelete: undelete({ plain: 'PUT /evaluationcriteria/{id}/undelete' }, { source: 'inferred' }),
  },
});
export interface EvaluationCriteria extends RecordOf<typeof evaluationCriteria> {}
