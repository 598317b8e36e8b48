// pm permissions set: a right in words.
import type { Change } from '../../changes/change.ts';
import { make, rehearse } from '../../changes/change.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import type { Row } from '../../contract/resource.ts';
import { STATES } from '../../contract/resources/permissions.ts';
import { announce } from '../announce.ts';
import { checkBudget } from '../confirm.ts';
import { type Context, rowsOf } from '../context.ts';
import {
  ACTIONS,
  bodyOf,
  flagOf,
  type Grant,
  ownNumber,
  readGrant,
  rowOf,
  rowsOn,
  stateField,
  textField,
  type Wanted,
} from '../grant.ts';
import { beginChange } from '../make-changes.ts';
import { printPlan } from '../plan-output.ts';
import { shapeOf } from '../shape.ts';

const { permission } = contract;

export async function set(context: Context, grant: Grant): Promise<number> {
  const session = await beginChange(context, permission);
  const wanted = await readGrant(session, grant);
  const there = await rowOf(session, wanted);
  if (!there && wanted.word === STATES[0]) {
    context.note('Nothing is set there.');
    return 0;
  }
  const numberOf = session.local ? ownNumber : await learned(context, session, wanted);
  const change = changeOf(wanted, there, bodyOf(wanted, there, numberOf));
  announce(context, session, [change]);
  if (context.settings.dryRun) return printPlan(context, await rehearse(session, [change]));
  checkBudget(context, [change]);
  const { after } = await make(session, change);
  await checkAnswer(session, wanted, there, after);
  await context.print({ shape: shapeOf(permission), rows: rowsOf([after]), one: true });
  return 0;
}

function changeOf(wanted: Wanted, there: Row | undefined, body: Record<string, unknown>): Change {
  const { create, update } = permission.operations;
  if (!there) return { resource: permission, operation: create, input: { by: 'plain', body } };
  const id = String(there.ID);
  return {
    resource: permission,
    operation: update,
    id,
    input: { by: 'plain', params: { id } },
    patch: { ID: there.ID, ...body },
    read: (inside) => rowOf(inside, wanted),
  };
}

/** What a remote service means by its numbers is read off rows that are there (D18). */
async function learned(
  { settings }: Context,
  session: Session,
  { kind, RowID, ChildType, word }: Wanted,
): Promise<(word: string) => number> {
  const numbers = new Map<string, number>();
  const isLearned = (): boolean => numbers.has(word) && numbers.has(STATES[0]);
  learn(numbers, await rowsOn(session, kind, RowID, ChildType));
  if (!isLearned() && ChildType !== null) learn(numbers, await rowsOn(session, kind, RowID, null));
  if (!isLearned()) learn(numbers, await rowsOfSite(session));
  return (asked) => {
    const number = numbers.get(numbers.has(word) ? asked : word);
    if (number !== undefined) return number;
    const unknown = numbers.has(word) ? asked : word;
    const look = `pm permissions list --${flagOf(kind)} ${RowID} -o json -p ${settings.profile}`;
    throw new ServiceError(
      'usage',
      `which number stands for ${unknown} on this service is not known: no row shows it`,
      {
        hint: `${look} shows the rows there. Once a row there or on the site says ${unknown}, pm knows its number.`,
      },
    );
  };
}

function learn(numbers: Map<string, number>, rows: readonly Row[]): void {
  for (const row of rows)
    for (const action of ACTIONS) {
      const [text, number] = [row[textField(action)], row[stateField(action)]];
      if (typeof text === 'string' && typeof number === 'number') numbers.set(text, number);
    }
}

/** None, where the caller may not see them. */
async function rowsOfSite(session: Session): Promise<readonly Row[]> {
  try {
    return await rowsOn(session, 'site', session.me.site, null);
  } catch (error) {
    if (error instanceof ServiceError && ['forbidden', 'not_found', 'admin_only'].includes(error.code)) return [];
    throw error;
  }
}

/** The answered words must be those that were asked for; otherwise the row is put back as it was (D18). */
async function checkAnswer(
  session: Session,
  { actions, word }: Wanted,
  before: Row | undefined,
  after: Row,
): Promise<void> {
  const wrong = actions.find((action) => after[textField(action)] !== word);
  if (wrong === undefined) return;
  const isBack = await putBack(session, before, after);
  const said = `the service made "${String(after[textField(wrong)] ?? '')}" of ${word} for ${wrong}`;
  const row = `the row ${String(after.ID)}`;
  throw new ServiceError(
    'conflict',
    `${said}; ${isBack ? `${row} is as it was before` : `${row} could not be put back`}`,
    {
      hint: 'pm permissions update sets the numbers themselves.',
    },
  );
}

async function putBack(session: Session, before: Row | undefined, after: Row): Promise<boolean> {
  const params = { id: String(after.ID) };
  const { update, delete: remove } = permission.operations;
  try {
    if (before) await session.call(update, { params, body: { ...before } });
    else await session.call(remove, { params });
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
