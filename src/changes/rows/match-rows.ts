// What is to become of a row: a new record, a change, a deletion, or nothing.
import { type Fault, ServiceError } from '../../contract/errors.ts';
import { addressOf } from '../../contract/operation.ts';
import { isImmutable, recordAddresses } from '../../contract/record-address.ts';
import { type Resource, type Row, singular, type Value } from '../../contract/resource.ts';
import { fieldNamed, validate } from '../../contract/validate.ts';
import type { Zone } from '../../contract/zone.ts';
import { type Change, writableBody } from '../plan/change.ts';
import { isSame } from '../plan/drift.ts';
import { knownOfNew } from '../plan/required-fields.ts';
import type { Mode, Tally } from './reader.ts';
import { memberFault, type RowDraft } from './row-draft.ts';

export interface Rules {
  readonly resource: Resource;
  readonly mode: Mode;
  readonly onDeleted: 'error' | 'undelete' | 'new';
  readonly zone: Zone | undefined;
  readonly site: string;
  readonly sha256: string;
}

/** Nothing, one change, or an undelete and an update. */
type Changes = readonly Change[];

const NONE: Changes = [];
/** Modes that make records where there are none. */
const MAKING: readonly Mode[] = ['upsert', 'create', 'skip'];

/** Faults are put into the row. */
export function decide(row: RowDraft, rules: Rules, tally: Tally): Changes {
  if (row.faults.length > 0) return NONE;
  const { found } = row;
  const { mode, resource } = rules;
  if (!found) return ofNone(row, rules, tally);
  if (found.Deleted === true || found.DeletedByRef === true) return ofDeleted(row, found, rules, tally);
  if (mode === 'create') {
    const message = `is there already: the ${singular(resource)} ${String(found.ID)}`;
    return refuse(row, message, 'Leave --mode out to change it.');
  }
  if (isWritten(resource) && mode !== 'delete')
    return mode === 'skip' ? counted(tally, 'skipped') : entry(row, rules, tally);
  if (mode === 'delete') return turn(row, found, rules, tally, 'delete');
  if (mode === 'skip') return counted(tally, 'skipped');
  if (mode === 'undelete') return counted(tally, 'unchanged');
  return change(row, found, rules, tally) ?? (row.faults.length > 0 ? NONE : counted(tally, 'unchanged'));
}

function ofNone(row: RowDraft, rules: Rules, tally: Tally): Changes {
  const { mode, resource } = rules;
  if (MAKING.includes(mode)) return isWritten(resource) ? entry(row, rules, tally) : creation(row, rules, tally);
  const hint = mode === 'update' ? 'Leave --mode out to make what is not there.' : undefined;
  return refuse(row, `names no ${singular(resource)} that is there`, hint);
}

function ofDeleted(row: RowDraft, found: Row, rules: Rules, tally: Tally): Changes {
  const { mode, onDeleted, resource } = rules;
  if (mode === 'skip') return counted(tally, 'skipped');
  if (mode === 'delete' || (mode === 'undelete' && found.Deleted !== true)) return counted(tally, 'unchanged');
  if (mode === 'undelete') return turn(row, found, rules, tally, 'undelete');
  if (found.Deleted !== true)
    return refuse(row, `is hidden: something that the ${singular(resource)} belongs to is deleted`, 'Undelete that.');
  if (onDeleted === 'undelete') return broughtBack(row, found, rules, tally);
  if (onDeleted === 'new' && MAKING.includes(mode)) return afresh(row, rules, tally);
  return refuse(
    row,
    `is deleted: the ${singular(resource)} ${String(found.ID)}`,
    '--on-deleted undelete brings it back; --on-deleted new makes another one.',
  );
}

/** The update relies on what the undelete leaves. */
function broughtBack(row: RowDraft, found: Row, rules: Rules, tally: Tally): Changes {
  const [update] = change(row, found, rules, tally) ?? NONE;
  if (row.faults.length > 0) return NONE;
  const back = turn(row, found, rules, tally, 'undelete');
  if (!update) return back;
  const { now: _before, ...rest } = update;
  return [...back, rest];
}

/** A unique text, or the ID itself, belongs to the deleted record still. */
function afresh(row: RowDraft, rules: Rules, tally: Tally): Changes {
  const { fields } = rules.resource;
  const taken = Object.keys(row.values).find((name) => name === 'ID' || fields[name]?.unique);
  if (taken === undefined) return creation(row, rules, tally);
  return refuse(
    row,
    `cannot be made anew: its ${taken} belongs to the deleted ${singular(rules.resource)}`,
    'Use --on-deleted undelete.',
  );
}

function creation(row: RowDraft, { resource, zone, site, sha256 }: Rules, tally: Tally): Changes {
  const secret = row.secret === undefined ? {} : { Password: row.secret };
  const known = knownOfNew(resource, site, row.values);
  const body: Record<string, unknown> = { ...known, ...row.values, ...secret };
  for (const name in known) body[name] ??= known[name];
  const faults = faultsOf(resource, body, row, zone);
  for (const { field, message, hint } of faults) row.faults.push(memberFault(row, field, message, hint));
  if (faults.length > 0) return NONE;
  tally.creates++;
  const id = row.id === undefined ? {} : { id: row.id };
  return [{ resource: resource.name, operation: 'create', ...id, line: row.line, sha256, body, ...awaited(row) }];
}

/** Are records written at the address that their owners make, whether there was one or not? */
const isWritten = ({ operations }: Resource): boolean => !operations.create && operations.update?.verb === 'special';

/** The whole of such a record. */
function entry(row: RowDraft, { resource, zone }: Rules, tally: Tally): Changes {
  const { fields, operations } = resource;
  const { found } = row;
  const body: Record<string, Value> = { ...(found && writableBody(resource, found)), ...row.values };
  for (const { field, message, hint } of faultsOf(resource, body, row, zone))
    row.faults.push(memberFault(row, field, message, hint));
  if (row.faults.length > 0) return NONE;
  if (found && Object.keys(body).every((name) => isSame(resource, name, body[name], found[name])))
    return counted(tally, 'unchanged');
  tally[found ? 'updates' : 'creates']++;
  const [by = '', route] = Object.entries(operations.update?.routes ?? {})[0] ?? [];
  const names = route ? addressOf(route).params : [];
  const params = Object.fromEntries(names.map((name) => [name, String(body[fieldNamed(fields, name) ?? name])]));
  return [{ resource: resource.name, operation: 'update', by, params, line: row.line, body, ...awaited(row) }];
}

const awaited = ({ awaits }: RowDraft): Pick<Change, 'awaits'> => (awaits.length > 0 ? { awaits } : {});

function faultsOf(
  { fields, open }: Resource,
  body: Readonly<Record<string, unknown>>,
  { awaits }: RowDraft,
  zone: Zone | undefined,
): readonly Fault[] {
  // Any number stands for one that the service has yet to give.
  const numbers = awaits.filter((name) => fields[name]?.kind === 'integer').map((name) => [name, 1]);
  try {
    validate({ fields, what: '', open }, { ...body, ...Object.fromEntries(numbers) }, 'create', zone);
    return [];
  } catch (error) {
    if (error instanceof ServiceError) return error.faults;
    throw error;
  }
}

/** Undefined where the record is so already, or may not become so. */
function change(row: RowDraft, found: Row, { resource, site, sha256 }: Rules, tally: Tally): Changes | undefined {
  const patch: Record<string, unknown> = {};
  for (const name in row.values) {
    const field = resource.fields[name];
    const given = row.values[name] ?? null;
    // What stands below no record stands below the site.
    const value = given === null && field?.owner && field.to?.includes('site') ? site : given;
    if (name === 'ID' || isSame(resource, name, value, found[name])) continue;
    if (field && isImmutable(field))
      row.faults.push(memberFault(row, name, `is ${String(found[name])}${CANNOT_CHANGE}`, ANEW));
    else if (field?.owner && value === null) row.faults.push(memberFault(row, name, 'cannot be cleared'));
    else patch[name] = value;
  }
  if (row.secret !== undefined) patch.Password = row.secret;
  if (row.faults.length > 0 || Object.keys(patch).length === 0) return undefined;
  tally.updates++;
  tally.clears += Object.values(patch).filter((value) => value === null).length;
  const { line, foreseenAs } = row;
  const which = foreseenAs === 'made' ? byPlace(resource, found) : { id: String(found.ID) };
  // What rows before this one leave is not there yet to be relied on.
  const now = foreseenAs ? {} : { now: found };
  return [{ resource: resource.name, operation: 'update', ...which, line, sha256, patch, ...now, ...awaited(row) }];
}

/** The address of a record that comes with another one: nobody knows its ID yet. */
function byPlace(resource: Resource, found: Row): Pick<Change, 'by' | 'params'> {
  const { update } = resource.operations;
  const address = update && recordAddresses(resource, update).find(({ own, filled }) => !own && filled.length > 0);
  if (!address) throw new Error(`no address names a ${resource.name} without its ID`);
  const params = address.filled.map(({ param, member }) => [param, String(found[member])]);
  return { by: address.by, params: Object.fromEntries(params) };
}

const CANNOT_CHANGE = ' in the record, and cannot change';
const ANEW = 'Make a new record there, and delete this one.';

function turn(row: RowDraft, found: Row, { resource }: Rules, tally: Tally, operation: 'delete' | 'undelete'): Changes {
  if (!resource.operations[operation])
    return refuse(row, `cannot be ${operation}d: the service does not do that with a ${singular(resource)}`);
  tally[operation === 'delete' ? 'deletes' : 'undeletes']++;
  return [{ resource: resource.name, operation, id: String(found.ID), line: row.line, now: found }];
}

function counted(tally: Tally, as: 'skipped' | 'unchanged'): Changes {
  tally[as]++;
  return NONE;
}

function refuse(row: RowDraft, message: string, hint?: string): Changes {
  row.faults.push({ line: row.line, message, ...(hint === undefined ? {} : { hint }) });
  return NONE;
}
