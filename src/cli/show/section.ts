// The sections of a page about one record: their fields, how they are read, and the reason of one that is refused.
import type { Session } from '../../contract/call.ts';
import { isUnanswered } from '../../contract/errors.ts';
import type { Fields } from '../../contract/field.ts';
import { resourceNamed } from '../../contract/index.ts';
import { addressOf, type Operation } from '../../contract/operation.ts';
import { isGone, type Row } from '../../contract/resource.ts';
import { ahead } from '../../text/ahead.ts';
import { collect } from '../../text/batches.ts';
import type { Context } from '../context.ts';
import type { RecordNames } from '../search/record-names.ts';

/** The record that a page is about, with all that its sections need to be read. */
export interface Subject {
  readonly context: Context;
  readonly session: Session;
  readonly resource: string;
  readonly id: string;
  readonly row: Row;
  readonly names: RecordNames;
}

/** A section before it is read. */
export interface SectionPlan {
  /** The member of the object that `-o json` prints. */
  readonly name: string;
  readonly title: string;
  /** Its rows show them in this order. */
  readonly fields: Fields;
  /** Those of them that no table cuts. */
  readonly whole?: readonly string[];
  read(subject: Subject): Promise<readonly Row[]>;
}

export interface Section extends Pick<SectionPlan, 'name' | 'title' | 'fields' | 'whole'> {
  readonly rows: readonly Row[];
  /** Why the service does not show it. */
  readonly refused?: string;
}

/** A page: the fields at its top, and its sections in their order. */
export interface PagePlan {
  readonly head: readonly string[];
  readonly sections: readonly SectionPlan[];
}

/** Reads the sections side by side, as far as the service takes it. */
export const readSections = (subject: Subject, plans: readonly SectionPlan[]): Promise<readonly Section[]> =>
  collect(ahead(plans, subject.session.readsAtOnce ?? 1, (plan) => readSection(subject, plan)));

async function readSection(subject: Subject, { read, ...section }: SectionPlan): Promise<Section> {
  try {
    return { ...section, rows: await read(subject) };
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return { ...section, rows: [], refused: error.message };
  }
}

export const fieldsOf = (resource: string, names: readonly string[]): Fields => {
  const { fields } = resourceNamed(resource);
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
};

/** A section that is one list of the service: of the record, at this address. */
export const listed = (
  [name, title]: readonly [name: string, title: string],
  operation: Operation,
  by: string,
  columns: readonly string[],
): SectionPlan => ({
  name,
  title,
  fields: fieldsOf(operation.resource, columns),
  read: (subject) => collect(listOf(subject, operation, by)),
});

/** A list of the record, deleted ones too where it is deleted itself (D5). */
export function listOf({ session, id, row }: Subject, operation: Operation, by: string): AsyncIterable<Row> {
  const { params, query } = addressOf(operation.routes[by] as 'GET /');
  const [own] = params;
  return session.list(operation, {
    by,
    ...(own === undefined ? {} : { params: { [own]: id } }),
    query: {
      ...(query.includes('ancestorId') ? { ancestorId: id } : {}),
      ...(isGone(row) && query.includes('deleted') ? { deleted: 2 } : {}),
    },
  });
}
