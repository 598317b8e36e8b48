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
      : [`Not its ${except.join(', ')}: of a global administrator these are for global ones.`]),
    ...(lines.length === 0 ? [] : ['', ...(await table([HEAD, ...lines]))]),
    ...(lines.some(([mark]) => mark === NEAR) ? ['', `${NEAR} would have decided, had nothing come before it`] : []),
    ...(ids.length > 0 ? ['', `ID: ${ids.join(', ')}`] : []),
  ];
}

/** The ID stands behind the name of an individual or a record. */
const AT_END = / \(([0-9a-f-]{36})\)$/i;
const idIn = (text: string): string | undefined => AT_END.exec(text)?.[1];
const withoutID = (text: string): string => text.replace(AT_END, '');

const BY: Readonly<Partial<Record<RightsVerdict['by'], string>>> = {
  administrator: 'An administrator may do everything; no row is asked.',
  label: 'Only administrators may do this, whatever the rows say.',
  global: 'It is a global administrator, whom only global administrators may delete, whatever the rows say.',
  unread: 'They may not read it, so it is not there for them, whatever the rows say of this.',
};

/** The default without any row (D19). */
const UNSET: Readonly<Record<Action, string>> = {
  read: "No row decides. Then all read what is nobody's own; what is somebody's own is for them and those above.",
  create: "No row decides. Then one makes comments, and lists and roles of one's own.",
  update: "No row decides. Then one changes one's own record, lists, roles and comments.",
  delete: "No row decides. Then one deletes one's own lists, roles and comments.",
  delegate: 'No row decides. Then only administrators may.',
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
