// New records: their IDs are made here, so that a request that got no answer can be looked after before it is sent
// again (D12).
import type { Input } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import { sameID } from '../contract/kinds.ts';
import type { Next } from '../contract/next.ts';
import type { Operation } from '../contract/operation.ts';
import type { Row } from '../contract/resource.ts';
import { isGood, type Response } from './connection.ts';
import {
  badAnswerError,
  errorFromNoAnswer,
  errorFromResponse,
  type PreparedRequest,
  unknownOutcomeError,
} from './errors.ts';
import { NoAnswer } from './no-answer.ts';
import { type ClientContext, getCallByID, prepare, recordIn } from './request.ts';
import type { RetryResult } from './retry.ts';

/** Whether a service gave a new record the ID that was sent. Where it did not, an ID tells nothing. */
const keepsIDs = new WeakMap<ClientContext['connection'], boolean>();

/** Throws `unknown_outcome` where it cannot be found out whether the record was made. */
export async function create(context: ClientContext, operation: Operation, given: Input): Promise<Row> {
  const resource = resourceNamed(operation.resource);
  const takesID = resource.id === 'guid' && resource.fields.ID !== undefined;
  const id = takesID ? String(given.body?.ID ?? context.connection.options.newID()) : undefined;
  const input = id === undefined ? given : { ...given, body: { ID: id, ...given.body } };
  const prepared = {
    ...prepare(context, operation, input),
    ...(id === undefined ? {} : { look: lookFor(operation, id) }),
  };
  for (let sent = 0; ; sent++) {
    const outcome = await sendOnce(context, prepared);
    const made = createdRecord(context, prepared, operation, outcome);
    if (made && !(made instanceof ServiceError)) {
      if (!isEmpty(made)) return checkKeepsID(context, id, made, sent > 0 ? prepared : undefined);
      return readCurrent(context, operation, id === undefined ? undefined : getCallByID(operation, id), input.body);
    }
    // A first try that is refused was refused; a later one may be refused because an earlier one was not.
    if (made && sent === 0) throw made;
    const found =
      id === undefined || keepsIDs.get(context.connection) === false
        ? undefined
        : await readBack(context, operation, id);
    if (found?.record) return found.record;
    if (made) throw made;
    // Where nobody knows whether the service keeps IDs, a record that is not found may be there under another one.
    const mayRepeat = found !== undefined && keepsIDs.get(context.connection) === true;
    if (!mayRepeat || sent >= context.connection.options.retries) throw errorOf(context, prepared, outcome);
  }
}

type Outcome = RetryResult<Response> | NoAnswer;

/** Sent again only while it has certainly not left. */
async function sendOnce(context: ClientContext, prepared: PreparedRequest): Promise<Outcome> {
  try {
    return await context.connection.send(prepared.request);
  } catch (error) {
    if (error instanceof NoAnswer && error.left) return error;
    throw error instanceof NoAnswer ? errorFromNoAnswer(context.connection, prepared, error) : error;
  }
}

/** The new record, or why there is none; undefined where it may have been made, and nobody said so. */
function createdRecord(
  context: ClientContext,
  prepared: PreparedRequest,
  operation: Operation,
  outcome: Outcome,
): Row | ServiceError | undefined {
  if (outcome instanceof NoAnswer) return undefined;
  const { response, unsure } = outcome;
  if (isGood(response.status)) return readable(() => recordIn(context, prepared, operation, response));
  const refusal = errorFromResponse(context.connection, prepared, response, unsure);
  return refusal.code === 'unknown_outcome' ? undefined : refusal;
}

/** An answer that says nothing leaves open what happened. */
function readable(read: () => Row): Row | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Looks for the record; undefined where that cannot be done. */
async function readBack(
  context: ClientContext,
  operation: Operation,
  id: string,
): Promise<{ record: Row | undefined } | undefined> {
  const reading = getCallByID(operation, id);
  if (!reading) return undefined;
  const prepared = prepare(context, reading.operation, reading.input);
  try {
    const { response } = await context.connection.send(prepared.request);
    if (isGood(response.status)) return { record: recordIn(context, prepared, reading.operation, response) };
    return response.status === 404 ? { record: undefined } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the service keeps our IDs shows in what it made. */
function checkKeepsID(
  context: ClientContext,
  id: string | undefined,
  made: Row,
  again: PreparedRequest | undefined,
): Row {
  if (id === undefined || made.ID === undefined) return made;
  const isKept = sameID(made.ID, id);
  keepsIDs.set(context.connection, isKept);
  if (isKept || !again) return made;
  throw unknownOutcomeError(
    context.connection,
    again,
    'the service gives IDs of its own, so there may be two of this record now',
  );
}

function errorOf(context: ClientContext, prepared: PreparedRequest, outcome: Outcome): Error {
  if (outcome instanceof NoAnswer) return errorFromNoAnswer(context.connection, prepared, outcome);
  const { response, unsure } = outcome;
  return isGood(response.status)
    ? badAnswerError(context.connection, prepared, 'no record')
    : errorFromResponse(context.connection, prepared, response, unsure);
}

function lookFor(operation: Operation, id: string): Next {
  const { name: resource, operations } = resourceNamed(operation.resource);
  return operations.get ? { do: 'get', resource, id } : { do: 'list', resource };
}

/** Where a record can be read, and by which operation. */
interface GetCall {
  readonly operation: Operation;
  readonly input: Input;
}

export const isEmpty = (row: Row): boolean => Object.keys(row).length === 0;

/** The record as it stands now. Never throws: the change was made, whatever becomes of the reading. */
export async function readCurrent(
  context: ClientContext,
  operation: Operation,
  reading: GetCall | undefined,
  sent: Input['body'] = {},
): Promise<Row> {
  const found = reading && (await answerTo(context, reading));
  if (found && !isEmpty(found)) return found;
  const { profile, note } = context.connection.options;
  note?.(`The change was made, and ${profile} did not say how the record stands now: shown is what was sent.`);
  return withoutWriteOnly(operation, sent);
}

async function answerTo(context: ClientContext, { operation, input }: GetCall): Promise<Row | undefined> {
  try {
    const prepared = prepare(context, operation, input);
    const { response } = await context.connection.send(prepared.request);
    return isGood(response.status) ? recordIn(context, prepared, operation, response) : undefined;
  } catch {
    return undefined;
  }
}

/** What was sent, without what no answer ever holds. */
function withoutWriteOnly(operation: Operation, sent: NonNullable<Input['body']>): Row {
  const { fields } = resourceNamed(operation.resource);
  // A body holds what the members of a record hold.
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !fields[name]?.writeOnly)) as Row;
}
