// The service's numbers for kinds of records, as comments, dialogs, commitments and permissions show them.
import { type ResourceName, resources } from '../contract/index.ts';
import type { Value } from '../contract/resource.ts';
import type { Context } from './context.ts';
import type { Stored } from './store/port.ts';

const DIALOG = 9;
const NAMED: readonly ResourceName[] = ['organization', 'individual', 'project', 'dialog', 'site'];

interface Kind {
  readonly resource: ResourceName;
  readonly row: Stored;
  readonly rowType: number;
  readonly name: Value;
}

/** What an ID of this site belongs to; undefined where it is nothing that other records hang on. */
export async function rowTypeOf(context: Context, id: Value): Promise<Kind | undefined> {
  for (const resource of NAMED) {
    const row = await context.lookup(resource, id);
    if (row)
      return {
        resource,
        row,
        rowType: numberOf(resource, row),
        name: row.FullName ?? row.Name ?? null,
      };
  }
  return undefined;
}

function numberOf(resource: ResourceName, row: Stored): number {
  if (typeof row.RowType === 'number') return row.RowType;
  return resources.find((one) => one.name === resource)?.rowType ?? DIALOG;
}
