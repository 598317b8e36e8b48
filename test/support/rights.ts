// Gives rights in the words of tests: `await give(ada, ines, organization, { Read: 1, Update: 2 })`.
import type { Row, Value } from '../../src/contract/resource.ts';
import type { Asker } from './site.ts';

type Actions = Readonly<Partial<Record<'Create' | 'Read' | 'Update' | 'Delete' | 'Delegate', 0 | 1 | 2>>>;

export const ALLOW = 1;
export const DENY = 2;

/** Makes a permission row for an individual or a security group; actions that are not named are not set. */
export function give(
  giver: Asker,
  who: Row,
  on: Value | undefined,
  actions: Actions,
  ChildType: number | null = null,
): Promise<Row> {
  const of = (action: keyof Actions): number => actions[action] ?? 0;
  return giver.make('permission', {
    RowID: on,
    PrincipalID: who.UserID ?? who.ID,
    ChildType,
    CreateState: of('Create'),
    ReadState: of('Read'),
    UpdateState: of('Update'),
    DeleteState: of('Delete'),
    DelegateState: of('Delegate'),
  });
}
