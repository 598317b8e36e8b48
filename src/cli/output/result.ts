// The result that a command hands over to be printed, its layout, and the records that a format takes.
import { type Field, type Fields, integer, text } from '../../contract/field.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource, Row } from '../../contract/resource.ts';
import type { Zone } from '../../contract/zone.ts';
import type { WireShape } from '../../wire/shape.ts';
import type { Sink } from './sink.ts';
import type { Refer } from './where.ts';

/** The names of the formats; each has its entry in formats/index.ts. */
export const FORMATS = [
  'table',
  'json',
  'ndjson',
  'csv',
  'tsv',
  'xlsx',
  'yaml',
  'xml',
  'md',
  'id',
  'count',
  'none',
] as const;
/** html is a page that stands for itself: only a command that writes one has it. */
export type Format = (typeof FORMATS)[number] | 'html';

/** Do people read it? A list shows the columns of its table then, and not all that there is. */
export const isForPeople = (format: Format): boolean => ['table', 'md', 'html'].includes(format);

export interface Shape extends Pick<WireShape, 'type' | 'fields' | 'xmlOrder'> {
  /** The fields that a table shows of a list. */
  readonly columns: readonly string[];
  /** Those of them that no table cuts: names of records, and advice. */
  readonly whole?: readonly string[];
  /** Headings of these where people read, if their names say less. */
  readonly titles?: Readonly<Record<string, string>>;
  /** The field that `-o id` prints; `ID` where nothing is said. */
  readonly id?: string;
  /** A folded text (text/folded.ts) that a table on a terminal marks in these columns. */
  readonly marked?: { readonly columns: readonly string[]; readonly text: string };
  /** How to see what a table leaves out, where --fields names other members. */
  readonly more?: string;
  /** Flags may name members that only the records have (D11). */
  readonly open?: true;
}

export type Rows = AsyncIterable<Row> | Iterable<Row>;

/** The name of the record that a member of a row refers to; undefined if it refers to none, or none is known. */
export type NameOf = (row: Row, member: string) => Promise<string | undefined>;

export interface Result {
  readonly shape: Shape;
  readonly rows: Rows;
  /** One object is meant, not a list that happens to hold one. */
  readonly one: boolean;
  /** For formats that people read. */
  readonly nameOf?: NameOf | undefined;
  /** The list is the last member, Changes, of an object that begins with these, in the formats that have objects. */
  readonly head?: Readonly<Record<string, unknown>> | undefined;
}

export interface OutputOptions {
  readonly format: Format;
  readonly fields?: readonly string[];
  /** The ID is a column of every list that has one. */
  readonly ids?: boolean;
  readonly where: readonly string[];
  readonly sort?: string;
  readonly limit?: number;
  /** Not the records are printed, but how many have each value of this field. */
  readonly groupBy?: string;
  readonly jmespath?: string;
  /** A record of tsv is one line, for awk and cut: no format was asked for. */
  readonly lines?: boolean;
  /** Lines that name the columns are left out. */
  readonly header?: false;
  readonly color: boolean;
  /** Rules, and the ends of texts that are cut, are drawn in ASCII. */
  readonly ascii?: boolean;
  /** The room a table has, in character cells. */
  readonly width: number;
  /** People read it directly: record text is made harmless. */
  readonly terminal: boolean;
  /** Where days begin that a filter names. */
  readonly zone?: Zone;
  /** Finds the records that a filter names. */
  readonly refer?: Refer;
  /** The clock of who reads; without it, times are shown as they are written. */
  readonly clock?: Clock;
  /** The default namespace of XML. */
  readonly namespace: string;
}

export interface Clock {
  readonly zone: Zone;
  readonly now: Date;
}

export interface WriteReport {
  readonly written: number;
  /** `--limit` left records out. */
  readonly cut: boolean;
}

/** The records after every choice is made, as a format sees them: with all their members only where people read them. */
export interface Records extends Result {
  readonly columns: readonly string[];
  /** The columns were named with `--fields`. */
  readonly chosen: boolean;
}

/** Writes all records in one format; answers how many there were. */
export type Formatter = (records: Records, options: OutputOptions, sink: Sink) => Promise<number>;

export function shapeOf(resource: Resource, operation?: Operation): Shape {
  if (operation?.answers) return shapeFrom(operation.output ?? resource.type, operation.answers);
  const fields = Object.fromEntries(Object.entries(resource.fields).filter(([, field]) => !field.writeOnly));
  const { type, xmlOrder, names } = resource;
  return { fields, type, columns: columnsOf(resource), whole: names, ...(xmlOrder ? { xmlOrder } : {}) };
}

/** Without the ID, where a record has a name: commands take the name. */
const columnsOf = ({ columns, names, key }: Resource): readonly string[] =>
  names.length > 0 && key.length > 0 ? columns.filter((name) => name !== 'ID') : columns;

/** The columns with the ID, for `--ids`. */
export const withID = ({ columns, fields }: Shape): readonly string[] =>
  'ID' in fields && !columns.includes('ID') ? [...columns, 'ID'] : columns;

/** The shape of records with these fields; a table shows all of them unless `columns` names some. */
export const shapeFrom = (type: string, fields: Fields, columns = Object.keys(fields)): Shape => ({
  type,
  fields,
  columns,
});

const fieldsOf = (names: readonly string[], field: Field): Fields =>
  Object.fromEntries(names.map((name) => [name, field]));

/** Read-only fields of these names that hold texts. */
export const texts = (...names: readonly string[]): Fields => fieldsOf(names, text('read-only'));

/** Read-only fields of these names that hold whole numbers. */
export const integers = (...names: readonly string[]): Fields => fieldsOf(names, integer('read-only'));
