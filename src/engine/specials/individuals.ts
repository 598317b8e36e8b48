// Setting a password and making a global administrator, which only the owner of the database file does (D1).
import type { Input } from '../../contract/call.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { setPasswordOf } from '../auth/passwords.ts';
import type { Change } from '../context.ts';
import { answer } from '../records/answer.ts';
import { replace } from '../records/history.ts';
import { readable } from '../records/read-record.ts';
import { nameOf } from '../records/record-names.ts';
import { globalAdminOnly, isOutOfReach } from '../rights/labels.ts';
import type { Stored } from '../store/port.ts';
import { bodyOf, type Target } from '../target.ts';

/** History records the change without the password. Throws `global_admin_only` for a global administrator's (D14). */
export async function setPassword(change: Change, target: Target, input: Input): Promise<Row> {
  const { Individual, Password } = bodyOf(target, input, 'the new password');
  const row = await individual(change, Individual);
  if (isOutOfReach(change, row)) throw globalAdminOnly(`setting the password of ${nameOf(row)}`);
  await setPasswordOf(change, String(row.ID), String(Password));
  return changed(change, row, {});
}

/** Needs no right but the file: a database without a global administrator must get one again. */
export async function grantGlobal(change: Change, target: Target, input: Input): Promise<Row> {
  const row = await individual(change, bodyOf(target, input, 'the grant').Individual);
  return row.IsGlobalAdmin === true
    ? answer(change, resourceNamed('individual'), row)
    : changed(change, row, { IsGlobalAdmin: true });
}

const individual = (change: Change, id: unknown): Promise<Stored> =>
  readable(change, { resource: 'individual', id: String(id) }, 0);

async function changed(change: Change, row: Stored, changes: Row): Promise<Row> {
  const resource = resourceNamed('individual');
  await replace(change, resource, row, changes);
  return answer(change, resource, (await change.store.get('individual', change.site, String(row.ID))) ?? row);
}
