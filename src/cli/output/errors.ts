// Prints errors on stderr, with their reasons and the next step. The only place that maps errors to exit codes.
import { ERRORS, type ErrorCode, EXIT, type Fault, listedCandidates, ServiceError } from '../../contract/errors.ts';
import { grouped } from '../../text/batches.ts';
import { sanitise, sanitiseLines } from '../../text/escape.ts';
import { stackInSources } from '../../text/stack.ts';
import { storageFault, systemCode } from '../../text/system-code.ts';
import type { Streams } from '../streams.ts';
import type { Calling } from './calling.ts';
import { paint } from './color.ts';
import { adviceOf } from './next.ts';
import { sayObject, sayPainted } from './printing.ts';

export interface ErrorOptions {
  readonly color: boolean;
  /** PM_DEBUG: a defect shows its stack. */
  readonly debug: boolean;
  /** The flags that printed commands repeat. */
  readonly calling: Calling;
  /** The row of the input that failed, from 1. */
  readonly row?: number;
  /** The file of the row, if there are several. */
  readonly file?: string | undefined;
}

/** System codes of a closed reader: at the first write, and after it. */
const CLOSED_READER: readonly string[] = ['EPIPE', 'ERR_STREAM_DESTROYED'];
/** A word for each exit code. */
const CATEGORIES: Readonly<Record<number, string>> = {
  [EXIT.usage]: 'usage',
  [EXIT.partly]: 'partly',
  [EXIT.unauthorized]: 'login',
  [EXIT.forbidden]: 'forbidden',
  [EXIT.notFound]: 'not_found',
  [EXIT.rejected]: 'rejected',
  [EXIT.unreachable]: 'unreachable',
  [EXIT.unknown]: 'unknown',
  [EXIT.storage]: 'storage',
  [EXIT.confirmation]: 'confirmation',
  [EXIT.defect]: 'defect',
  [EXIT.interrupted]: 'interrupted',
};
/** Errors that no endpoint answers. */
const NOT_OF_HTTP: readonly ErrorCode[] = [
  'unreachable',
  'bad_answer',
  'unknown_outcome',
  'usage',
  'confirmation',
  'partly',
  'interrupted',
  'internal',
];

/** Prints an error on stderr; answers the exit code. A closed reader is not reported. */
export function printError(
  error: unknown,
  options: ErrorOptions,
  io: Pick<Streams, 'stderr' | 'errorsAsJson'>,
): number {
  if (CLOSED_READER.includes(systemCode(error) ?? '')) return EXIT.readerGone;
  const known = asOfThen(asServiceError(error), options.calling);
  const advice = adviceOf(known, options.calling);
  const faults = known.faults.map((fault) => withAdvice(fault, options.calling));
  const stack = options.debug && known.code === 'internal' && error instanceof Error ? [stackInSources(error)] : [];
  if (io.errorsAsJson)
    sayObject(io, { ...asObject(known, faults, advice, options), ...(stack[0] && { stack: stack[0] }) });
  else sayPainted(io, [...asLines(known, faults, advice, options), ...stack.map(sanitiseLines)]);
  return known.exit;
}

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const why = error instanceof Error ? error.message : String(error);
  const storage = storageFault(error);
  if (storage) return new ServiceError(storage, `${ERRORS[storage].title}: ${why}`, { cause: error });
  return new ServiceError('internal', `this is a defect in pm, not a mistake of yours: ${why}`, {
    cause: error,
    hint: 'Run the same command with PM_DEBUG=1 in front of it to see where it happened, and report that.',
  });
}

/** What was deleted at the moment that is shown may be live now: nothing is to be brought back. */
const asOfThen = (error: ServiceError, { at }: Calling): ServiceError =>
  at === undefined || error.code !== 'deleted'
    ? error
    : new ServiceError('deleted', error.message, { hint: 'It was deleted then: --deleted include shows it.' });

function withAdvice({ hint, next, ...fault }: Fault, calling: Calling): Fault {
  const advice = adviceOf({ hint, next }, calling);
  return { ...fault, ...(advice === undefined ? {} : { hint: advice }), ...(next ? { next } : {}) };
}

function asLines(
  error: ServiceError,
  faults: readonly Fault[],
  advice: string | undefined,
  options: ErrorOptions,
): string[] {
  const at = options.row === undefined ? '' : `row ${options.row}: `;
  return [
    `${paint(options.color).red('error:')} ${at}${sanitiseLines(headline(error))}`,
    ...faults.map(({ field, message }) => `  ${sanitise(field)} ${sanitise(message)}`),
    ...listedCandidates(error).map((candidate) => `  ${sanitise(candidate)}`),
    ...hints(faults, advice).map((hint) => `hint: ${sanitise(hint)}`),
  ];
}

/** The message without its faults, which are printed line by line. */
function headline({ message, faults, code }: ServiceError): string {
  const suffix = `: ${faults.map(({ field, message: what }) => `${field} ${what}`).join('; ')}`;
  if (faults.length === 0 || !message.endsWith(suffix)) return message;
  return `${message.slice(0, -suffix.length)}: ${ERRORS[code].title.toLowerCase()}`;
}

/** Each hint once; a hint of one fault among several names its field. */
function hints(faults: readonly Fault[], hint: string | undefined): string[] {
  const byHint = grouped(faults, (fault) => fault.hint);
  const own = [...byHint].flatMap(([text, [first, ...more]]) => {
    if (text === undefined) return [];
    return faults.length > 1 && more.length === 0 ? `${first?.field}: ${text}` : text;
  });
  return hint === undefined || byHint.has(hint) ? own : [...own, hint];
}

function asObject(
  error: ServiceError,
  faults: readonly Fault[],
  hint: string | undefined,
  { file, row }: Pick<ErrorOptions, 'file' | 'row'>,
): Record<string, unknown> {
  const { code, exit, message, next, candidates } = error;
  return {
    code,
    category: CATEGORIES[exit] ?? 'failed',
    exit,
    retryable: code === 'busy' || code === 'unreachable',
    message,
    hint: hint ?? null,
    http: NOT_OF_HTTP.includes(code) ? null : ERRORS[code].status,
    ...(file === undefined ? {} : { file }),
    row: row ?? null,
    ...(next ? { next } : {}),
    ...(faults.length > 0 ? { faults } : {}),
    ...(candidates.length > 0 ? { candidates } : {}),
  };
}
