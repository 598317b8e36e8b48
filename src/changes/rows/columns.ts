// Which column of a file fills which member of a record.
import { type Field, isWritable } from '../../contract/field.ts';
import type { Resource } from '../../contract/resource.ts';
import { nearest } from '../../text/spelling.ts';
import { shownValue } from '../files/bad-file.ts';
import type { FileFault } from '../files/input.ts';

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
  /** Columns that hold what the service works out itself. */
  readonly readOnly: readonly string[];
  readonly faults: readonly FileFault[];
}

/** Columns that a list of failed rows has besides those of its input. */
export const TOLD = ['_line', '_error', '_hint'];

/** Binds columns by `map` first, then by the names of members and by what a reference or an owner is called. */
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
    if (TOLD.includes(column) || mapped === '') return undefined;
    const found = names.get(plain(mapped ?? column));
    if (!found) faults.push(unknownColumn(resource, column, mapped, names, line));
    else if (!isSettable(found)) readOnly.push(column);
    return found && isSettable(found) ? boundTo(found, column) : undefined;
  });
  return { bindings, readOnly, faults: [...faults, ...twice(bindings, line), ...unused(map, columns, line)] };
}

interface Named extends Omit<Binding, 'column'> {
  /** As people write it. */
  readonly name: string;
}

const boundTo = ({ member, field, targets }: Named, column: string): Binding => ({ column, member, field, targets });

const isSettable = ({ member, field }: Named): boolean => member === 'ID' || isWritable(field);

/** Everything a column can be called, by its letters and digits alone. */
function namesOf(resource: Resource): ReadonlyMap<string, Named> {
  const names = new Map<string, Named>();
  const put = (name: string, named: Omit<Named, 'name'>): void => {
    if (!names.has(plain(name))) names.set(plain(name), { ...named, name });
  };
  const fields = Object.entries(resource.fields);
  const targetsOf = (field: Field): readonly string[] => (field.to ?? []).filter((target) => target !== 'site');
  for (const [member, field] of fields) put(member, { member, field, targets: targetsOf(field) });
  for (const [member, field] of fields) {
    if (targetsOf(field).length > 0) put(member.replace(/ID$/, ''), { member, field, targets: targetsOf(field) });
    if (!field.owner || member === 'ParentID') continue;
    for (const target of targetsOf(field)) {
      for (const word of KINDS[target] ?? [target]) put(word, { member, field, targets: [target] });
    }
  }
  return names;
}

/** How people call a kind of owner, where that is not the resource's own name. */
const KINDS: Readonly<Record<string, readonly string[]>> = { organization: ['Department', 'Organization'] };

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const mappedTo = (map: ReadonlyMap<string, string>, column: string): string | undefined =>
  map.get(column) ?? [...map].find(([name]) => plain(name) === plain(column))?.[1];

function unknownColumn(
  resource: Resource,
  column: string,
  mapped: string | undefined,
  names: ReadonlyMap<string, Named>,
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

/** Several columns may name one owner, each by a kind of its own; every other member has one column. */
function twice(bindings: readonly (Binding | undefined)[], line: number): readonly FileFault[] {
  const seen = new Map<string, string>();
  return bindings.flatMap((binding): readonly FileFault[] => {
    if (!binding) return [];
    const key = binding.field.owner ? `${binding.member} ${binding.targets.join()}` : binding.member;
    const before = seen.get(key);
    seen.set(key, binding.column);
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
