// Creates records. The ID is made here, so that after a missing response the record can be looked up before a retry (D12).
import type { Input } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import { isGuid, sameID } from '../contract/kinds.ts';
import type { Operation } from '../contract/operation.ts';
import type { Resource, Row } from '../contract/resource.ts';
import { type Connection, isGood, type Response } from './connection.ts';
import { badAnswerError, errorFromNoAnswer, errorFromResponse, rethrow, unknownOutcomeError } from './errors.ts';
import { isNotFound } from './lists.ts';
import { NoAnswer } from './no-answer.ts';
import { delayAfter, MAX_DELAY_MS, type RetryResult } from './pace.ts';
import { type ClientContext, getCallByID, lookFor, type PreparedCall, prepare, read, recordIn } from './request.ts';

/** Whether a service keeps the IDs of new records. If not, a lookup by ID proves nothing. */
const keepsIDs = new WeakMap<Connection, boolean>();

/** Throws `unknown_outcome` if it cannot be found out whether the record was made. */
export async function create(context: ClientContext, operation: Operation, given: Input): Promise<Row> {
  const resource = resourceNamed(operation.resource);
  const { connection } = context;
  const takesID = resource.id === 'guid' && resource.fields.ID !== undefined;
  const id = takesID ? String(given.body?.ID ?? connection.options.newID()) : undefined;
  const nulls = Object.entries(resource.fields).flatMap(([name, { nullOnly }]) => (nullOnly ? [[name, null]] : []));
  const body = { ...(id === undefined ? {} : { ID: id }), ...Object.fromEntries(nulls), ...given.body };
  const input = id === undefined ? given : { ...given, body };
  const prepared = prepare(context, operation, input);
  // A service that gives IDs of its own does not have this one.
  const shown = keepsIDs.get(connection) === false ? undefined : id;
  const call = id === undefined ? prepared : { ...prepared, look: lookFor(resource, shown) };
  const get = id === undefined ? undefined : getCallByID(operation, id);
  for (let sent = 0; ; sent++) {
    const outcome = await sendOnce(call);
    const made = createdRecord(call, outcome);
    if (made instanceof ServiceError) {
      // A later try may be refused because an earlier one succeeded.
      if (sent === 0) throw made;
    } else if (made) {
      return checkID(call, id, made, sent > 0);
    }
    const found =
      get && keepsIDs.get(connection) !== false
        ? await read(context, get).catch((error: unknown) => (isNotFound(error) ? null : undefined))
        : undefined;
    if (found) return found;
    if (made) throw made;
    // Unless the service is known to keep IDs, the record may exist under another one.
    const mayRepeat = found === null && keepsIDs.get(connection) === true;
    const wait = outcome instanceof NoAnswer ? 0 : delayAfter(outcome.response, sent, connection.options);
    if (!mayRepeat || sent >= connection.options.retries || wait > MAX_DELAY_MS) throw errorOf(call, outcome);
    if (wait > 0) await connection.options.pause(wait);
  }
}

type Outcome = RetryResult<Response> | NoAnswer;

/** Retries only while the request has certainly not left. */
const sendOnce = (call: PreparedCall): Promise<Outcome> =>
  call.connection
    .send(call.request)
    .catch((error: unknown) => (error instanceof NoAnswer && error.left ? error : rethrow(call, error)));

/** The new record, or the refusal; undefined if the record may have been made. */
function createdRecord(call: PreparedCall, outcome: Outcome): Row | ServiceError | undefined {
  if (outcome instanceof NoAnswer) return undefined;
  const { response, unsure } = outcome;
  if (!isGood(response.status)) {
    const refusal = errorFromResponse(call, response, unsure);
    return refusal.code === 'unknown_outcome' ? undefined : refusal;
  }
  try {
    return withLocation(resourceNamed(call.operation.resource), recordIn(call, response), response);
  } catch (error) {
    return error instanceof ServiceError && ['unauthorized', 'conflict'].includes(error.code) ? error : undefined;
  }
}

/** The new record with its ID, which a service may say in Location alone. */
function withLocation({ id }: Resource, row: Row, { headers: { location = '' } }: Response): Row {
  const last = (location.split(/[?#]/, 1)[0] ?? '').split('/').filter(Boolean).at(-1) ?? '';
  if ((row.ID ?? null) !== null || !(id === 'guid' ? isGuid(last) : /^\d{1,15}$/.test(last))) return row;
  return { ...row, ID: id === 'guid' ? last : Number(last) };
}

/** Learns from the new record whether the service keeps IDs. Throws if a retry has made a second record. */
function checkID(call: PreparedCall, id: string | undefined, made: Row, isRetry: boolean): Row {
  if (id === undefined || made.ID === undefined) return made;
  const isKept = sameID(made.ID, id);
  keepsIDs.set(call.connection, isKept);
  if (isKept || !isRetry) return made;
  throw unknownOutcomeError(call, 'the service gives IDs of its own, so there may be two of this record now');
}

function errorOf(call: PreparedCall, outcome: Outcome): Error {
  if (outcome instanceof NoAnswer) return errorFromNoAnswer(call, outcome);
  const { response, unsure } = outcome;
  return isGood(response.status) ? badAnswerError(call, 'no record') : errorFromResponse(call, response, unsure);
}
