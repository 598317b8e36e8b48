// What a change cannot be taken back from exactly, said before it is made.
import { resourceNamed } from '../../contract/index.ts';
import type { PlannedRow } from '../../contract/jobs.ts';
import type { Operation } from '../../contract/operation.ts';
import { isSoft, plural, type Resource } from '../../contract/resource.ts';

export interface Cautions {
  note(row: PlannedRow): void;
  /** Sentences for people, each once. */
  readonly lines: readonly string[];
}

/** Gathers while a plan goes by: what an undo does not bring back, and what a redo after it does not. */
export function openCautions(): Cautions {
  const lines = new Set<string>();
  return {
    note: (row) => {
      for (const line of cautionsFor(row)) lines.add(line);
      for (const line of ofRedo(row)) lines.add(line);
    },
    get lines() {
      return [...lines];
    },
  };
}

/** What an undo of these rows does not bring back. */
export const cautionsOf = (rows: Iterable<PlannedRow>): readonly string[] => [
  ...new Set([...rows].flatMap((row) => [...cautionsFor(row)])),
];

/** How a final deletion can be taken back, in a sentence (D8). */
export const backAgain = ({ id }: Resource): string =>
  `There is no undelete. An undo brings it back${id === 'integer' ? ' under a new ID' : ''}.`;

function* cautionsFor(row: PlannedRow): Generator<string> {
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
  if (operation?.verb === 'create' && !('delete' in resource.operations))
    yield `New ${those} cannot be undone: the service deletes none.`;
  if (operation && isOneWay(operation, row)) yield 'An undo cannot take this back.';
}

/** What does a thing rather than set values of a record. */
const isOneWay = ({ verb, reverse, repeatable }: Operation, { id }: PlannedRow): boolean =>
  (verb === 'local' && reverse === undefined) || (verb === 'special' && !repeatable && id === undefined);

function* ofRedo({ resource: name, operation, body }: PlannedRow): Generator<string> {
  const resource = resourceNamed(name);
  if (resource.operations[operation]?.verb === 'create' && body?.ID === undefined && resource.id === 'integer')
    yield `The IDs of new ${plural(resource)} are given by the service: a redo after an undo gives them others.`;
}
