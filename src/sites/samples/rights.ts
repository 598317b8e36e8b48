// The rights by which the people of a sample write: leaders in their departments, and whom somebody reports to.
import type { Pen } from './diary.ts';

const WRITES = { CreateState: 1, ReadState: 1, UpdateState: 1, DeleteState: 1, DelegateState: 0 } as const;

/** Lets an individual write on a record and on all that belongs to it. Both are IDs. */
export async function letWrite(pen: Pen, individual: string, on: string): Promise<void> {
  const { UserID = null } = (await pen.session.find.record('individual', { id: individual })).row ?? {};
  await pen.add('permission', { ...WRITES, RowID: on, PrincipalID: UserID, ChildType: null });
}
