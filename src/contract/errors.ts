// The one table of errors, each with its HTTP status and exit code: read by the engine, the command line, the help and
// the endpoint. The exit code of many records follows one rule.
import type { Next } from './next.ts';

/** Exit codes never change: scripts rely on them. */
export const EXIT = {
  ok: 0,
  usage: 2,
  partly: 3,
  unauthorized: 4,
  forbidden: 5,
  notFound: 6,
  rejected: 7,
  unreachable: 8,
  unknown: 9,
  storage: 10,
  different: 11,
  confirmation: 12,
  defect: 70,
  hungUp: 129,
  interrupted: 130,
  readerGone: 141,
  terminated: 143,
} as const;

/** The outcomes of several records, rows or files. */
interface Outcomes {
  /** The exit code of each of them, as far as they are known; those of 0 count for nothing. */
  readonly exits: Iterable<number>;
  /** Was any of them changed? Rows that were as wanted already are no change. */
  readonly done: boolean;
  /** Is any of them left as it was, for whatever reason? */
  readonly left?: boolean;
}

/** These come first: they decide whether the command can be repeated. */
const FIRST: readonly number[] = [
  EXIT.interrupted,
  EXIT.hungUp,
  EXIT.terminated,
  EXIT.defect,
  EXIT.storage,
  EXIT.unknown,
];

/**
 * The exit code of many: that of `FIRST`, else 0 where none failed and none is left, else 3 where some were done, else the
 * code that all have in common, else 3.
 */
export function exitOfMany({ exits, done, left = false }: Outcomes): number {
  const failed = new Set([...exits].filter((exit) => exit !== EXIT.ok));
  const first = FIRST.find((exit) => failed.has(exit));
  if (first !== undefined) return first;
  if (failed.size === 0 && !left) return EXIT.ok;
  const [common = EXIT.partly, ...others] = failed;
  return done || others.length > 0 ? EXIT.partly : common;
}

interface ErrorRow {
  /** HTTP status of the endpoint (D27). */
  readonly status: number;
  /** Exit code of the command line. */
  readonly exit: number;
  readonly title: string;
}

/** Every error code there is. A code is an interface: it is added to, never renamed. */
export const ERRORS = {
  invalid: { status: 400, exit: EXIT.rejected, title: 'The values are not allowed' },
  ambiguous: { status: 400, exit: EXIT.rejected, title: 'The name fits several records' },
  immutable: { status: 400, exit: EXIT.rejected, title: 'The member cannot change' },
  unauthorized: { status: 401, exit: EXIT.unauthorized, title: 'The caller is not known' },
  forbidden: { status: 403, exit: EXIT.forbidden, title: 'The caller has no right to do this' },
  admin_only: { status: 403, exit: EXIT.forbidden, title: 'Only administrators may do this' },
  global_admin_only: { status: 403, exit: EXIT.forbidden, title: 'Only global administrators may do this' },
  feature_off: { status: 403, exit: EXIT.forbidden, title: 'The feature is switched off for this site' },
  not_found: { status: 404, exit: EXIT.notFound, title: 'There is no such record or address' },
  deleted: { status: 404, exit: EXIT.notFound, title: 'The record is deleted' },
  method: { status: 405, exit: EXIT.rejected, title: 'The address does not answer this method' },
  unsupported: { status: 405, exit: EXIT.rejected, title: 'The service does not do this' },
  not_acceptable: { status: 406, exit: EXIT.rejected, title: 'None of the accepted media types is served' },
  conflict: { status: 409, exit: EXIT.rejected, title: 'The change conflicts with what is there' },
  last_admin: { status: 409, exit: EXIT.rejected, title: 'The site would be left without an administrator' },
  too_large: { status: 413, exit: EXIT.rejected, title: 'The body is too large' },
  media_type: { status: 415, exit: EXIT.rejected, title: 'The body is of a media type that is not read' },
  too_many: { status: 429, exit: EXIT.unreachable, title: 'Too many requests or failed logins' },
  overloaded: { status: 503, exit: EXIT.unreachable, title: 'The service has too much to do' },
  drifted: { status: 412, exit: EXIT.rejected, title: 'The record has changed in the meantime' },
  altered: { status: 502, exit: EXIT.partly, title: 'The service did not make the change as asked' },
  disk_full: { status: 507, exit: EXIT.storage, title: 'The disk is full' },
  busy: { status: 503, exit: EXIT.storage, title: 'The database is in use by another program' },
  replaced: { status: 503, exit: EXIT.storage, title: 'The database file was deleted or replaced' },
  storage: { status: 500, exit: EXIT.storage, title: 'The database cannot be used' },
  unreachable: { status: 502, exit: EXIT.unreachable, title: 'The service cannot be reached' },
  bad_answer: { status: 502, exit: EXIT.unreachable, title: 'The answer does not come from the service' },
  unknown_outcome: { status: 504, exit: EXIT.unknown, title: 'It is not known whether the change was made' },
  usage: { status: 400, exit: EXIT.usage, title: 'The command line cannot be understood' },
  confirmation: { status: 400, exit: EXIT.confirmation, title: 'A confirmation is needed' },
  partly: { status: 500, exit: EXIT.partly, title: 'Some of the records failed' },
  interrupted: { status: 500, exit: EXIT.interrupted, title: 'Interrupted' },
  internal: { status: 500, exit: EXIT.defect, title: 'A defect in pm' },
} as const satisfies Record<string, ErrorRow>;
export type ErrorCode = keyof typeof ERRORS;

/** Why a single member was refused. */
export const FAULT_CODES = [
  'required',
  'malformed',
  'too_long',
  'too_short',
  'out_of_range',
  'unknown_member',
  'null',
  'immutable',
  'reference',
  'loop',
  'taken',
] as const;

/** The way out of an error, as plain data. */
export interface Advice {
  /** Advice that no operation carries out, or words in front of `next`. */
  readonly hint?: string;
  /** The next step, as data: the words and the commands are the command line's. */
  readonly next?: Next;
}

/** A `next` has only a fault of a row of a file: the endpoint answers none. */
export interface Fault extends Advice {
  readonly field: string;
  readonly code: (typeof FAULT_CODES)[number];
  /** Without the field's name in front: the asker adds its own spelling of it. */
  readonly message: string;
}

/** Advice as it is handed on, with members that may not be set. */
export type Advised = { readonly [M in keyof Advice]: Advice[M] | undefined };

interface Details extends Advised {
  readonly faults?: readonly Fault[];
  /** Records the text may have meant, each in one line. */
  readonly candidates?: readonly string[];
  readonly cause?: unknown;
}

/** A refusal or failure for people to read. It names the thing and the reason, and ends with one thing to do. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly next: Next | undefined;
  readonly faults: readonly Fault[];
  readonly candidates: readonly string[];

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.next = details.next;
    this.faults = details.faults ?? [];
    this.candidates = details.candidates ?? [];
  }

  get exit(): number {
    return ERRORS[this.code].exit;
  }
}

/** Does the service not answer this, or not to this caller? */
export const isUnanswered = (error: unknown): error is ServiceError =>
  error instanceof ServiceError &&
  (error.exit === EXIT.forbidden || error.exit === EXIT.notFound || error.code === 'unsupported');

/** The advice of an error or a fault, for another one or for a journal. */
export const adviceIn = ({ hint, next }: Advised): Advice => ({
  ...(hint === undefined ? {} : { hint }),
  ...(next === undefined ? {} : { next }),
});

/** The candidates that people are shown beside the hint, which may name the only one. */
export const listedCandidates = ({ candidates, hint }: Pick<ServiceError, 'candidates' | 'hint'>): readonly string[] =>
  candidates.length === 1 && hint?.includes(candidates[0] ?? '') ? [] : candidates;

/** The message with the first candidates, where a list of errors has no lines for them. */
export function withCandidates(error: Pick<ServiceError, 'message' | 'candidates' | 'hint'>): string {
  const listed = listedCandidates(error).slice(0, 3);
  return listed.length > 0 ? `${error.message} (${listed.join('; ')})` : error.message;
}

/** One error for all faults of a body. `what` names the record: "the accountability". */
export function invalid(what: string, faults: readonly Fault[]): ServiceError {
  const code = faults.every((fault) => fault.code === 'immutable') ? 'immutable' : 'invalid';
  const lines = faults.map((fault) => `${fault.field} ${fault.message}`);
  const hint = faults.find((fault) => fault.hint)?.hint;
  return new ServiceError(code, `${what}: ${lines.join('; ')}`, { faults, hint });
}

/** The error of an operation that the service has an address for and does not do (D29). */
export const unsupported = (resource: string, operation: string): ServiceError =>
  new ServiceError('unsupported', `the service does not ${operation} an ${resource}; it only reads them`, {
    next: { do: 'take-archive' },
  });

/** What `work` answers; undefined if it fails with one of these errors, or without `codes` where it is not answered. */
export async function orNone<T>(work: Promise<T> | undefined, codes?: readonly ErrorCode[]): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codes ? error instanceof ServiceError && codes.includes(error.code) : isUnanswered(error)) return undefined;
    throw error;
  }
}
