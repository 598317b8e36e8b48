// The faults of an input file, which are reported together.
import { adviceIn, ServiceError } from '../../contract/errors.ts';
import { quoted } from '../../text/escape.ts';
import { trimBlanks } from '../../text/names.ts';
import type { FileFault } from './input.ts';

const MOST_FAULTS = 1000;
const MOST_SHOWN = 80;

/** A file that cannot be read as it is. Nothing was sent. */
export class BadFile extends ServiceError {
  /** The first 1,000 faults, in the order of the file. */
  readonly found: readonly FileFault[];
  /** The number of all faults. */
  readonly total: number;

  constructor(file: string, found: readonly FileFault[], total = found.length) {
    const faults = found.map((fault) => ({
      field: placeOf(fault),
      code: 'malformed' as const,
      message: messageOf(fault),
      ...adviceIn(fault),
    }));
    const all = faults.map(({ field, message }) => `${field} ${message}`).join('; ');
    super(
      'invalid',
      `${file}${total > found.length ? ` (the first ${found.length} of ${total} faults)` : ''}: ${all}`,
      {
        faults,
      },
    );
    this.found = found;
    this.total = total;
  }
}

/** Faults as they are found. */
export interface FaultList {
  readonly total: number;
  add(fault: FileFault): void;
  /** Adds the faults of another reading of the file. */
  take(other: BadFile): void;
  /** Throws `BadFile` where there are faults. */
  throwIfAny(): void;
}

/** A list for one reading of that file; the first 1,000 are kept, all are counted. */
export function faultList(file: string, begin: readonly FileFault[] = []): FaultList {
  const found = [...begin];
  let total = begin.length;
  return {
    get total() {
      return total;
    },
    add(fault) {
      total++;
      if (found.length < MOST_FAULTS) found.push(fault);
    },
    take({ found: others, total: all }) {
      for (const fault of others) this.add(fault);
      total += all - others.length;
    },
    throwIfAny() {
      if (total === 0) return;
      throw new BadFile(
        file,
        found.toSorted((one, other) => one.line - other.line),
        total,
      );
    },
  };
}

/** Stops the reading of a file where the rest cannot be parsed. The fault is in the list already. */
export class ReadingStopped extends Error {
  override readonly name = 'ReadingStopped';
}

/** A value fit to be shown: no control characters, at most 80 characters. */
export function shownValue(value: unknown): string {
  const text = String(value)
    .slice(0, MOST_SHOWN * 2)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const signs = [...text];
  return signs.length > MOST_SHOWN ? `${signs.slice(0, MOST_SHOWN - 1).join('')}…` : text;
}

/** A cell as a fault holds it: without the blanks around it, at most 80 characters. Messages show its odd signs by their codes. */
export const cellValue = (cell: unknown): string =>
  [...trimBlanks(String(cell).slice(0, MOST_SHOWN * 2))].slice(0, MOST_SHOWN).join('');

/** The message, with the value where it does not contain it. */
function messageOf({ message, value }: FileFault): string {
  const shown = value === undefined ? '' : quoted(value);
  return message.includes(shown) ? message : `${message}: ${shown}`;
}

const placeOf = ({ line, column }: FileFault): string =>
  column === undefined ? `line ${line}` : `line ${line}, column ${shownValue(column)}`;
