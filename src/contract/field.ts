// The vocabulary in which a resource lists its fields: a field line reads like the document's row.

/** The kinds of values of the interface. */
export type Kind =
  | 'guid'
  /** Several GUIDs: an array on the wire, in a record one text with a space between them. */
  | 'guids'
  | 'text'
  | 'integer'
  /** A small number, 0 to 255. */
  | 'byte'
  | 'decimal'
  | 'boolean'
  /** An ISO 8601 date-time with its offset, kept as it was written. */
  | 'date'
  /** A date that the service types as a string: `yyyy-mm-dd`, or ISO 8601 with an offset (D13). */
  | 'day'
  /** A date-time that XML spells as a structure of DateTime and OffsetMinutes (D23). */
  | 'stamp'
  /** Bytes, as base64 text. */
  | 'bytes';

/** The Rule column of the interface document, word for word. */
export type Rule = 'required' | 'required on create' | 'required on update' | 'optional' | 'read-only';

/** Where a field or an operation is known from; `local` is ours and has no route. */
export type Source = 'document' | 'help pages' | 'inferred' | 'local';

/** The kind of an owner or of a record that is referred to: a resource's name, or the site itself. */
export type Target = string;

export interface Field<K extends Kind = Kind, R extends Rule = Rule> {
  readonly kind: K;
  readonly rule: R;
  /** Longest text, in UTF-16 units. */
  readonly max?: number;
  /** A name that people read and type: one line, without blanks around it (D13). */
  readonly name?: true;
  readonly deprecated?: true;
  /** The meaning of the field in one line, for people. */
  readonly doc?: string;
  /** Overrides the resource's source. */
  readonly source?: Source;
  /** The field holds an ID of these resources; for a principal a UserID. */
  readonly to?: readonly Target[];
  /** The named record owns this one (D6). */
  readonly owner?: true;
  /** An owner that may change (D10): the record moves. */
  readonly moves?: true;
  /** Left out of a PUT, it keeps its value (D10). */
  readonly keeps?: true;
  /** A day of the calendar: shown as written, never shifted into another zone (D13). */
  readonly floating?: true;
  /** May be sent, but only as null (D14). */
  readonly nullOnly?: true;
  /** May be sent and is never answered (D14). */
  readonly writeOnly?: true;
  /** May be null although its rule demands that it be sent (D10: `ChildType`, `ParentID` of individuals). */
  readonly nullable?: true;
  /** No two records of the whole database have it alike, by the key of D16 (D14). */
  readonly unique?: true;
  /** The value of a record that was created without this field. */
  readonly initial?: string | number | boolean;
  /** A text that must look like this; `form` says it in words. */
  readonly pattern?: RegExp;
  readonly form?: string;
  /** The numbers that are allowed, each with its word. */
  readonly choices?: Readonly<Record<number, string>>;
  /** Other numbers are allowed, too. */
  readonly anyNumber?: true;
}
export type Fields = Readonly<Record<string, Field>>;

const kind =
  <K extends Kind>(name: K) =>
  <R extends Rule>(rule: R, more: Omit<Field, 'kind' | 'rule'> = {}): Field<K, R> => ({ kind: name, rule, ...more });

export const guid = kind('guid');
export const guids = kind('guids');
export const text = kind('text');
export const integer = kind('integer');
export const byte = kind('byte');
export const decimal = kind('decimal');
export const boolean = kind('boolean');
export const date = kind('date');
export const day = kind('day');
export const stamp = kind('stamp');
export const bytes = kind('bytes');

/** The meaning of the field, for people who fill it; empty where there is nothing to say. */
export const docOf = ({ doc, name }: Field): string =>
  [doc, name && 'One line, without blanks around it.'].filter(Boolean).join(' ');

/** Does the field hold days, which may have a time and an offset beside them? They are shown as they were written (D13). */
export const isOfDays = ({ kind, floating }: Field): boolean => kind === 'day' || floating === true;

/** Does the field hold dates: days, or moments? */
export const isDate = ({ kind }: Field): boolean => kind === 'date' || kind === 'stamp' || kind === 'day';

/** Does the field hold moments, which every reader sees by an own clock? */
export const isMoment = (field: Field | undefined): boolean => field !== undefined && isDate(field) && !isOfDays(field);

/** May the field name the site as the owner? The site owns records without another owner. */
export const mayBelongToSite = ({ owner, to }: Field): boolean => owner === true && to?.includes('site') === true;

/** Can a request body carry this field with an effect? */
export const isWritable = (field: Field): boolean => field.rule !== 'read-only' && !field.nullOnly;
