// Time zones of the `tz` parameter and of people's clocks (D25).
import { ServiceError } from './errors.ts';

export interface Zone {
  /** The offset, as `+05:30`, in force when the clocks of the zone show this local time (`2026-03-31T09:00:00`). */
  offsetOf(local: string): string;
  /** The same instant, written with the zone's offset; as it is where the zone has it outside the years 1 to 9999. */
  shift(dateTime: string): string;
}

const OFFSET = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/i;
const IN_YEARS = /^(?!0000)\d{4}-/;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * Reads an IANA zone (`Europe/Berlin`), a fixed offset (`+05:30`) or a Windows zone name (`W. Europe Standard Time`).
 * Throws `invalid` for anything else.
 */
export async function zoneOf(name: string): Promise<Zone> {
  const bare = name.trim();
  const fixed = OFFSET.exec(/^z$/i.test(bare) ? '+00:00' : bare);
  if (fixed) return fixedZone(name, fixed);
  const known = namedZone(bare) ?? namedZone(await ianaName(bare));
  if (known) return known;
  const why = OFFSET_WITHOUT_SIGN.test(name) ? OFFSETS : '';
  throw new ServiceError('invalid', `tz "${name}" is not a time zone${why}`, {
    hint: 'Write an IANA zone such as Europe/Berlin, an offset such as +05:30, or a Windows zone name.',
  });
}

/** A `+` that an address has turned into a blank, or that was forgotten. */
const OFFSET_WITHOUT_SIGN = /^(?: |%2B)?\d/i;
const OFFSETS = ': an offset begins with + or -; in an address + stands for a blank, and is written %2B';

async function ianaName(windowsName: string): Promise<string> {
  const { findIana } = await import('windows-iana');
  return spellings(windowsName).flatMap((name) => findIana(name))[0] ?? '';
}

/** Windows zones in any case: each word begins with a capital, or the first one is an abbreviation, as in `SA Pacific`. */
function spellings(name: string): readonly string[] {
  const capitals = name.toLowerCase().replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
  const words = capitals.replace(/\bSa\b/, 'SA');
  return [name, words, words.replace(/^\w+/, (first) => first.toUpperCase())];
}

function fixedZone(name: string, [, sign, hours, minutes = '0']: RegExpExecArray): Zone {
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  if (Math.abs(offset) > 14 * 60 || Number(minutes) > 59)
    throw new ServiceError('invalid', `tz "${name}" is not a time zone: offsets reach from -14:00 to +14:00`);
  return zone(() => offset);
}

function namedZone(name: string): Zone | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const clock = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    return zone((instant) => minutesOf(clock, instant));
  } catch {
    return undefined;
  }
}

function minutesOf(clock: Intl.DateTimeFormat, instant: number): number {
  const shown = clock.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = '0', minutes = '0'] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(shown) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function zone(minutesAt: (instant: number) => number): Zone {
  return {
    offsetOf(local) {
      const asUtc = Date.parse(`${local}Z`);
      const before = minutesAt(asUtc - DAY);
      const after = minutesAt(asUtc + DAY);
      const fits = (minutes: number): boolean => minutesAt(asUtc - minutes * MINUTE) === minutes;
      // A time that the clocks show twice is the first of the two; one that they skip is read as if they had not yet been set.
      return writeOffset(!fits(before) && fits(after) ? after : before);
    },
    shift(dateTime) {
      const instant = Date.parse(dateTime);
      const minutes = minutesAt(instant);
      const fraction = /\.\d+/.exec(dateTime)?.[0] ?? '';
      const local = new Date(instant + minutes * MINUTE).toISOString();
      return IN_YEARS.test(local) ? local.slice(0, 19) + fraction + writeOffset(minutes) : dateTime;
    },
  };
}

/** `+05:30`. */
export function writeOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const pair = (n: number): string => String(n).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pair(Math.floor(size / 60))}:${pair(size % 60)}`;
}
