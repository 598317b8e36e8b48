// One individual's calls on a remote service.
import type { Input, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import { RULES } from '../contract/kinds.ts';
import type { Operation } from '../contract/operation.ts';
import { type Resource, type Row, singular, type Value } from '../contract/resource.ts';
import { isGood, type Response } from './connection.ts';
import { create, isEmpty, readCurrent } from './create.ts';
import { errorFromNoAnswer, errorFromResponse, type PreparedRequest } from './errors.ts';
import { type EtagCache, learnEtags, listedEtagKeeper } from './etags.ts';
import { withFinder } from './finder.ts';
import { NoAnswer } from './no-answer.ts';
import { type ClientContext, getCallFor, prepare, recordIn, recordsIn, withIfMatch } from './request.ts';
import { backOff, type RetryResult } from './retry.ts';

/** Begins to speak; `me` is who the service says that the credential is. */
export function sessionOn(context: ClientContext, me: Session['me'], etags: EtagCache): Session {
  return withFinder({
    me,
    call: (operation, input = {}) => callOn(context, etags, operation, input),
    list: (operation, input = {}, want = {}) => listOn(context, etags, operation, input, want.limit),
  });
}

/** One call, before anybody is known or after. */
export async function callOn(
  context: ClientContext,
  etags: EtagCache,
  operation: Operation,
  input: Input,
): Promise<Row> {
  refuseLocal(context, operation);
  if (operation.verb === 'create') return create(context, operation, input);
  const plain = prepare(context, operation, input);
  const path = plain.request.path.replace(/\?.*$/s, '');
  const prepared = withIfMatch(plain, input.match ?? (operation.verb === 'update' ? etags.get(path) : undefined));
  const { response, unsure } = await heardOf(context, prepared);
  if (!isGood(response.status)) {
    const done = unsure ? await resolveRetried(context, operation, input, response.status) : undefined;
    if (done) return done;
    throw errorFromResponse(context.connection, prepared, response, unsure);
  }
  const { etag } = response.headers;
  etags.keep(path, etag);
  const row = recordIn(context, prepared, operation, response);
  if (operation.verb === 'update' && isEmpty(row))
    return readCurrent(context, operation, getCallFor(operation, input), input.body);
  learnEtags(etags, operation, row, etag);
  return row;
}

function refuseLocal({ connection }: ClientContext, operation: Operation): void {
  if (operation.verb !== 'local') return;
  const what = `${resourceNamed(operation.resource).command} ${operation.name}`;
  throw new ServiceError(
    'usage',
    `${what} is done by the embedded engine alone; ${connection.options.profile} is a remote one`,
    {
      hint: 'The embedded engine does it.',
      next: { do: 'use-engine' },
    },
  );
}

async function heardOf(context: ClientContext, prepared: PreparedRequest): Promise<RetryResult<Response>> {
  try {
    return await context.connection.send(prepared.request);
  } catch (error) {
    throw error instanceof NoAnswer ? errorFromNoAnswer(context.connection, prepared, error) : error;
  }
}

/** A refusal of a second try may only mean that the first one was carried out. */
async function resolveRetried(
  context: ClientContext,
  operation: Operation,
  input: Input,
  status: number,
): Promise<Row | undefined> {
  if (operation.verb === 'delete' && status === 404) return {};
  if (operation.verb !== 'update' || status !== 412) return undefined;
  const reading = getCallFor(operation, input);
  if (!reading) return undefined;
  const prepared = prepare(context, reading.operation, reading.input);
  const { response } = await heardOf(context, prepared);
  const now = isGood(response.status) ? recordIn(context, prepared, reading.operation, response) : undefined;
  return now && holdsAll(resourceNamed(operation.resource), now, input.body ?? {}) ? now : undefined;
}

/** Does the record hold all that was sent? */
const holdsAll = ({ fields }: Resource, record: Row, sent: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(sent).every(([name, value]) => {
    const field = fields[name];
    if (!field || field.writeOnly || field.rule === 'read-only') return true;
    return RULES[field.kind].same((value ?? null) as Value, record[name] ?? null);
  });

async function* listOn(
  context: ClientContext,
  etags: EtagCache,
  operation: Operation,
  input: Input,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Row> {
  refuseLocal(context, operation);
  const prepared = prepare(context, operation, input);
  if (operation.writes) return yield* createMany(context, prepared, operation);
  const { options } = context.connection;
  const keep = listedEtagKeeper(context, etags, operation);
  let handed = 0;
  for (let tried = 0; handed < limit; tried++) {
    try {
      for await (const row of rowsOf(context, prepared, operation)) {
        keep?.(row);
        yield row;
        if (++handed >= limit) return;
      }
      return;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      // What was handed on cannot be taken back, and a second list may be another one.
      if (handed > 0) throw cutOffError(context, prepared, operation, handed, error);
      if (error.lasting || tried >= options.retries) throw errorFromNoAnswer(context.connection, prepared, error);
      await options.pause(backOff(tried, options));
    }
  }
}

/** A change that answers a list is sent once more only while it has certainly not left. */
async function* createMany(
  context: ClientContext,
  prepared: PreparedRequest,
  operation: Operation,
): AsyncGenerator<Row> {
  const { response, unsure } = await heardOf(context, prepared);
  if (!isGood(response.status)) throw errorFromResponse(context.connection, prepared, response, unsure);
  yield* recordsIn(context, prepared, operation, { ...response, body: pieceOf(response), discard: () => undefined });
}

async function* pieceOf({ bytes }: Response): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* rowsOf(context: ClientContext, prepared: PreparedRequest, operation: Operation): AsyncGenerator<Row> {
  const answer = await context.connection.stream(prepared.request).catch((error: unknown) => {
    // These tries were all there are.
    throw error instanceof NoAnswer ? errorFromNoAnswer(context.connection, prepared, error) : error;
  });
  if ('bytes' in answer) throw errorFromResponse(context.connection, prepared, answer);
  yield* recordsIn(context, prepared, operation, answer);
}

function cutOffError(
  context: ClientContext,
  prepared: PreparedRequest,
  operation: Operation,
  handed: number,
  error: NoAnswer,
): ServiceError {
  const what = singular(resourceNamed(operation.resource));
  const count = `${handed} ${what} record${handed === 1 ? '' : 's'}`;
  return new ServiceError(
    'unreachable',
    `${errorFromNoAnswer(context.connection, prepared, error).message}; the list ends after ${count}`,
    {
      hint: 'Ask for the list again: what was printed is not all of it.',
      cause: error,
    },
  );
}
