// Reads one cell by the kind of its field: it leaves the member, clears it, or gives it a value. Dates are never guessed.
import { isDate, mayBelongToSite } from '../../contract/field.ts';
import { RULES, withDashes } from '../../contract/kinds.ts';
import { readWritten } from '../../contract/params.ts';
import type { Value } from '../../contract/resource.ts';
import type { Zone } from '../../contract/zone.ts';
import { addressIn, showsNothing, trimBlanks } from '../../text/names.ts';
import { oncePer } from '../../text/once-per.ts';
import { shownValue } from '../files/bad-file.ts';
import type { Cell } from '../files/input.ts';
import { isDemanded } from '../plan/required-fields.ts';
import type { Binding } from './columns.ts';
import { asked, DATE_HINT, type DateForms, formFor, type Refused, readDate } from './dates.ts';

export interface CellRules {
  /** What a blank cell means. */
  readonly blank: 'leave' | 'clear';
  /** The form of the file has null, which clears. */
  readonly nulls: boolean;
  readonly dates: DateForms | undefined;
  /** Does this text stand for none? It is counted, if it does. */
  readonly isNone: ((text: string, isCounted?: boolean) => boolean) | undefined;
  /** Called with the parts of a cell that has more words than the members it fills. */
  readonly onSplit?: ((parts: string) => void) | undefined;
  /** Does this text in place of a manager say that the person is at the top? It is counted, too. */
  readonly isTop: ((text: string) => boolean) | undefined;
  /** Called with a column of which a row has several values. */
  readonly onSeveral?: (column: string) => void;
  /** Members that match rows with records; empty for the ID or the resource's own key. */
  readonly key: readonly string[];
  /** The zone of dates without an offset. */
  readonly zone: Zone | undefined;
  /** The sign between several records in one cell; by default blanks, commas and semicolons. */
  readonly split?: string | undefined;
  /** A comma may be the decimal separator: the delimiter is a semicolon. */
  readonly decimalComma: boolean;
}

type CellRead =
  | { readonly kind: 'leave' }
  /** `isDay`: a date without a time. `written`: the text of the cell, where blanks around it were trimmed. */
  | { readonly kind: 'value'; readonly value: Value; readonly isDay?: boolean; readonly written?: string }
  /** Names other records; several where the field holds several. */
  | { readonly kind: 'names'; readonly texts: readonly string[]; readonly written?: string }
  /** `text`: the value, where only the rules of today refuse it; the record may have it (D10). */
  | {
      readonly kind: 'fault';
      readonly message: string;
      readonly hint?: string;
      /** The part that such faults of a column have in common. */
      readonly cause?: string | undefined;
      readonly text?: string;
      readonly written?: string;
    };

const NO_SINGLE_VALUE: CellRead = {
  kind: 'fault',
  message: 'is not a single value',
  hint: 'Write one text, number, true, false or null.',
};
const LEAVE: CellRead = { kind: 'leave' };
const CLEARED: CellRead = { kind: 'value', value: null };
/** Names the site as the owner: a blank cell does not (D38). */
export const SITE = 'site';
export const SITE_HINT = `Name what it belongs to; ${SITE} is the whole site.`;
const NOT_THE_SITE: CellRead = { kind: 'fault', message: 'is empty', hint: SITE_HINT };
export const NULL = '<null>';
const ESCAPED = /^\\+<null>/;

export const escapeNull = (text: string): string => (/^\\*<null>/.test(text) ? `\\${text}` : text);

/** `isNested`: the cell is the JSON text of an array or an object. */
export function readCell(binding: Binding, cell: Cell, rules: CellRules, isNested = false): CellRead {
  if (isNested && namesIn(binding, String(cell)) === undefined) {
    const main = mainValue(binding, String(cell), rules);
    return main === undefined ? NO_SINGLE_VALUE : readCell(binding, main, rules);
  }
  if (cell === null) return rules.nulls ? cleared(binding) : blank(binding, rules);
  const written = writtenFor(binding, cell);
  const text = isName(binding, rules) ? trimBlanks(written) : written;
  if (text === NULL) return cleared(binding);
  if (binding.member === MANAGER && rules.isTop?.(text)) return { kind: 'names', texts: [ITSELF] };
  // A part of a cell may be a name that is such a word.
  if (isBlank(binding, text, rules) || (!binding.part && rules.isNone?.(text))) return blank(binding, rules);
  const read = readText(binding, ESCAPED.test(text) ? text.slice(1) : text, rules);
  return text === written || read.kind === 'leave' ? read : { ...read, written };
}

/** Of a list such as `[{"value": "a@b.example", "primary": true}, …]` the text that is primary, else the first. */
function mainValue({ column }: Binding, text: string, { onSeveral }: CellRules): string | undefined {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const values: readonly unknown[] = list.map((one) => one?.value);
  if (!values.every((value) => typeof value === 'string')) return undefined;
  if (values.length > 1) onSeveral?.(column);
  const primary = list.findIndex((one) => one.primary === true);
  return values[Math.max(0, primary)];
}

/** Of a spreadsheet's cell, a text and a name are read as it shows them, a number and a date as it holds them. */
const writtenFor = ({ field: { kind }, targets }: Binding, cell: NonNullable<Cell>): string =>
  typeof cell === 'object' && kind !== 'text' && targets.length === 0 ? String(cell.value) : String(cell);

const isName = ({ field, member, targets }: Binding, { key }: CellRules): boolean =>
  field.kind === 'text' ? field.name === true || key.includes(member) : targets.length > 0;

/** White space is blank, except in an optional text (D13), which a change of a record leaves as it is. */
const isBlank = ({ field, targets }: Binding, text: string, { blank }: CellRules): boolean =>
  ((field.kind !== 'text' || targets.length > 0 || isDemanded(field)) && text.trim() === '') ||
  (blank === 'clear' ? showsNothing(text) : text === '');

const blank = (binding: Binding, { blank }: CellRules): CellRead => (blank === 'leave' ? LEAVE : cleared(binding));

/**
 * A required or kept member cannot be cleared; a boolean is cleared to false (D10). An ID or a password is left. Owners are
 * checked later, with the record.
 */
function cleared({ field, member }: Binding): CellRead {
  if (member === 'ID' || field.writeOnly) return LEAVE;
  if (mayBelongToSite(field)) return NOT_THE_SITE;
  if (isDemanded(field) && !field.nullable) return { kind: 'fault', message: 'is required and cannot be cleared' };
  if (field.kind === 'boolean') return { kind: 'value', value: false };
  return field.keeps ? { kind: 'fault', message: 'cannot be cleared' } : CLEARED;
}

/** Separates several names in one cell. */
const SEPARATORS = /[\s,;]+/;

/** Other programs write these in the place of a value: errors in any language, columns too narrow, objects that were cut. */
const LEFTOVER =
  /^(?:#(?:#+|NV|[NI]\/\p{Lu}(?: N\/A)?|GETTING_DATA|[¡¿]?[\p{Lu}/0]+[!?])|Err:\d{3}|\\N|System\.(?:\w+\[\]|Collections\.\S+)|@\{\w+=.*\}|\[object Object\])$/u;
/** A formula that keeps its text as it is. */
const KEEPING = /^="([^"]*)"$/;
const LOST = '\ufffd';
/** The words of databases and languages for none: no user name, and no record that is referred to. People are called so, too. */
const NONE = /^(?:NULL|null|\(null\)|<NA>|NaN|nan|NaT|undefined)$/;
/** The words that people and programs usually write for none, in lower case. */
export const USUAL_NONE =
  'n/a na n/d xx - -- none null nil n.a. \\n 0000-00-00 1900-01-00 #n/a (null) <na> nan nat undefined'.split(' ');
export const MANAGER = 'PrimaryReportsTo';
/** Names the individual of the row: at the top one reports to oneself (D14). */
export const ITSELF = 'itself';
/** The words that stand in place of a manager where a person has none; `blank` is a cell without a word. */
export const USUAL_TOP = [...USUAL_NONE, 'self', 'blank'];
export const isTopWord = (member: string, text: string): boolean =>
  member === MANAGER && USUAL_TOP.includes(text.toLowerCase());
/** The fault of all such words is one. */
export const AT_THE_TOP = { hint: `For somebody at the top: --top usual, or write ${ITSELF}.`, cause: 'top' };
export const nullHint = (text: string): string =>
  USUAL_NONE.includes(text.trim().toLowerCase()) ? ' --null usual reads such words as blank cells.' : '';
/** Is it no part of a name? One may be Na. */
export const standsForNone = (text: string): boolean =>
  LEFTOVER.test(text) || NONE.test(text) || (USUAL_NONE.includes(text.toLowerCase()) && /\P{L}/u.test(text));

/** A long number as a spreadsheet shortens it. */
const SHORTENED = /^\d[.,]\d+E\+(?:1[1-9]|[2-9]\d)$/;

/** A record that has such a text keeps it. */
function leftover({ field, member, targets }: Binding, text: string): CellRead | undefined {
  const saysWhich = field.unique === true || targets.length > 0;
  if (LEFTOVER.test(text) || (saysWhich && NONE.test(text))) {
    const message = `is "${shownValue(text)}", which programs write where a value is missing`;
    const left = { hint: `${LEFTOVER_HINT}${nullHint(text)}`, cause: 'left' };
    return { kind: 'fault', message, ...(isTopWord(member, text) ? AT_THE_TOP : left), text };
  }
  const kept = KEEPING.exec(text)?.[1];
  if (kept !== undefined) {
    const message = `is "${shownValue(text)}", a formula that shows ${shownValue(kept)}`;
    return { kind: 'fault', message, hint: FORMULA_HINT, cause: 'formula', text };
  }
  if (text.includes(LOST)) {
    const message = `is "${shownValue(text)}", in which ${LOST} stands for a character that was lost`;
    return { kind: 'fault', message, hint: LOST_HINT, cause: 'lost', text };
  }
  if (!SHORTENED.test(text)) return undefined;
  const message = `is "${text}": a spreadsheet has cut its digits`;
  return { kind: 'fault', message, hint: CUT_HINT, cause: 'cut', text };
}

const LEFTOVER_HINT = 'Write the value, or leave the cell blank.';
const FORMULA_HINT = 'Save the file again from a spreadsheet, which writes what its formulas show.';
const LOST_HINT = 'Write the character, or save the file as UTF-8 where it comes from.';
const CUT_HINT = 'Format the column as text in the spreadsheet, and enter the number again.';

function readText(binding: Binding, text: string, rules: CellRules): CellRead {
  const left = binding.field.kind === 'text' || binding.targets.length > 0 ? leftover(binding, text) : undefined;
  if (left) return left;
  if (binding.field.kind === 'guids') {
    const parts = namesIn(binding, text) ?? text.split(rules.split ?? SEPARATORS).map(trimBlanks);
    const texts = parts.filter((one) => one !== '');
    return texts.length > 0 ? { kind: 'names', texts } : cleared(binding);
  }
  if (text.toLowerCase() === SITE && mayBelongToSite(binding.field)) return CLEARED;
  if (binding.targets.length > 0) return { kind: 'names', texts: [text] };
  return checked(binding, text, rules);
}

/** The texts of a JSON list, where the field holds several names; undefined if it is none. */
function namesIn({ field }: Binding, text: string): readonly string[] | undefined {
  if (field.kind !== 'guids' || !text.startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

function checked(binding: Binding, text: string, rules: CellRules): CellRead {
  const { column, member, field } = binding;
  const { kind } = field;
  const spelled = isDate(field)
    ? readDate(text, column, seenIn(rules), formFor(rules.dates, column))
    : kind === 'decimal'
      ? decimal(text, rules)
      : kind === 'boolean'
        ? (YES_OR_NO.get(text.trim().toLowerCase()) ?? text)
        : kind === 'guid'
          ? withDashes(text.trim())
          : kind === 'integer'
            ? text.trim().replace(/^(-?\d+)\.00?$/, '$1')
            : ((member === 'Email' ? addressIn(text.trim()) : undefined) ?? text);
  if (typeof spelled === 'object' && 'refused' in spelled)
    return { kind: 'fault', message: spelled.refused, hint: `${spelled.hint}${nullHint(text)}`, cause: spelled.cause };
  const bare = typeof spelled === 'string' ? (kind === 'text' ? spelled : spelled.trim()) : spelled.iso;
  if (isDate(field) && rules.isNone?.(bare)) return blank(binding, rules);
  const read = readWritten(field, bare, rules.zone);
  if ('value' in read) return { kind: 'value', value: read.value, isDay: isDate(field) && isDay(bare) };
  // Secrets are not shown in faults.
  if (field.writeOnly) return { kind: 'fault', message: 'cannot be used' };
  if (isDate(field) && DAY_NUMBER.test(bare))
    return {
      kind: 'fault',
      message: `is "${bare}", a date as a spreadsheet numbers it`,
      hint: `${DAY_NUMBER_HINT} ${asked(column, 'excel')} counts them from 1900.`,
      cause: 'day number',
    };
  if (isDate(field) && !bare.includes(':') && read.refused.endsWith(RULES.date.form))
    return {
      kind: 'fault',
      message: `${read.refused.slice(0, -RULES.date.form.length)}a date`,
      hint: `${NO_DATE_HINT}${nullHint(text)}`,
      cause: 'no date',
    };
  const leave = member === 'ID' ? ` --map ${column}= leaves out the IDs of another program.` : '';
  const needsZone = isDate(field) && bare.includes(':') && !rules.zone;
  const form = field.choices ? 'one of them, by its word or number' : (FORMS[kind] ?? field.form ?? RULES[kind].form);
  return {
    ...(kind === 'text' ? { text: bare } : {}),
    kind: 'fault',
    message: read.refused,
    cause: read.refused.replace(/".*"/s, ''),
    hint: read.hint ?? `Write ${form}${needsZone ? ZONE : ''}.${leave}`,
  };
}

/** A date for each order that the dates of a column show. */
const seenIn = oncePer((_rules: CellRules) => new Map<string, string>());

/** The words of files for true and false, in English; a request has true and false only. */
export const YES_OR_NO: ReadonlyMap<string, string> = new Map([
  ...['yes', 'y', 't', 'on'].map((word) => [word, 'true'] as const),
  ...['no', 'n', 'f', 'off'].map((word) => [word, 'false'] as const),
]);
const FORMS: Readonly<Record<string, string>> = {
  boolean: 'true or false, yes or no, y or n, t or f, on or off, 1 or 0',
  decimal: 'a number such as 1234.5, without a percent sign, and with nothing between thousands',
};
const DAY_NUMBER = /^\d{5}(?:\.\d+)?$/;
const DAY_NUMBER_HINT = 'Format the column as a date there, such as 2026-03-31, and save the sheet again.';

const ZONE = ', or name the zone of the file: --tz Europe/Berlin';

const NO_DATE_HINT = `${DATE_HINT} Where there is none, leave the cell blank.`;

const isDay = (iso: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(iso);

const WITH_MARK = /^([+-]?\d+)[.,](\d+)$/;

/** Where a comma may be the decimal separator, three digits after a comma or a point are ambiguous: they may be thousands. */
function decimal(text: string, { decimalComma }: CellRules): string | Refused {
  const [, whole = '', digits = ''] = WITH_MARK.exec(text.trim()) ?? [];
  if (whole === '' || !decimalComma) return text;
  if (digits.length === 3 && /^[+-]?[1-9]\d{0,2}$/.test(whole))
    return {
      refused: `is "${text}", which can be ${whole}.${digits} or ${whole}${digits}`,
      hint: 'Write nothing between thousands (1234), and a zero after three decimals (1,2340).',
    };
  return `${whole}.${digits}`;
}
