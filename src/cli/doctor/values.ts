// The doctor's look at the records of the embedded site: values that a rule of today would refuse.

import { writableBody } from '../../changes/plan/change.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { storedResources } from '../../contract/index.ts';
import { type Resource, type Row, singular } from '../../contract/resource.ts';
import { validate } from '../../contract/validate.ts';
import { bad, type Finding, ok } from './finding.ts';

const MOST_SHOWN = 50;

/** One finding for each live record with such values, at most fifty; they hold up no change of other members (D10). */
export async function checkValues(session: Session): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const resource of storedResources) {
    for await (const row of session.find.all(resource.name, 0)) {
      const refused = refusedIn(resource, row);
      if (refused !== undefined) found.push(findingOf(resource, row, refused));
    }
  }
  if (found.length === 0) return [ok('values', 'every value is one that could be set today')];
  const more = found.length - MOST_SHOWN;
  return more > 0 ? [...found.slice(0, MOST_SHOWN), bad('values', 'warning', `${more} more records`, KEPT)] : found;
}

const KEPT = 'Change them when you can; they hold up no change of other members.';

/** What the rules of today refuse of a record; undefined where they refuse nothing. */
function refusedIn(resource: Resource, row: Row): string | undefined {
  const { fields, open } = resource;
  const set = Object.entries(writableBody(resource, row)).filter(([, value]) => value !== null);
  try {
    validate({ fields, what: '', open }, Object.fromEntries(set), 'update');
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.faults.map(({ field, message }) => `${field} ${message}`).join('; ');
  }
}

const findingOf = (resource: Resource, row: Row, refused: string): Finding =>
  bad(
    'values',
    'warning',
    `the ${singular(resource)} ${String(row.ID)}: ${refused}`,
    `${KEPT} pm ${resource.command} get ${String(row.ID)}`,
  );
