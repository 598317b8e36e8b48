// Decides what a matched row does: create, change, delete or undelete its record, or nothing.
import { type Fault, ServiceError } from '../../contract/errors.ts';
import { mayBelongToSite } from '../../contract/field.ts';
import { addressOf } from '../../contract/operation.ts';
import { isImmutable, recordAddresses } from '../../contract/record-address.ts';
import { isGone, nameOf, type Resource, type Row, singular, type Value } from '../../contract/resource.ts';
import { dateKey } from '../../contract/same-values.ts';
import { canLeave, fieldNamed, validate } from '../../contract/validate.ts';
import { defined } from '../../text/defined.ts';
import { quoted } from '../../text/escape.ts';
import { showsNothing } from '../../text/names.ts';
import type { FileFault } from '../files/input.ts';
import { type Change, writableBody } from '../plan/change.ts';
import { isUnaltered } from '../plan/drift.ts';
import { defaultsFor } from '../plan/required-fields.ts';
import { AT_THE_TOP, MANAGER, SITE_HINT } from './cells.ts';
import { headingFor, isWholeName } from './column-synonyms.ts';
import { splitting } from './columns.ts';
import { columnsToAdd, keyInWords, keyText } from './keys.ts';
import { countIn, type IntakeCounts, type IntakeOptions } from './reader.ts';
import { CREATING, columnOf, isUnmatched, memberFault, missingOwners, type RowDraft } from './row-draft.ts';

export interface Rules extends IntakeOptions {
  /** The members by which rows are matched with records. */
  readonly key: readonly string[];
  /** The rows are asked to be matched by their IDs, and belong to this site: a new record is to have the ID of its row. */
  readonly byID: boolean;
  /** The columns that new records need are a fault of the file already. */
  readonly isKeyless: boolean;
  /** No other file is read with it: only then is there a flag --set. */
  readonly isAlone: boolean;
  readonly awaits: ((resource: Resource, row: RowDraft) => boolean) | undefined;
  readonly site: string;
  readonly sha256: string;
  readonly counts: IntakeCounts;
}

/** Nothing, one change, or an undelete and an update. */
type Changes = readonly Change[];

const NONE: Changes = [];

/** The changes that a matched row makes. Faults are added to the row. */
export function changesFor(row: RowDraft, rules: Rules): Changes {
  if (row.faults.length > 0 && isUnmatched(row, rules.key)) return NONE;
  const changes = changesOfMatched(row, rules);
  return row.faults.length > 0 ? NONE : changes;
}

function changesOfMatched(row: RowDraft, rules: Rules): Changes {
  const { found } = row;
  const { mode, resource } = rules;
  if (!found) return rules.awaits?.(resource, row) ? counted(rules, 'awaited') : forAbsent(row, rules);
  if (isGone(found)) return forDeleted(row, found, rules);
  if (mode === 'create') {
    const message = `exists already: the ${singular(resource)} ${quoted(nameOf(resource, found) ?? '')} (${String(found.ID)})`;
    return refuse(row, message, 'Leave --mode out to change it.', 'there already');
  }
  if (mode === 'skip') return counted(rules, 'skipped');
  if (mode === 'delete') return markDeleted(row, found, rules, 'delete');
  if (isWrittenWhole(resource)) return writeWhole(row, rules);
  if (mode === 'undelete') return counted(rules, 'unchanged');
  return change(row, found, rules) ?? (row.faults.length > 0 ? NONE : counted(rules, 'unchanged'));
}

function forAbsent(row: RowDraft, rules: Rules): Changes {
  const { mode, resource, key, byID } = rules;
  const isNumbered = byID && resource.id === 'integer' && mode !== 'create';
  if (CREATING.includes(mode) && !isNumbered) return creation(row, rules);
  const absent = mode === 'update' ? 'To make it, leave --mode out.' : 'Correct it, or leave it out.';
  const hint = isNumbered
    ? `The service gives their IDs itself: leave --key out, and rows are matched by ${resource.key.join(', ')}.`
    : absent;
  return refuse(row, `names no existing ${singular(resource)}: ${keyInWords(resource, key, row)}`, hint, 'absent');
}

function forDeleted(row: RowDraft, found: Row, rules: Rules): Changes {
  const { mode, onDeleted, resource } = rules;
  if (mode === 'skip') return counted(rules, 'skipped');
  if (mode === 'delete' || (mode === 'undelete' && found.Deleted !== true)) return counted(rules, 'unchanged');
  if (mode === 'undelete') return markDeleted(row, found, rules, 'undelete');
  if (found.Deleted !== true) {
    const message = `names a hidden ${singular(resource)}: what it belongs to is deleted`;
    const next = { do: 'get-deleted', resource: resource.name, id: String(found.ID) } as const;
    row.faults.push({ line: row.line, message, hint: 'Undelete what it belongs to; it comes back with it.', next });
    return NONE;
  }
  if (onDeleted === 'undelete') return undeleteAndUpdate(row, found, rules);
  // The deleted record still has its ID and its unique texts.
  const taken = Object.keys(row.values).find((name) => name === 'ID' || resource.fields[name]?.unique);
  const [isCreating, isNew, what] = [CREATING.includes(mode), onDeleted === 'new', singular(resource)];
  if (isCreating && isNew && taken === undefined) return creation(row, rules);
  const message =
    isCreating && isNew
      ? `cannot be made again: its ${taken} belongs to the deleted ${what}`
      : `names a deleted ${what}: ${nameOf(resource, found) ?? String(found.ID)}`;
  const other = isNew && !isCreating ? `; --mode ${mode} makes no other one` : '';
  const anew = isCreating && taken === undefined ? '; --on-deleted new makes another one' : other;
  return refuse(row, message, `--on-deleted undelete brings it back${anew}.`, 'deleted');
}

function undeleteAndUpdate(row: RowDraft, found: Row, rules: Rules): Changes {
  const updates = change(row, found, rules) ?? NONE;
  return row.faults.length > 0 ? NONE : [...markDeleted(row, found, rules, 'undelete'), ...updates];
}

function creation(row: RowDraft, rules: Rules): Changes {
  if (isWrittenWhole(rules.resource)) return writeWhole(row, rules);
  const { resource, site, sha256 } = rules;
  const defaults = defaultsFor(resource, site, row.values);
  const body: Record<string, unknown> = { ...row.values };
  for (const name of missingOwners(row, resource)) row.faults.push(memberFault(row, name, 'is empty', SITE_HINT));
  for (const name in body) if (body[name] === null && isOfSite(resource, name)) body[name] = site;
  for (const name in defaults) body[name] ??= defaults[name];
  const isNamed = row.references.some(({ binding }) => binding.member === MANAGER);
  if (MANAGER in resource.fields && rules.top?.has('blank') && body[MANAGER] == null && !isNamed) {
    body[MANAGER] = row.id;
    countIn(rules.counts.tops, 'blank');
  }
  if (row.secret !== undefined) body.Password = row.secret;
  if (!isValid(rules, body, row)) return NONE;
  rules.counts.creates++;
  const [{ id, line }, key, awaits] = [row, keyIn(rules), awaitsOf(row)];
  return [defined({ resource: resource.name, operation: 'create', id, line, sha256, body, key, awaits })];
}

/** The key that the new record must have; not where all rows are to be new: it would be written with each of them. */
const keyIn = ({ mode, key, byID }: Rules): Change['key'] =>
  mode === 'create' || key.length === 0 || (key.includes('ID') && !byID) ? undefined : key;

/** Is a record written whole at an address of its owners, whether it exists or not? */
const isWrittenWhole = ({ operations }: Resource): boolean =>
  !operations.create && operations.update?.verb === 'special';

/** The whole record, by that address. */
function writeWhole(row: RowDraft, rules: Rules): Changes {
  const { resource, counts } = rules;
  const { fields, operations } = resource;
  const { found, line } = row;
  const body: Record<string, Value> = { ...(found && writableBody(resource, found)), ...row.values };
  if (!isValid(rules, body, row, found)) return NONE;
  if (found && Object.keys(body).every((name) => isWanted(row, resource, name, body[name], found[name])))
    return counted(rules, 'unchanged');
  counts[found ? 'updates' : 'creates']++;
  const [by = '', route] = Object.entries(operations.update?.routes ?? {})[0] ?? [];
  const names = route ? addressOf(route).params : [];
  const params = Object.fromEntries(names.map((name) => [name, String(body[fieldNamed(fields, name) ?? name])]));
  return [defined({ resource: resource.name, operation: 'update', by, params, line, body, awaits: awaitsOf(row) })];
}

const awaitsOf = ({ awaits }: RowDraft): Change['awaits'] => (awaits.length > 0 ? awaits : undefined);

/** Checks a body; its faults are added to the row. */
function isValid(rules: Rules, body: Readonly<Record<string, unknown>>, row: RowDraft, before?: Row): boolean {
  const {
    resource: { fields, open },
    zone,
  } = rules;
  // Any number stands in for one that the service has yet to give.
  const numbers = row.awaits.filter((name) => fields[name]?.kind === 'integer').map((name) => [name, 1]);
  const whole = numbers.length === 0 ? body : { ...body, ...Object.fromEntries(numbers) };
  try {
    validate(defined({ fields, what: '', open, before }), whole, 'create', zone);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // A member of an old name is filled by the one of the new name.
    const faults = error.faults.filter(({ field, code }) => code !== 'required' || !fields[field]?.deprecated);
    const hasColumn = ({ field }: Fault): boolean => row.bindings.some((one) => one?.member === field);
    const absent = faults.filter((one) => one.code === 'required' && !hasColumn(one)).map(({ field }) => field);
    if (absent.length > 0 && !rules.isKeyless) row.faults.push(lacking(row, absent, rules));
    for (const { field, message, hint } of faults) {
      const fault = memberFault(row, field, message, hint ?? (field === MANAGER ? AT_THE_TOP.hint : undefined));
      // A cell with a fault gives no value, which is no second fault.
      const isSaid =
        absent.includes(field) || row.faults.some(({ column }) => column !== undefined && column === fault.column);
      if (!isSaid) row.faults.push(fault);
    }
  }
  return row.faults.length === 0;
}

const isOfSite = ({ fields }: Resource, name: string): boolean =>
  fields[name] !== undefined && mayBelongToSite(fields[name]);

const lacking = (
  { line, bindings }: RowDraft,
  members: readonly string[],
  { resource, isAlone, counts }: Rules,
): FileFault => {
  const whole = members.includes('LastName') ? [...counts.readOnly].find(isWholeName) : undefined;
  const split = whole ? `${splitting(whole)}. Or: ` : '';
  return {
    line,
    message: `is new, and the file has no column for ${members.map(headingFor).join(', ')}`,
    hint: `${split}${columnsToAdd(resource, members, { isAlone, columnOf: (name) => columnOf({ bindings }, name) })}`,
  };
};

/** An update; undefined if nothing differs, or a member cannot change. */
function change(row: RowDraft, found: Row, { resource, key, site, sha256, counts }: Rules): Changes | undefined {
  const patch: Record<string, unknown> = {};
  for (const name in row.values) {
    const field = resource.fields[name];
    const given = row.values[name] ?? null;
    const value = given === null && isOfSite(resource, name) ? site : given;
    // The key has found the record: another letter case, or another offset of a date, is no change. An older name has not.
    const keyIn = (one: Row): string => keyText(resource.fields, [name], one);
    const isFound = key.includes(name) && keyIn({ [name]: value }) === keyIn(found);
    const isBlank = typeof value === 'string' && showsNothing(value) && found[name] != null;
    if (name === 'ID' || isFound || isBlank || isWanted(row, resource, name, value, found[name])) continue;
    if (field && isImmutable(field))
      row.faults.push(memberFault(row, name, `is ${String(found[name])}${CANNOT_CHANGE}`, ANEW));
    else if (field?.owner && value === null && !canLeave(field))
      row.faults.push(memberFault(row, name, 'cannot be cleared'));
    else patch[name] = value;
  }
  if (row.secret !== undefined) patch.Password = row.secret;
  if (row.faults.length > 0 || Object.keys(patch).length === 0) return undefined;
  counts.updates++;
  counts.clears += Object.values(patch).filter((value) => value === null).length;
  const { line, projectedAs } = row;
  const address = projectedAs === 'made' ? byPlace(resource, found) : { id: String(found.ID) };
  // Rows before this one change the record, or its undelete does: it cannot be checked for drift.
  const [now, awaits] = [projectedAs || isGone(found) ? undefined : found, awaitsOf(row)];
  return [defined({ resource: resource.name, operation: 'update', ...address, line, sha256, patch, now, awaits })];
}

/** Has the record the value already? A cell that holds a day, and no more, means midnight of it in any zone (D13). */
function isWanted(
  { days }: RowDraft,
  resource: Resource,
  name: string,
  wanted: unknown,
  value: Value | undefined,
): boolean {
  const field = resource.fields[name];
  if (field && days.has(name) && typeof value === 'string')
    return dateKey(field, String(wanted)) === dateKey(field, value);
  return isUnaltered(resource, name, wanted, value);
}

/** The address of a record by its owners: it has no ID, or is created with another one and has no known ID yet. */
export function byPlace(resource: Resource, found: Row): Pick<Change, 'by' | 'params'> {
  const { update } = resource.operations;
  const address = update && recordAddresses(resource, update).find(({ own, filled }) => !own && filled.length > 0);
  if (!address) throw new Error(`no address names a ${resource.name} without its ID`);
  const params = address.filled.map(({ param, member }) => [param, String(found[member])]);
  return { by: address.by, params: Object.fromEntries(params) };
}

const CANNOT_CHANGE = ' in the record, and cannot change';
const ANEW = 'Make a new record there, and delete this one.';

function markDeleted(
  row: RowDraft,
  found: Row,
  { resource, counts }: Rules,
  operation: 'delete' | 'undelete',
): Changes {
  if (!resource.operations[operation])
    return refuse(row, `cannot be ${operation}d: the service does not do that with a ${singular(resource)}`);
  counts[operation === 'delete' ? 'deletes' : 'undeletes']++;
  return [{ resource: resource.name, operation, id: String(found.ID), line: row.line, now: found }];
}

function counted({ counts }: Rules, as: 'skipped' | 'unchanged' | 'awaited'): Changes {
  counts[as]++;
  return NONE;
}

function refuse(row: RowDraft, message: string, hint?: string, cause?: string): Changes {
  row.faults.push(defined({ line: row.line, message, hint, cause }));
  return NONE;
}
