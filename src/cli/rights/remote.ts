// pm can on a remote service, which shows only the caller's own rights, as members of records, and the permission rows.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { boolean } from '../../contract/field.ts';
import { contract, resources } from '../../contract/index.ts';
import type { RecordNamed } from '../../contract/next.ts';
import type { Action, Resource, Row } from '../../contract/resource.ts';
import { HOLDERS, STATES } from '../../contract/resources/permissions.ts';
import type { RightsQuestion, RightsWish } from '../../contract/rights.ts';
import type { Context } from '../context.ts';
import { print } from '../output/printing.ts';
import { integers, shapeFrom, texts } from '../output/result.ts';
import { permissionRows, textField } from './grant.ts';
import { reasonRow } from './reason.ts';
import { whoShape } from './who-may.ts';

/** The members of records that show a right of the caller. */
const MEMBERS = {
  read: 'CanRead',
  update: 'CanUpdate',
  delete: 'CanDelete',
  delegate: 'CanDelegate',
} as const satisfies Partial<Record<Action, string>>;

const SHOWN = Object.keys(MEMBERS) as readonly (keyof typeof MEMBERS)[];

/** Prints yes or no; answers the exit code `no` for no. Throws `usage` for a right that records do not show. */
export async function answerRemotely(context: Context, { who, ...wish }: RightsQuestion, no: number): Promise<number> {
  const session = await context.session();
  if (who !== session.me.id) throw notAnswered(context);
  const value = shownIn(await recordOf(session, wish), wish.action);
  if (value === undefined) throw notAnswered(context);
  print(context.io, [value ? 'yes' : 'no']);
  return value ? 0 : no;
}

/** The record of a wish; undefined for a new one, and for a resource without an address of its own. */
async function recordOf(session: Session, { resource, id }: Omit<RightsWish, 'action'>): Promise<Row | undefined> {
  const { operations } = contract[resource as keyof typeof contract];
  if (id === undefined || !('get' in operations)) return undefined;
  return session.call(operations.get, { params: { id } });
}

/** A record that is answered may be read. */
function shownIn(row: Row | undefined, action: Action): boolean | undefined {
  if (!row || action === 'create') return undefined;
  const value = row[MEMBERS[action]] ?? (action === 'read' ? true : undefined);
  return typeof value === 'boolean' ? value : undefined;
}

/** `usage`: a remote service does not tell it. */
export const notAnswered = ({ settings }: Context): ServiceError =>
  new ServiceError('usage', `${settings.profile} is a remote service, and does not answer this`, {
    hint: [
      'Of yourself it tells what records show as CanRead, CanUpdate, CanDelete;',
      'with --as <user> an administrator asks as that individual, who is then "me".',
      'pm permissions list shows the rows that are given.',
    ].join(' '),
  });

/**
 * Prints the caller, where the record shows that right, and whom permission rows on the record allow it. Throws `partly`
 * afterwards: who else may, the service does not tell. Throws `usage` for a new record.
 */
export async function showWhoRemotely(context: Context, wish: RightsWish): Promise<never> {
  const session = await context.session();
  await context.checkPrint(whoShape(context, []));
  if (wish.id === undefined) throw notAnswered(context);
  const isOwn = shownIn(await recordOf(session, wish), wish.action);
  const rows = [...(isOwn ? [ownRow(session)] : []), ...(await rowsAllowing(session, wish))];
  await context.print({ shape: whoShape(context, rows), rows });
  throw new ServiceError('partly', `${context.settings.profile} is a remote service, and does not say who else may`, {
    hint: 'This lists you and the permissions on the record. It lacks the permissions above it, administrators, and the default.',
  });
}

const ownRow = ({ me }: Session): Row => ({ UserName: me.userName, By: 'the record', ID: me.id });

async function rowsAllowing(session: Session, { action, resource, id = '' }: RightsWish): Promise<readonly Row[]> {
  if (!(HOLDERS as readonly string[]).includes(resource)) return [];
  const rows = await permissionRows(session, resource, id, null);
  return rows
    .filter((row) => row[textField(action)] === STATES[1])
    .map((row) => ({
      ...reasonRow({ by: 'row', on: 'the record', rows: [row] }),
      FullName: row.PrincipalType === 1 ? (row.PrincipalName ?? null) : null,
    }));
}

const RECORD = shapeFrom('RecordRights', { ...texts('Action'), Allowed: boolean('read-only') });

/** One row for each action that the record shows. */
export async function showRecordRemotely(context: Context, record: RecordNamed): Promise<number> {
  const session = await context.session();
  await context.checkPrint(RECORD);
  const row = await recordOf(session, record);
  const rows = SHOWN.flatMap((action): readonly Row[] => {
    const Allowed = shownIn(row, action);
    return Allowed === undefined ? [] : [{ Action: action, Allowed }];
  });
  if (rows.length === 0) throw notAnswered(context);
  return context.print({ shape: RECORD, rows });
}

const SHOWING = resources.filter(({ fields }) => MEMBERS.update in fields);
const KINDS = shapeFrom('Rights', {
  ...texts('Resource'),
  ...integers('Records', 'Read', 'Update', 'Delete', 'Delegate'),
});

/** One row for each resource with records that show rights, or for one of them. Throws `usage` for another one. */
export async function showKindsRemotely(context: Context, only?: Resource): Promise<number> {
  const session = await context.session();
  await context.checkPrint(KINDS);
  const asked = SHOWING.filter(({ name }) => only === undefined || name === only.name);
  if (asked.length === 0) throw notAnswered(context);
  const rows: Row[] = [];
  for (const resource of asked) rows.push(await kindRow(session, resource));
  return context.print({ shape: KINDS, rows });
}

/** A count is null where a record does not show that right. */
async function kindRow(session: Session, { name, command }: Resource): Promise<Row> {
  const counts = new Map<string, number | null>(SHOWN.map((action) => [action, 0]));
  let Records = 0;
  for await (const row of session.find.all(name, 0)) {
    Records++;
    for (const action of SHOWN) {
      const [count, value] = [counts.get(action) ?? null, shownIn(row, action)];
      counts.set(action, count === null || value === undefined ? null : count + Number(value));
    }
  }
  const cells = SHOWN.map((action) => [MEMBERS[action].slice('Can'.length), counts.get(action) ?? null]);
  return { Resource: command, Records, ...Object.fromEntries(cells) };
}
