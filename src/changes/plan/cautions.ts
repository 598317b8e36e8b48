// Warnings about what an undo cannot restore exactly, shown before the change is made.
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import { isSoft, plural, type Resource } from '../../contract/resource.ts';

/** What an undo of these rows does not bring back: sentences, each once. */
export const cautionsOf = (rows: readonly PlannedRow[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => [...undoCautions(row)])),
];

/** What an undo of this row does not bring back, and what a redo after the undo does not. */
export function* cautionsFor(row: PlannedRow): Generator<string> {
  yield* undoCautions(row);
  yield* redoCautions(row);
}

/** How a final deletion is undone, in a sentence (D8). */
export const backAgain = ({ id }: Resource): string =>
  `There is no undelete. An undo brings it back${id === 'integer' ? ' under a new ID' : ''}.`;

function* undoCautions(row: PlannedRow): Generator<string> {
  const resource = resourceNamed(row.resource);
  const operation = resource.operations[row.operation];
  const those = plural(resource);
  if (row.secret && operation?.verb !== 'create')
    yield `An undo brings back no ${row.secret.members.join(', ')}: nobody can read the old one.`;
  if (operation?.verb === 'delete' && !isSoft(resource)) {
    yield resource.id === 'integer'
      ? `Deleted ${those} come back by an undo under new IDs: the service gives the numbers.`
      : `Deleted ${those} are gone for good; an undo makes them anew from what was last known of them.`;
  }
  // History tells of records that an operation of its own made.
  if ((operation?.verb ?? row.operation) === 'create' && !('delete' in resource.operations))
    yield `New ${those} cannot be undone: the service deletes none.`;
  if (operation?.reverse === 'none') yield 'An undo cannot take this back.';
}

function* redoCautions({ resource: name, operation, body }: PlannedRow): Generator<string> {
  const resource = resourceNamed(name);
  if (resource.operations[operation]?.verb === 'create' && body?.ID === undefined && resource.id === 'integer')
    yield `The IDs of new ${plural(resource)} are given by the service: a redo after an undo gives them others.`;
}
