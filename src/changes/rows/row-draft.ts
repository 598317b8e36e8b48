// A row on its way from the file into the plan.
import type { Finder } from '../../contract/call.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import { shownValue } from '../files/bad-file.ts';
import type { FileFault, FileRow } from '../files/input.ts';
import type { Change } from '../plan/change.ts';
import { type CellRules, readCell } from './cells.ts';
import type { Binding } from './columns.ts';

export interface Records {
  /** The site acted in, and the caller. */
  readonly me: { readonly id: string; readonly site: string };
  readonly find: Pick<Finder, 'record' | 'beside'>;
  /** The ID that a text means. Throws `not_found`, `ambiguous`, `deleted` or `invalid`. */
  resolve(targets: readonly string[], text: string): Promise<string>;
  /** Where the rows of several files are planned together. */
  readonly foreseen?: Foreseen;
}

/** What the records will be when the rows that are planned already have run. */
export interface Foreseen {
  /** Takes a row that is planned: those of later files find and name what it makes and changes. */
  note(resource: Resource, row: RowDraft, changes: readonly Change[]): void;
  /** Is this the planned ID of a record that an earlier row makes? */
  isNew(target: string, id: string): boolean;
  /** How a record that was found will differ by then; undefined where it stays as it is. */
  as(row: Row | undefined): ForeseenAs | undefined;
}

/** `made`: it comes with another record, and nobody knows its ID yet. */
export type ForeseenAs = 'changed' | 'made';

/** A member whose texts name records that are not found yet. */
export interface Naming {
  readonly binding: Binding;
  readonly texts: readonly string[];
}

export interface RowDraft {
  readonly line: number;
  /** What its columns fill. */
  readonly bindings: readonly (Binding | undefined)[];
  /** The members that the row sets; null clears. */
  readonly values: Record<string, Value>;
  readonly namings: readonly Naming[];
  /** A password: it is planned by its line alone. */
  readonly secret: string | undefined;
  /** Those of them that hold the planned ID of a record which the service will know by another one. */
  readonly awaits: string[];
  /** What was wrong with the row; such a row is never planned. */
  readonly faults: FileFault[];
  /** The record that the row is about: one that is there, or the ID of the new one. */
  id: string | undefined;
  found: Row | undefined;
  /** The record is found as rows before this one will leave it. */
  foreseenAs: ForeseenAs | undefined;
}

export function draftOf(row: FileRow, bindings: readonly (Binding | undefined)[], rules: CellRules): RowDraft {
  const values: Record<string, Value> = {};
  const namings: Naming[] = [];
  const faults: FileFault[] = [];
  let secret: string | undefined;
  for (let at = 0; at < bindings.length; at++) {
    const binding = bindings[at];
    const cell = row.cells[at];
    if (!binding || cell === undefined) continue;
    const read = readCell(binding, cell, rules);
    if (read.kind === 'fault') faults.push(faultOf(row.line, binding, read, cell));
    else if (read.kind === 'names') addNaming(namings, { binding, texts: read.texts }, row.line, faults);
    else if (read.kind === 'value' && binding.field.writeOnly) secret = String(read.value);
    else if (read.kind === 'value') values[binding.member] = read.value;
  }
  return {
    line: row.line,
    bindings,
    values,
    namings,
    secret,
    awaits: [],
    faults,
    id: undefined,
    found: undefined,
    foreseenAs: undefined,
  };
}

/** Columns for several kinds of owner: in one row, one of them says whose it is. */
function addNaming(namings: Naming[], naming: Naming, line: number, faults: FileFault[]): void {
  const { column, member } = naming.binding;
  const before = namings.find(({ binding }) => binding.member === member)?.binding.column;
  if (before === undefined) namings.push(naming);
  else faults.push({ line, column, message: `says whose it is, and so does the column ${before}`, hint: ONE_OWNER });
}

const ONE_OWNER = 'Leave one of the two cells blank.';

function faultOf(
  line: number,
  { column, field }: Binding,
  { message, hint }: { readonly message: string; readonly hint?: string },
  cell: unknown,
): FileFault {
  const value = field.writeOnly ? {} : { value: shownValue(cell) };
  return { line, column, message, ...value, ...(hint === undefined ? {} : { hint }) };
}

/** A fault of a member, at the column that fills it. */
export function memberFault({ line, bindings }: RowDraft, member: string, message: string, hint?: string): FileFault {
  const column = bindings.find((binding) => binding?.member === member)?.column;
  const more = hint === undefined ? {} : { hint };
  return column === undefined
    ? { line, message: `needs more: ${member} ${message}`, ...more }
    : { line, column, message, ...more };
}
