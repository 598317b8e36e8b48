// How a change that is only rehearsed is printed: what changes first, since a narrow table leaves out its last columns.
import { guid, integer, text } from '../contract/field.ts';
import type { Resource, Value } from '../contract/resource.ts';
import type { Shape } from './output/index.ts';

const FIELDS = {
  Operation: text('read-only'),
  Name: text('read-only'),
  Field: text('read-only'),
  Before: text('read-only'),
  After: text('read-only'),
  Resource: text('read-only'),
  ID: guid('read-only'),
};

/** With the line of a file in front, where there is one. */
export function plannedShape(line?: 'Line'): Shape {
  const fields = line === undefined ? FIELDS : { [line]: integer('read-only'), ...FIELDS };
  return { fields, type: 'PlannedChange', columns: Object.keys(fields) };
}

/** For changes of which no name is known. */
export const nameless = (shape: Shape): Shape => ({
  ...shape,
  columns: shape.columns.filter((name) => name !== 'Name'),
});

/** What people call a record; null where it has no name. */
export function nameIn({ names }: Resource, record: Readonly<Record<string, unknown>> | undefined): Value {
  const values = names.map((name) => record?.[name]);
  const found = values.find((value) => typeof value === 'string' && value !== '');
  return found === undefined ? null : String(found);
}
