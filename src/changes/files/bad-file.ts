// The faults of an input file, which are reported together.
import { adviceIn, type Fault, ServiceError } from '../../contract/errors.ts';
import { defined } from '../../text/defined.ts';
import { quoted } from '../../text/escape.ts';
import { trimBlanks } from '../../text/names.ts';
import { type Cause, causeList } from '../causes.ts';
import type { FileFault } from './input.ts';

const MOST_FAULTS = 1000;
const MOST_SHOWN = 80;

type Counted = Pick<BadFile, 'total' | 'causes'>;

/** A file that cannot be read as it is. Nothing was sent. */
export class BadFile extends ServiceError {
  /** The first 1,000 faults, in the order of the file. */
  readonly found: readonly FileFault[];
  readonly total: number;
  readonly causes: readonly Cause<FileFault>[];

  constructor(file: string, found: readonly FileFault[], { total, causes }: Counted = countedIn(found)) {
    const faults = found.map((fault) => faultAt(lineAndColumnOf(fault), messageOf(fault), fault));
    const first = total > found.length ? ` (the first ${found.length} of ${total} faults)` : '';
    super('invalid', `${file}${first}: ${inWords(faults)}`, { faults });
    this.found = found;
    this.total = total;
    this.causes = causes;
  }
}

function countedIn(found: readonly FileFault[]): Counted {
  const causes = faultCauses();
  for (const fault of found) causes.add(fault);
  return { total: found.length, causes: causes.all() };
}

const faultCauses = () =>
  causeList<FileFault>(
    (fault) => `${fault.column ?? ''}\u0000${fault.cause ?? messageOf(fault)}`,
    ({ line }) => line,
  );

/** The error with each cause once, those of the most rows first; at most so many. */
export function byCause(file: string, { causes, total }: BadFile, most: number): ServiceError {
  const shown = causes.slice(0, most);
  const faults = shown.map(({ rows, first: [fault, ...others] }) => {
    if (rows === 1) return faultAt(lineAndColumnOf(fault), messageOf(fault), fault);
    const lines = [fault.place ?? String(fault.line), ...others.map((one) => lineIn(one, fault))];
    const where = `${rows} ${fault.cause ? 'such rows' : 'rows'}: ${lines.join(', ')}${rows > lines.length ? ' …' : ''}`;
    return faultAt(fault.column === undefined ? 'a row' : columnOf(fault), `${messageOf(fault)} (${where})`, fault);
  });
  const many = causes.length < total ? `${total} faults` : '';
  const of = `${causes.length} ${many === '' ? 'faults' : 'causes'}`;
  const first = causes.length > shown.length ? `the first ${shown.length} of ${of}` : '';
  const size = [first, many].filter(Boolean).join(', ');
  return new ServiceError('invalid', `${file}${size === '' ? '' : ` (${size})`}: ${inWords(faults)}`, { faults });
}

/** A line of such a fault, with its value where that is another one. */
const lineIn = ({ line, place = String(line), value, cause }: FileFault, first: FileFault): string =>
  cause !== undefined && value !== undefined && value !== first.value ? `${place} ${quoted(value)}` : place;

const faultAt = (field: string, message: string, fault: FileFault): Fault => ({
  field,
  code: 'malformed',
  message,
  ...adviceIn(fault),
});

const inWords = (faults: readonly Fault[]): string =>
  faults.map(({ field, message }) => `${field} ${message}`).join('; ');

/** The fault of a file as a whole. */
export const wholeFault = (message: string, hint?: string): FileFault =>
  defined({ line: 1, place: 'the file', message, hint });

/** Faults as they are found. */
export type FaultList = ReturnType<typeof faultList>;

/** A list for one reading of that file; the first 1,000 are kept, all are counted. */
export function faultList(file: string) {
  const found: FileFault[] = [];
  const causes = faultCauses();
  let total = 0;
  return {
    get total(): number {
      return total;
    },
    add(fault: FileFault): void {
      total++;
      causes.add(fault);
      if (found.length < MOST_FAULTS) found.push(fault);
    },
    /** Adds the faults of another reading of the file. */
    take({ found: others, total: all }: BadFile): void {
      for (const fault of others) this.add(fault);
      total += all - others.length;
    },
    /** Throws `BadFile` where there are faults. */
    throwIfAny(): void {
      if (total === 0) return;
      const inOrder = found.toSorted((one, other) => one.line - other.line);
      throw new BadFile(file, inOrder, { total, causes: causes.all() });
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

const lineAndColumnOf = (fault: FileFault): string =>
  [fault.place ?? `line ${fault.line}`, ...(fault.column === undefined ? [] : [columnOf(fault)])].join(', ');

const columnOf = ({ column }: FileFault): string => `column ${shownValue(column)}`;
