// Formats numbers by the custom formats of metrics: `0.#`, `#,##0.00`, `0%`, `0.0 'h'`, `#;(#);zero`.
import { inThousands } from '../../text/thousands.ts';
import { withoutTrailing } from '../../text/trailing.ts';

interface Section {
  /** The text before and after the digits, without quotes and escapes. */
  readonly before: string;
  readonly after: string;
  /** Placeholders before and after the point, `0` and `#` alone. */
  readonly whole: string;
  readonly fraction: string;
  readonly isGrouped: boolean;
  /** The number is multiplied by ten to this power: 2 for percent, 3 for per mille, -3 for each comma at the end. */
  readonly power: number;
}

/** A piece of a format: a quoted text, an escaped character, a part of the number, or any other character. */
const PIECE = /'([^']*)'|"([^"]*)"|\\(.)|([0#.,]+)|([%‰])|([\s\S])/gu;
const SECTION_PART = /'[^']*'|"[^"]*"|[^;'"]+|[;'"]/g;

/** The standard formats by their letter, without their decimals. */
const STANDARD: Readonly<Record<string, readonly [whole: string, after: string]>> = {
  F: ['0', ''],
  N: ['#,##0', ''],
  P: ['#,##0', ' %'],
};

/**
 * The value as the format writes it, with a point for decimals and a comma for thousands. Up to three sections stand for
 * positive, negative and zero. Rounds half away from zero. A format without a place for digits is written as it is.
 */
export function formatNumber(value: number, format: string): string {
  const [positive = '', negative, zero] = sectionsIn(customOf(format));
  if (value < 0 && negative) return formatSection(-value, sectionOf(negative));
  const section = sectionOf(positive);
  const text = formatSection(Math.abs(value), section);
  const isZero = !/[1-9]/.test(digitsOf(Math.abs(value), section).join(''));
  if (isZero && zero) return formatSection(0, sectionOf(zero));
  return value < 0 && !isZero ? `-${text}` : text;
}

/** `N2` is `#,##0.00`; without a number there are two decimals. */
function customOf(format: string): string {
  const [, letter = '', decimals = ''] = /^([FNP])(\d?)$/i.exec(format) ?? [];
  const standard = STANDARD[letter.toUpperCase()];
  if (!standard) return format;
  const places = '0'.repeat(decimals === '' ? 2 : Number(decimals));
  return `${standard[0]}${places === '' ? '' : `.${places}`}${standard[1]}`;
}

/** The sections between the semicolons that stand in no quotes. */
function sectionsIn(format: string): readonly string[] {
  const sections = [''];
  for (const [part] of format.matchAll(SECTION_PART))
    if (part === ';') sections.push('');
    else sections.push(`${sections.pop()}${part}`);
  return sections;
}

function sectionOf(format: string): Section {
  let [before, after, digits, power] = ['', '', '', 0];
  for (const [, single, double, escaped, number, sign, other] of format.matchAll(PIECE)) {
    const literal = single ?? double ?? escaped ?? sign ?? other;
    if (number !== undefined) digits += number;
    else if (digits === '') before += literal;
    else after += literal;
    if (sign !== undefined) power += sign === '%' ? 2 : 3;
  }
  const [whole = '', ...rest] = digits.split('.');
  const grouping = withoutTrailing(whole, ',');
  const scaling = whole.length - grouping.length;
  return {
    before,
    after,
    whole: grouping.replaceAll(',', ''),
    fraction: rest.join('').replaceAll(',', ''),
    isGrouped: /[0#],+[0#]/.test(grouping),
    power: power - 3 * scaling,
  };
}

function formatSection(value: number, section: Section): string {
  if (section.whole + section.fraction === '') return section.before + section.after;
  const [whole, fraction] = digitsOf(value, section);
  const grouped = section.isGrouped ? inThousands(whole, ',') : whole;
  return section.before + grouped + (fraction === '' ? '' : `.${fraction}`) + section.after;
}

/** The digits before and after the point: at least one for each `0`, at most one for each place of the fraction. */
function digitsOf(value: number, { whole, fraction, power }: Section): readonly [string, string] {
  const [left = '', right = ''] = decimal(value, power, fraction.length).split('.');
  const atLeast = whole.includes('0') ? whole.length - whole.indexOf('0') : 0;
  const kept = fraction.lastIndexOf('0') + 1;
  const significant = left.replace(/^0+/, '');
  return [significant.padStart(atLeast, '0'), right.slice(0, kept) + withoutTrailing(right.slice(kept), '0')];
}

/** The number times ten to `power`, rounded to `places`. It moves the decimal point in the text, so that no digit is lost. */
function decimal(value: number, power: number, places: number): string {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [left = '', right = ''] = mantissa.split('.');
  const scale = Number(exponent) + power + places - right.length;
  const factor = 10n ** BigInt(Math.abs(scale));
  const digits = BigInt(left + right);
  const whole = String(scale < 0 ? (digits + factor / 2n) / factor : digits * factor).padStart(places + 1, '0');
  return places === 0 ? whole : `${whole.slice(0, -places)}.${whole.slice(-places)}`;
}
