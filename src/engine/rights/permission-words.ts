// What a permission row says besides its numbers: on what, to whom, and its states in words.

import { resourceNamed } from '../../contract/index.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { STATES } from '../../contract/resources/permissions.ts';
import { CHILD_TYPES } from '../../contract/rights.ts';
import type { Context } from '../context.ts';
import { type Kind, rowTypeOf } from '../records/row-types.ts';
import type { Stored } from '../store/port.ts';
import { mayRead } from './check.ts';

const ACTIONS = ['Create', 'Read', 'Update', 'Delete', 'Delegate'] as const;

/** The members that `readPermission` works out. */
export const PERMISSION_FIELDS: readonly string[] = [
  ...['RowType', 'PrincipalName', 'PrincipalType', 'RowName'],
  ...ACTIONS.map((action) => `${action}Text`),
];

export async function readPermission(row: Stored, context: Context): Promise<Row> {
  const object = await rowTypeOf(context, row.RowID ?? null);
  const group = await context.lookup('securityGroup', row.PrincipalID);
  const user = group ? undefined : await userOf(context, row.PrincipalID ?? null);
  const words = ACTIONS.map((action) => [
    `${action}Text`,
    STATES[row[`${action}State`] as keyof typeof STATES] ?? null,
  ]);
  return {
    RowType: object?.rowType ?? null,
    RowName: object ? await nameOfKind(context, object) : null,
    PrincipalName: await principalName(context, group, user),
    PrincipalType: group ? 2 : 1,
    ...Object.fromEntries(words),
  };
}

/** The name of what other records hang on, as far as the caller may read it. */
export async function nameOfKind(context: Context, { resource, row, name }: Kind): Promise<Value> {
  return (await mayRead(context, resourceNamed(resource), row)) ? name : null;
}

/** Is this number one of the document's child types (D20)? */
export const isChildType = (number: Value): boolean => typeof number === 'number' && number in CHILD_TYPES;

async function principalName(context: Context, group: Stored | undefined, user: Stored | undefined): Promise<Value> {
  if (group) return (await mayRead(context, resourceNamed('securityGroup'), group)) ? (group.Group ?? null) : null;
  return user && (await mayRead(context, resourceNamed('individual'), user)) ? (user.FullName ?? null) : null;
}

async function userOf(context: Context, userID: Value): Promise<Stored | undefined> {
  return (
    await context.store.find({
      resource: 'individual',
      site: context.site,
      equals: { UserID: userID },
      deleted: 2,
    })
  )[0];
}
