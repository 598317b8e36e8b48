// Reads one cell by the field it fills: it says nothing, it clears, or it holds a value. No date is guessed.

import type { Kind } from '../../contract/field.ts';
import { RULES } from '../../contract/kinds.ts';
import { readWritten } from '../../contract/params.ts';
import type { Value } from '../../contract/resource.ts';
import type { Zone } from '../../contract/zone.ts';
import type { Cell } from '../files/input.ts';
import { isDemanded } from '../plan/required-fields.ts';
import type { Binding } from './columns.ts';

export interface CellRules {
  /** What a blank cell means. */
  readonly blank: 'leave' | 'clear';
  /** null is a value of the file's form, and clears. */
  readonly nulls: boolean;
  readonly dates: DateOrder | undefined;
  /** The zone of dates without an offset. */
  readonly zone: Zone | undefined;
  /** A comma may stand before the decimals, as where semicolons part the cells. */
  readonly decimalComma: boolean;
}

type CellRead =
  | { readonly kind: 'leave' }
  | { readonly kind: 'value'; readonly value: Value }
  /** Names other records; several where the field holds several. */
  | { readonly kind: 'names'; readonly texts: readonly string[] }
  | { readonly kind: 'fault'; readonly message: string; readonly hint?: string };

const LEAVE: CellRead = { kind: 'leave' };
const CLEARED: CellRead = { kind: 'value', value: null };
const NULL = '<null>';
const ESCAPED = /^\\+<null>/;

/** The text as a file must hold it, so that it is read as that text again. */
export const escapeNull = (text: string): string => (/^\\*<null>/.test(text) ? `\\${text}` : text);

export function readCell(binding: Binding, cell: Cell, rules: CellRules): CellRead {
  if (cell === null) return rules.nulls ? cleared(binding) : blank(binding, rules);
  const text = String(cell);
  if (text === NULL) return cleared(binding);
  if (isBlank(binding, text)) return blank(binding, rules);
  return readText(binding, ESCAPED.test(text) ? text.slice(1) : text, rules);
}

/** White space says something only in a text that may be nothing else (D13). */
const isBlank = ({ field, targets }: Binding, text: string): boolean =>
  text === '' || ((field.kind !== 'text' || targets.length > 0 || isDemanded(field)) && text.trim() === '');

const blank = (binding: Binding, { blank }: CellRules): CellRead => (blank === 'leave' ? LEAVE : cleared(binding));

/**
 * What is demanded or kept cannot be cleared; a boolean is cleared to false (D10). Whether an owner is there to be
 * cleared is known later; an ID or a password that is not said is only not said.
 */
function cleared({ field, member }: Binding): CellRead {
  if (member === 'ID' || field.writeOnly) return LEAVE;
  // What stands below no record stands below the site.
  if (field.owner && field.to?.includes('site')) return CLEARED;
  if (isDemanded(field) && !field.nullable) return { kind: 'fault', message: 'is required and cannot be cleared' };
  if (field.kind === 'boolean') return { kind: 'value', value: false };
  return field.keeps ? { kind: 'fault', message: 'cannot be cleared' } : CLEARED;
}

/** What stands between the names of several records in one cell. */
const BETWEEN = /[ ,;]+/;

function readText(binding: Binding, text: string, rules: CellRules): CellRead {
  if (binding.field.kind === 'guids') return { kind: 'names', texts: text.split(BETWEEN).filter((one) => one !== '') };
  if (binding.targets.length > 0) return { kind: 'names', texts: [text.trim()] };
  return checked(binding, text, rules);
}

function checked({ field }: Binding, text: string, rules: CellRules): CellRead {
  const { kind } = field;
  const spelled = isDateKind(kind) ? readDate(text, rules.dates) : kind === 'decimal' ? decimal(text, rules) : text;
  if (typeof spelled === 'object' && 'refused' in spelled)
    return { kind: 'fault', message: spelled.refused, hint: spelled.hint };
  const bare = typeof spelled === 'string' ? (kind === 'text' ? spelled : spelled.trim()) : spelled.iso;
  const read = readWritten(field, bare, rules.zone);
  if ('value' in read) return { kind: 'value', value: read.value };
  // What is never answered is not repeated in a fault either.
  if (field.writeOnly) return { kind: 'fault', message: 'cannot be used' };
  return { kind: 'fault', message: read.refused, hint: `Write ${field.form ?? RULES[kind].form}.` };
}

const WITH_COMMA = /^([+-]?\d+),(\d+)$/;

/** Three digits behind a comma may be thousands. */
function decimal(text: string, { decimalComma }: CellRules): string | { refused: string; hint: string } {
  const [, whole = '', digits = ''] = WITH_COMMA.exec(text.trim()) ?? [];
  if (whole === '' || !decimalComma) return text;
  if (digits.length === 3 && /^[+-]?[1-9]\d{0,2}$/.test(whole))
    return {
      refused: `is "${text}", which can be ${whole}.${digits} or ${whole}${digits}`,
      hint: 'Write it with a point before the decimals, and nothing between thousands.',
    };
  return `${whole}.${digits}`;
}

/** In which order a date of three numbers is written. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

/** A date in the contract's spelling, or why it is none. */
type ReadDate = { readonly iso: string } | { readonly refused: string; readonly hint: string };

const DATE_KINDS: ReadonlySet<Kind> = new Set<Kind>(['date', 'day', 'stamp']);
const PARTS = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[ T](\d{1,2}:\d{2}(?::\d{2})?))?$/;

const isDateKind = (kind: Kind): boolean => DATE_KINDS.has(kind);

/** Reads `--date-format`: day, month and year in any order, as `dd/mm/yyyy`. Undefined for anything else. */
export function dateOrderOf(format: string): DateOrder | undefined {
  const letters = format
    .toLowerCase()
    .replace(/[^dmy]/g, '')
    .replace(/(.)\1+/g, '$1');
  return letters === 'dmy' || letters === 'mdy' || letters === 'ymd' ? letters : undefined;
}

/** Brings a date of three numbers into ISO form; a text of another form is handed on as it is. */
function readDate(text: string, order: DateOrder | undefined): ReadDate {
  const [, first = '', mark = '', second = '', third = '', time = ''] = PARTS.exec(text.trim()) ?? [];
  if (first === '') return { iso: text };
  if (first.length < 3 && third.length < 3) return { refused: `is "${text}", whose year is cut short`, hint: WRITE };
  const readings = possibleOrders(first, mark, order).flatMap((one) => isoOf(one, first, second, third));
  const [only, other] = [...new Set(readings)];
  if (only === undefined) return { refused: `is "${text}", which no calendar shows`, hint: WRITE };
  if (other === undefined)
    return { iso: time === '' ? only : `${only}T${time.padStart(time.length < 6 ? 5 : 8, '0')}` };
  return {
    refused: `is "${text}", which can be ${only} or ${other}`,
    hint: `Say --date-format dd/mm/yyyy or mm/dd/yyyy. ${WRITE}`,
  };
}

const WRITE = 'A date such as 2026-03-31 is always understood.';

/** A year in front says the order by itself; points stand between day, month and year in that order alone. */
function possibleOrders(first: string, mark: string, order: DateOrder | undefined): readonly DateOrder[] {
  if (first.length > 2) return ['ymd'];
  if (order) return [order];
  return mark === '.' ? ['dmy'] : ['dmy', 'mdy'];
}

function isoOf(order: DateOrder, first: string, second: string, third: string): readonly string[] {
  const [year, month, day] =
    order === 'ymd' ? [first, second, third] : order === 'dmy' ? [third, second, first] : [third, first, second];
  if (year.length !== 4 || day.length > 2) return [];
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const instant = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(iso) ? [iso] : [];
}
