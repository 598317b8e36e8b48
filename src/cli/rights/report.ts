// The report of `pm can --why`: every step of the walk in columns, with the part of each permission row.
import { guid } from '../../contract/field.ts';
import type { Action, Row } from '../../contract/resource.ts';
import { STATES } from '../../contract/resources/permissions.ts';
import { CHILD_TYPES, type RightsVerdict } from '../../contract/rights.ts';
import { type Context, optionsFor } from '../context.ts';
import { FORMATTERS } from '../output/formats/index.ts';
import { recordSink } from '../output/printing.ts';
import { type Shape, shapeFrom, texts } from '../output/result.ts';
import { printWrapped, roomIn } from '../output/wrapped.ts';
import { textField } from './grant.ts';
import { filled, isOfGroup } from './reason.ts';

/** Prints names first, then the steps, then the IDs. */
export async function printReport(context: Context, verdict: RightsVerdict, action: Action): Promise<void> {
  const { who, object, by, except, steps } = verdict;
  const isForced = by === 'administrator' || by === 'label' || by === 'global';
  const rows = rowsOf(steps, action, isForced);
  const why = BY[by] ?? (by === 'default' ? UNSET[action] : undefined);
  const ids = [idIn(who), idIn(object)].filter((id) => id !== undefined);
  printWrapped(context.io, [
    `May ${withoutID(who)} ${action} ${withoutID(object)}?`,
    ...(why === undefined ? [] : [why]),
    ...(except.length === 0
      ? []
      : [`But not its ${except.join(', ')}: only global administrators change those of a global administrator.`]),
    ...(rows.length === 0 ? [] : ['']),
  ]);
  const sink = recordSink(context.io, context.io.stdoutIsTerminal);
  const records = { shape: SHAPE, rows, one: false, columns: filled(SHAPE.columns, rows), chosen: true };
  await FORMATTERS.table.format(records, { ...(await optionsFor(context, SHAPE)), width: roomIn(context.io) }, sink);
  await sink.end();
  if (ids.length > 0) printWrapped(context.io, ['', `ID: ${ids.join(', ')}`]);
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

const SHAPE: Shape = {
  ...shapeFrom('RightsStep', { ...texts('At', 'Says', 'To', 'About', 'Part'), Row: guid('read-only') }),
  whole: ['At', 'Says', 'To', 'About', 'Part'],
  titles: { Part: '' },
  more: 'a wider window shows it, and | cat',
};

function rowsOf(steps: RightsVerdict['steps'], action: Action, isForced: boolean): readonly Row[] {
  const rows: Row[] = [];
  let isDecided = isForced;
  for (const step of steps) {
    if (step.rows.length === 0) rows.push({ At: step.object, Says: 'no row' });
    for (const [at, row] of step.rows.entries()) {
      const Part = partOf(step, row, action, isDecided);
      const At = at === 0 ? step.object : null;
      const [Says, To, About] = [said(row, action), principalOf(row), about(row)];
      rows.push({ At, Says, To, About, Part, Row: row.ID ?? null });
    }
    if (step.state !== 0) isDecided = true;
  }
  return rows;
}

/** The part of a row at its step: it decides, it would have decided, or the reason why it does not. */
function partOf(
  { state, deciding }: RightsVerdict['steps'][number],
  row: Row,
  action: Action,
  isDecided: boolean,
): string | null {
  if (deciding.includes(String(row.ID))) return isDecided ? 'would decide next' : 'decides';
  const text = said(row, action);
  if (text === STATES[0]) return null;
  if (row.DeletedByRef === true && text === STATES[1]) return 'deleted: allows nothing';
  if (state === 0) return 'counts elsewhere';
  return text === STATES[1] && state === DENY ? 'deny comes first' : 'the type comes first';
}

const DENY = 2;

const said = (row: Row, action: Action): string => String(row[textField(action)]);
const principalOf = (row: Row): string =>
  `${String(row.PrincipalName ?? row.PrincipalID)}${isOfGroup(row) ? ' (group)' : ''}`;

const about = ({ ChildType }: Row): string | null =>
  ChildType === null ? null : `${CHILD_TYPES[String(ChildType)] ?? 'type'} (${String(ChildType)})`;
