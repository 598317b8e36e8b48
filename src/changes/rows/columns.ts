// Binds the columns of a file to the members of a record.
import { boolean, type Field, guids, isWritable, text } from '../../contract/field.ts';
import type { Resource } from '../../contract/resource.ts';
import { nearest } from '../../text/spelling.ts';
import { shownValue } from '../files/bad-file.ts';
import type { FileFault, FileRow } from '../files/input.ts';

/** A column that fills a member. */
export interface Binding {
  readonly column: string;
  readonly member: string;
  readonly field: Field;
  /** The resources whose records its texts name; empty for plain values. */
  readonly targets: readonly string[];
}

export interface Columns {
  /** One for each column, in the file's order; undefined for those that are left out. */
  readonly bindings: readonly (Binding | undefined)[];
  /** Columns of read-only members. */
  readonly readOnly: readonly string[];
  readonly faults: readonly FileFault[];
}

/** Columns that a file of failed rows has in addition to those of its input. */
export const REPORT_COLUMNS = ['_line', '_error', '_hint'];

/** Columns of an exported site that say whether the record of a row is deleted. */
const SAID_GONE = ['Deleted', 'DeletedByRef'];

/** Does a row say that its record is deleted, or hidden with what it belongs to? */
export const isSaidGone = ({ names, cells }: FileRow): boolean =>
  SAID_GONE.some((name) => String(cells[names.indexOf(name)]) === 'true');

/** Columns of an exported site that are no fields: only a new site takes them. */
const EXPORTED: readonly [string, Field][] = [
  ['DeletedByRef', boolean('read-only')],
  ['Others', text('read-only')],
  ['Members', guids('read-only')],
];

/** Binds columns by `map` first, then by the names of members, references and owners. */
export function bindColumns(
  resource: Resource,
  columns: readonly string[],
  map: ReadonlyMap<string, string>,
  line = 1,
): Columns {
  const faults: FileFault[] = [];
  const readOnly: string[] = [];
  const names = namesOf(resource);
  const bindings = columns.map((column): Binding | undefined => {
    const mapped = mappedTo(map, column);
    if (REPORT_COLUMNS.includes(column) || mapped === '') return undefined;
    const found = names.get(plain(mapped ?? column));
    if (!found) faults.push(unknownColumn(resource, column, mapped, names, line));
    else if (!isSettable(found) && !SAID_GONE.includes(found.member)) readOnly.push(column);
    return found && isSettable(found) ? bindingOf(found, column) : undefined;
  });
  return { bindings, readOnly, faults: [...faults, ...twice(bindings, line), ...unused(map, columns, line)] };
}

interface ColumnName extends Omit<Binding, 'column'> {
  /** For messages. */
  readonly name: string;
}

const bindingOf = ({ member, field, targets }: ColumnName, column: string): Binding => ({
  column,
  member,
  field,
  targets,
});

const isSettable = ({ member, field }: ColumnName): boolean => member === 'ID' || isWritable(field);

/** All names of columns, by their letters and digits in lower case. */
function namesOf(resource: Resource): ReadonlyMap<string, ColumnName> {
  const names = new Map<string, ColumnName>();
  const put = (name: string, named: Omit<ColumnName, 'name'>): void => {
    if (!names.has(plain(name))) names.set(plain(name), { ...named, name });
  };
  const fields = Object.entries(resource.fields);
  const targetsOf = (field: Field): readonly string[] => (field.to ?? []).filter((target) => target !== 'site');
  for (const [member, field] of fields) put(member, { member, field, targets: targetsOf(field) });
  for (const [member, field] of fields) {
    if (targetsOf(field).length > 0) put(member.replace(/ID$/, ''), { member, field, targets: targetsOf(field) });
    if (!field.owner || member === 'ParentID') continue;
    for (const target of targetsOf(field)) {
      for (const word of OWNER_NAMES[target] ?? [target]) put(word, { member, field, targets: [target] });
    }
  }
  for (const [member, field] of EXPORTED) put(member, { member, field, targets: [] });
  return names;
}

/** Column names for a kind of owner, where they are not the name of the resource. */
const OWNER_NAMES: Readonly<Record<string, readonly string[]>> = { organization: ['Department', 'Organization'] };

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const mappedTo = (map: ReadonlyMap<string, string>, column: string): string | undefined =>
  map.get(column) ?? [...map].find(([name]) => plain(name) === plain(column))?.[1];

function unknownColumn(
  resource: Resource,
  column: string,
  mapped: string | undefined,
  names: ReadonlyMap<string, ColumnName>,
  line: number,
): FileFault {
  const name = mapped ?? column;
  const close = nearest(
    name,
    [...names.values()].map((one) => one.name),
  );
  const way = `--map '${column}=<Field>' says which it is; --map '${column}=' leaves it out.`;
  return {
    line,
    column,
    message: `is no field of ${resource.type}${mapped === undefined ? '' : `, nor is ${shownValue(mapped)}`}`,
    hint: close ? `Did you mean ${close}? ${way}` : way,
  };
}

/** Several columns may name one owner, each for another kind; every other member has one column. */
function twice(bindings: readonly (Binding | undefined)[], line: number): readonly FileFault[] {
  const earlier = new Map<string, string>();
  return bindings.flatMap((binding): readonly FileFault[] => {
    if (!binding) return [];
    const key = binding.field.owner ? `${binding.member} ${binding.targets.join()}` : binding.member;
    const before = earlier.get(key);
    earlier.set(key, binding.column);
    if (before === undefined) return [];
    return [{ line, column: binding.column, message: `fills ${binding.member}, as the column ${before} does` }];
  });
}

function unused(map: ReadonlyMap<string, string>, columns: readonly string[], line: number): readonly FileFault[] {
  const there = new Set(columns.map(plain));
  return [...map.keys()]
    .filter((name) => !there.has(plain(name)))
    .map((name) => ({ line, column: name, message: 'is mapped, but the file has no such column' }));
}
