// The report of `pm can --why`: every step of the walk in columns, with the part of each permission row.
import type { Action, Row } from '../../contract/resource.ts';
import { STATES } from '../../contract/resources/permissions.ts';
import { CHILD_TYPES, type RightsVerdict } from '../../contract/rights.ts';
import { widthsOf } from '../../text/columns.ts';
import { sanitise } from '../../text/escape.ts';
import { drawnTable, type Lines } from '../output/formats/drawn-table.ts';
import { textField } from './grant.ts';
import { isOfGroup } from './reason.ts';

/** The lines of `pm can --why`: names first, then the IDs. */
export async function rightsReport(verdict: RightsVerdict, action: Action): Promise<readonly string[]> {
  const { who, object, by, except, steps } = verdict;
  const isForced = by === 'administrator' || by === 'label' || by === 'global';
  const lines = linesOf(steps, action, isForced);
  const why = BY[by] ?? (by === 'default' ? UNSET[action] : undefined);
  const ids = [idIn(who), idIn(object)].filter((id) => id !== undefined);
  return [
    `May ${withoutID(who)} ${action} ${withoutID(object)}?`,
    ...(why === undefined ? [] : [why]),
    ...(except.length === 0
      ? []
      : [`But not its ${except.join(', ')}: only global administrators change those of a global administrator.`]),
    ...(lines.length === 0 ? [] : ['', ...(await table([HEAD, ...lines]))]),
    ...(lines.some(([mark]) => mark === NEAR) ? ['', `${NEAR} would decide if nothing came before it`] : []),
    ...(ids.length > 0 ? ['', `ID: ${ids.join(', ')}`] : []),
  ];
}

/** The ID stands behind the name of an individual or a record. */
const AT_END = / \(([0-9a-f-]{36})\)$/i;
const idIn = (text: string): string | undefined => AT_END.exec(text)?.[1];
const withoutID = (text: string): string => text.replace(AT_END, '');

const BY: Readonly<Partial<Record<RightsVerdict['by'], string>>> = {
  administrator: 'An administrator may do everything; no permission is needed.',
  label: 'Only administrators may do this, whatever the permissions say.',
  global: 'Only global administrators may delete a global administrator, whatever the permissions say.',
  unread: 'They may not read the record, so nothing else is allowed on it, whatever the permissions say.',
};

/** The default without any row (D19). */
const UNSET: Readonly<Record<Action, string>> = {
  read: 'No permission decides. By default everybody reads it, unless it belongs to an individual: then that individual and those above.',
  create: 'No permission decides. By default individuals create comments, and lists and roles of their own.',
  update: 'No permission decides. By default individuals change their own record, lists, roles and comments.',
  delete: 'No permission decides. By default individuals delete their own lists, roles and comments.',
  delegate: 'No permission decides. By default only administrators may.',
};

const DECIDES = '*';
const NEAR = '~';
const HEAD = ['', 'At', 'Says', 'To', 'About', '', 'Row'] as const;

function linesOf(steps: RightsVerdict['steps'], action: Action, isForced: boolean): Lines {
  const lines: (readonly string[])[] = [];
  let isDecided = isForced;
  for (const step of steps) {
    if (step.rows.length === 0) lines.push(['', step.object, 'no row']);
    for (const [at, row] of step.rows.entries()) {
      const [mark, words] = partOf(step, row, action, isDecided);
      const object = at === 0 ? step.object : '';
      lines.push([mark, object, said(row, action), principalOf(row), about(row), words, String(row.ID)]);
    }
    if (step.state !== 0) isDecided = true;
  }
  return lines;
}

type Part = readonly [mark: string, words: string];

/** The part of a row at its step: it decides, it would have decided, or the reason why it does not. */
function partOf(
  { state, deciding }: RightsVerdict['steps'][number],
  row: Row,
  action: Action,
  isDecided: boolean,
): Part {
  if (deciding.includes(String(row.ID))) return isDecided ? [NEAR, 'near miss'] : [DECIDES, 'decides'];
  const text = said(row, action);
  if (text === STATES[0]) return ['', ''];
  if (row.DeletedByRef === true && text === STATES[1]) return ['', 'deleted: allows nothing'];
  if (state === 0) return ['', 'counts elsewhere'];
  return [
    NEAR,
    text === STATES[1] && state === DENY ? 'near miss: deny comes first' : 'near miss: the type comes first',
  ];
}

const DENY = 2;

const said = (row: Row, action: Action): string => String(row[textField(action)]);
const principalOf = (row: Row): string =>
  `${String(row.PrincipalName ?? row.PrincipalID)}${isOfGroup(row) ? ' (group)' : ''}`;

const about = ({ ChildType }: Row): string =>
  ChildType === null ? '' : `${CHILD_TYPES[String(ChildType)] ?? 'type'} (${String(ChildType)})`;

/** Columns that no row fills are left out. */
function table(lines: Lines): Promise<readonly string[]> {
  const isUsed = HEAD.map((_title, at) => lines.slice(1).some((line) => (line[at] ?? '') !== ''));
  const cells = lines.map((line) => line.filter((_cell, at) => isUsed[at]).map(sanitise));
  return drawnTable(cells, { widths: widthsOf(cells) });
}
