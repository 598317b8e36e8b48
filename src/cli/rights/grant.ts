// Rights in words, such as `ann allow read department Sales`, and the permission rows that they mean.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import { sameID } from '../../contract/kinds.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import { HOLDERS, STATES } from '../../contract/resources/permissions.ts';
import { CHILD_TYPE_NAMES, CHILD_TYPES, childTypeNumber, childTypeOn } from '../../contract/rights.ts';
import { collect } from '../../text/batches.ts';
import { textKey } from '../../text/text-key.ts';
import { kindFlag, resourceCalled } from '../names.ts';
import { resolve } from '../selectors/selectors.ts';

/** As written on the command line. */
export interface Grant {
  readonly who: string;
  readonly state: string;
  readonly actions: string;
  readonly what: readonly string[];
  readonly child: string | undefined;
}

/** The key of a permission row, and its new states. */
export interface PermissionChange {
  readonly kind: string;
  readonly RowID: string;
  readonly PrincipalID: string;
  readonly ChildType: number | null;
  readonly word: string;
  readonly actions: readonly string[];
}

export const ACTIONS = ['create', 'read', 'update', 'delete', 'delegate'] as const;
const STATE_WORDS: Readonly<Record<string, string>> = { unset: STATES[0], allow: STATES[1], deny: STATES[2] };

/** `Create`, as members and columns begin. */
export const titleOf = (action: string): string => `${action[0]?.toUpperCase()}${action.slice(1)}`;
export const stateField = (action: string): string => `${titleOf(action)}State`;
export const textField = (action: string): string => `${titleOf(action)}Text`;

/** Throws `usage` for an unknown word, `not_found` for an unknown principal or object. */
export async function readGrant(
  session: Session,
  { who, state, actions, what, child }: Grant,
): Promise<PermissionChange> {
  const word = STATE_WORDS[textKey(state)];
  if (!word) throw new ServiceError('usage', `"${state}" is not allow, deny or unset`);
  const named = actions.split(',').map((one) => actionNamed(one.trim()));
  const { resource, ref } = readObject(what);
  if (!HOLDERS.some((kind) => kind === resource.name)) {
    throw new ServiceError('usage', `rights are not given on ${resource.command}`, {
      hint: 'They are given on the site, departments, individuals, projects, metrics and tasks, and hold below them.',
    });
  }
  return {
    kind: resource.name,
    RowID: await resolve(session, ref, { targets: [resource.name], deleted: 0 }),
    PrincipalID: await resolve(session, who, { targets: ['principal', 'securityGroup'], deleted: 0 }),
    ChildType: child === undefined ? null : childNumber(child, resource.name),
    word,
    actions: named,
  };
}

export function actionNamed(text: string): (typeof ACTIONS)[number] {
  const found = ACTIONS.find((action) => action === textKey(text));
  if (found) return found;
  throw new ServiceError('usage', `"${text}" is not an action`, { hint: `The actions are ${ACTIONS.join(', ')}.` });
}

/** A resource and a reference: `department Sales`. */
export function readObject(what: readonly string[]): { resource: Resource; ref: string } {
  const [word = '', ...rest] = what;
  const resource = objectResource(word);
  if (rest.length === 0) throw new ServiceError('usage', `${word} of which one? Write: ${word} <name or ID>`);
  return { resource, ref: rest.join(' ') };
}

export const objectResource = (word: string): Resource =>
  resourceCalled(word, ' ', 'Say what it is, then which one, as in: department Sales');

function childNumber(text: string, on: string): number {
  const number = childTypeNumber(text.replace(/s$/i, ''));
  if (number === undefined)
    throw new ServiceError('usage', `"${text}" is not a child type`, {
      hint: `The child types are ${CHILD_TYPE_NAMES}.`,
    });
  return (String(number) === text ? undefined : childTypeOn(CHILD_TYPES[number] ?? '', on)) ?? number;
}

/** The permission rows on an object: for itself, or for one type of children. */
export async function permissionRows(
  session: Session,
  kind: string,
  id: string,
  child: number | null,
): Promise<readonly Row[]> {
  const route = kindFlag(kind);
  const by = child === null ? route : `${route}Children`;
  const params = { id, ...(child === null ? {} : { childtype: String(child) }) };
  return collect(session.list(contract.permission.operations.list, { by, params }));
}

export async function permissionRow(
  session: Session,
  { kind, RowID, PrincipalID, ChildType }: PermissionChange,
): Promise<Row | undefined> {
  const rows = await permissionRows(session, kind, RowID, ChildType);
  return rows.find((row) => sameID(row.PrincipalID, PrincipalID));
}

/** Creates or updates the row; answers it. `numberOf` gives the number of a state (D18). */
export async function applyGrant(
  session: Session,
  wanted: PermissionChange,
  numberOf: (word: string) => number,
): Promise<Row> {
  const { create, update } = contract.permission.operations;
  const there = await permissionRow(session, wanted);
  const body = bodyOf(wanted, there, numberOf);
  return there
    ? session.call(update, { params: { id: String(there.ID) }, body: { ID: there.ID, ...body } })
    : session.call(create, { body });
}

/** The whole row: other states keep their values. */
export function bodyOf(
  { RowID, PrincipalID, ChildType, actions, word }: PermissionChange,
  there: Row | undefined,
  numberOf: (word: string) => number,
): Record<string, unknown> {
  const states = ACTIONS.map((action): [string, unknown] => {
    const field = stateField(action);
    return [field, actions.includes(action) ? numberOf(word) : (there?.[field] ?? numberOf(STATES[0]))];
  });
  return { RowID, PrincipalID, ChildType, ...Object.fromEntries(states) };
}

export const engineNumber = (word: string): number =>
  Number(Object.entries(STATES).find(([, text]) => text === word)?.[0] ?? 0);
