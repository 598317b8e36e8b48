// Checks a body against its resource: one loop over kind, rule and length, all faults at once (D10, D11, D13).
import { defined } from '../text/defined.ts';
import { nameFault } from '../text/names.ts';
import { oncePer } from '../text/once-per.ts';
import { nearest } from '../text/spelling.ts';
import { type Fault, invalid } from './errors.ts';
import type { Field, Fields } from './field.ts';
import { isRefusal, quote, RULES } from './kinds.ts';
import type { Row, Value } from './resource.ts';
import { isShownAlike } from './same-values.ts';
import type { Zone } from './zone.ts';

export type Purpose = 'create' | 'update';
export type Body = Readonly<Record<string, unknown>>;

interface Shape {
  readonly fields: Fields;
  /** The record in sentences: "the accountability". */
  readonly what: string;
  /** Unknown members are kept instead of refused (D11). */
  readonly open?: boolean;
  /** The record as it is stored: a member that is sent as it stands is not judged again (D10). */
  readonly before?: Row;
}

/** A valid body: values by the names of the contract, and unknown members. */
export interface Checked {
  readonly values: Record<string, Value>;
  readonly others: Readonly<Record<string, unknown>>;
}

/**
 * Checks a body. Missing members that are not kept get their empty value: null, or false for a boolean. Throws `invalid`
 * with every fault. The engine checks the rest, which needs the stored record.
 */
export function validate(shape: Shape, body: Body, purpose: Purpose, zone?: Zone): Checked {
  const faults: Fault[] = [];
  const { members, others } = recognise(shape, body, faults);
  const values: Record<string, Value> = {};
  const check: Checking = { purpose, zone, faults, before: shape.before };
  for (const name in shape.fields) {
    const field = shape.fields[name] as Field;
    if (field.rule === 'read-only') continue;
    const value = checkMember(name, field, members[name], check);
    if (value !== undefined) values[name] = value;
  }
  if (faults.length > 0) throw invalid(shape.what, faults);
  return { values, others };
}

/** A value that was read from text, or why it is refused. */
export type TextRead = { readonly value: Value } | { readonly refused: string; readonly hint?: string };

/** Reads one value from text: a path parameter, a query, a flag. */
export function checkText(field: Field, text: string, zone?: Zone): TextRead {
  const answer = RULES[field.kind].read(text, zone);
  if (isRefusal(answer)) return { refused: answer.refused };
  const bad = outside(field, answer);
  return bad ? { refused: bad.message, ...(bad.hint === undefined ? {} : { hint: bad.hint }) } : { value: answer };
}

/** Finds the field of each member, ignoring case; refuses members that are unknown or given twice. */
function recognise(shape: Shape, body: Body, faults: Fault[]) {
  const members: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const given in body) {
    const name = Object.hasOwn(shape.fields, given) ? given : fieldNamed(shape.fields, given);
    if (name === undefined) {
      if (shape.open) others[given] = body[given];
      else faults.push(unknownMember(shape, given));
    } else if (Object.hasOwn(members, name)) {
      faults.push({ field: name, code: 'unknown_member', message: 'is given twice' });
    } else {
      members[name] = body[given];
    }
  }
  return { members, others };
}

function unknownMember(shape: Shape, given: string): Fault {
  const close = nearest(given, Object.keys(shape.fields));
  const hint = close && `Did you mean ${close}?`;
  return defined({ field: given, code: 'unknown_member' as const, message: 'is not a member of it', hint });
}

/** The field of that name in any case (D11). */
export const fieldNamed = (fields: Fields, given: string): string | undefined =>
  namesOf(fields).get(given.toLowerCase());

const namesOf = oncePer(
  (fields: Fields): ReadonlyMap<string, string> =>
    new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name])),
);

/** The checks of one body share it, and add faults to the list. */
interface Checking {
  readonly purpose: Purpose;
  readonly zone: Zone | undefined;
  readonly faults: Fault[];
  readonly before: Row | undefined;
}

/** The value to store; undefined leaves the member as it is. */
function checkMember(name: string, field: Field, given: unknown, check: Checking): Value | undefined {
  const { zone, before } = check;
  if (given === undefined) return absent(name, field, check);
  if (before && isAsItStands(given, before[name])) return before[name];
  if (field.nullOnly)
    return given === null
      ? undefined
      : refuse(name, check, 'malformed', `is ${quote(given)}, but only null is allowed`);
  const value = given === null ? null : RULES[field.kind].check(given, zone);
  if (isRefusal(value)) {
    // Secrets are not shown in refusals.
    const why = field.writeOnly && typeof given !== 'string' ? `is not ${RULES[field.kind].form}` : value.refused;
    return refuse(name, check, value.range ? 'out_of_range' : 'malformed', why, hintFor(field));
  }
  if (value === null || isBlank(field, value)) return empty(name, field, check);
  const bad = outside(field, value);
  return bad ? refuse(name, check, bad.code, bad.message, bad.hint) : value;
}

function refuse(field: string, { faults }: Checking, code: Fault['code'], message: string, hint?: string): undefined {
  faults.push(defined({ field, code, message, hint }));
  return undefined;
}

/** Several GUIDs are stored as one text. */
const isAsItStands = (given: unknown, before: Value | undefined): boolean =>
  given === before || (Array.isArray(given) && given.join(' ') === before);

/** D13: an empty text is null; in a member that a new or a changed record requires, white space is, too. */
const isBlank = (field: Field, value: Value): boolean =>
  field.kind === 'text' && (value === '' || (field.rule !== 'optional' && String(value).trim() === ''));

const isKept = (field: Field): boolean =>
  field.keeps === true || field.owner === true || field.rule === 'required on create';

/** An owner above that a record need not have: a metric, a project or a task can be at the top (D10). */
export const canLeave = ({ moves, rule, to = [] }: Field): boolean =>
  moves === true && rule === 'optional' && !to.includes('site');

/** Is the member required for this purpose? */
const isDemanded = (field: Field, purpose: Purpose): boolean =>
  field.rule === 'required' || field.rule === `required on ${purpose}`;

function absent(name: string, field: Field, check: Checking): Value | undefined {
  const { purpose } = check;
  if (field.nullOnly) return undefined;
  if (isDemanded(field, purpose)) return refuse(name, check, 'required', 'is required');
  if (field.rule === 'required on update' || (purpose === 'update' && isKept(field))) return undefined;
  return emptyValue(field, purpose);
}

function empty(name: string, field: Field, check: Checking): Value | undefined {
  const { purpose } = check;
  if (field.nullable) return null;
  if (isDemanded(field, purpose)) return refuse(name, check, 'required', 'is required and must not be empty');
  if (purpose === 'update' && isKept(field) && !canLeave(field)) return refuse(name, check, 'null', 'must not be null');
  return emptyValue(field, purpose);
}

function emptyValue({ kind, initial }: Field, purpose: Purpose): Value {
  if (initial !== undefined && purpose === 'create') return initial;
  return kind === 'boolean' ? false : null;
}

/** The fault of a value that breaks the limits of its field. */
function outside(field: Field, value: Value): Pick<Fault, 'code' | 'message' | 'hint'> | undefined {
  if (field.max !== undefined && typeof value === 'string' && value.length > field.max)
    return { code: 'too_long', message: `is ${value.length} characters long; the limit is ${field.max}` };
  const misnamed = field.name && typeof value === 'string' ? nameFault(value, field.unique) : undefined;
  if (misnamed !== undefined)
    return { code: 'malformed', message: `${misnamed}: ${quote(value)}`, hint: 'Write it without that.' };
  if (field.pattern && !field.pattern.test(String(value)))
    return { code: 'malformed', message: `is ${quote(value)}, not ${field.form ?? 'in the right form'}` };
  if (field.choices && !field.anyNumber && typeof value === 'number' && !(value in field.choices)) {
    const allowed = Object.entries(field.choices).map(([number, word]) => `${number} (${word})`);
    return { code: 'out_of_range', message: `is ${value}; allowed are ${allowed.join(', ')}` };
  }
  return undefined;
}

const hintFor = (field: Field): string => `Write ${field.form ?? RULES[field.kind].form}.`;

/** Are all these members the same in two records? */
export function agree(fields: Fields, names: Iterable<string>, a: Row, b: Row): boolean {
  for (const name of names) {
    const field = fields[name];
    if (field && !isShownAlike(field, a[name] ?? null, b[name] ?? null)) return false;
  }
  return true;
}
