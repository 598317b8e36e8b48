// New records: their IDs are made here, so that a request that got no answer can be looked after before it is sent
// again (D12).
import type { Input } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import { sameID } from '../contract/kinds.ts';
import type { Next } from '../contract/next.ts';
import type { Operation } from '../contract/operation.ts';
import type { Row } from '../contract/resource.ts';
import { isGood, type Whole } from './connection.ts';
import { NoAnswer } from './no-answer.ts';
import { type About, badAnswer, refusalOf, silenceOf, unknownOutcome } from './refusals.ts';
import { aboutOf, readingByID, recordIn, type Talk } from './request.ts';
import type { Heard } from './retry.ts';

/** Whether a service gave a new record the ID that was sent. Where it did not, an ID tells nothing. */
const keepsIDs = new WeakMap<Talk['line'], boolean>();

/** Throws `unknown_outcome` where it cannot be found out whether the record was made. */
export async function create(talk: Talk, operation: Operation, given: Input): Promise<Row> {
  const resource = resourceNamed(operation.resource);
  const takesID = resource.id === 'guid' && resource.fields.ID !== undefined;
  const id = takesID ? String(given.body?.ID ?? talk.line.options.newID()) : undefined;
  const input = id === undefined ? given : { ...given, body: { ID: id, ...given.body } };
  const about = { ...aboutOf(talk, operation, input), ...(id === undefined ? {} : { look: lookFor(operation, id) }) };
  for (let sent = 0; ; sent++) {
    const outcome = await sendOnce(talk, about);
    const made = whatWasMade(talk, about, operation, outcome);
    if (made && !(made instanceof ServiceError)) {
      if (!isSilent(made)) return remembering(talk, id, made, sent > 0 ? about : undefined);
      return reread(talk, operation, id === undefined ? undefined : readingByID(operation, id), input.body);
    }
    // A first try that is refused was refused; a later one may be refused because an earlier one was not.
    if (made && sent === 0) throw made;
    const found =
      id === undefined || keepsIDs.get(talk.line) === false ? undefined : await readBack(talk, operation, id);
    if (found?.record) return found.record;
    if (made) throw made;
    // Where nobody knows whether the service keeps IDs, a record that is not found may be there under another one.
    const mayRepeat = found !== undefined && keepsIDs.get(talk.line) === true;
    if (!mayRepeat || sent >= talk.line.options.retries) throw lost(talk, about, outcome);
  }
}

type Outcome = Heard<Whole> | NoAnswer;

/** Sent again only while it has certainly not left. */
async function sendOnce(talk: Talk, about: About): Promise<Outcome> {
  try {
    return await talk.line.ask(about.request);
  } catch (error) {
    if (error instanceof NoAnswer && error.left) return error;
    throw error instanceof NoAnswer ? silenceOf(talk.line, about, error) : error;
  }
}

/** The new record, or why there is none; undefined where it may have been made, and nobody said so. */
function whatWasMade(talk: Talk, about: About, operation: Operation, outcome: Outcome): Row | ServiceError | undefined {
  if (outcome instanceof NoAnswer) return undefined;
  const { answer, unsure } = outcome;
  if (isGood(answer.status)) return readable(() => recordIn(talk, about, operation, answer));
  const refusal = refusalOf(talk.line, about, answer, unsure);
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
  talk: Talk,
  operation: Operation,
  id: string,
): Promise<{ record: Row | undefined } | undefined> {
  const reading = readingByID(operation, id);
  if (!reading) return undefined;
  const about = aboutOf(talk, reading.operation, reading.input);
  try {
    const { answer } = await talk.line.ask(about.request);
    if (isGood(answer.status)) return { record: recordIn(talk, about, reading.operation, answer) };
    return answer.status === 404 ? { record: undefined } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the service keeps our IDs shows in what it made. */
function remembering(talk: Talk, id: string | undefined, made: Row, again: About | undefined): Row {
  if (id === undefined || made.ID === undefined) return made;
  const isKept = sameID(made.ID, id);
  keepsIDs.set(talk.line, isKept);
  if (isKept || !again) return made;
  throw unknownOutcome(talk.line, again, 'the service gives IDs of its own, so there may be two of this record now');
}

function lost(talk: Talk, about: About, outcome: Outcome): Error {
  if (outcome instanceof NoAnswer) return silenceOf(talk.line, about, outcome);
  const { answer, unsure } = outcome;
  return isGood(answer.status) ? badAnswer(talk.line, about, 'no record') : refusalOf(talk.line, about, answer, unsure);
}

function lookFor(operation: Operation, id: string): Next {
  const { name: resource, operations } = resourceNamed(operation.resource);
  return operations.get ? { do: 'get', resource, id } : { do: 'list', resource };
}

/** Where a record can be read, and by which operation. */
interface Reading {
  readonly operation: Operation;
  readonly input: Input;
}

export const isSilent = (row: Row): boolean => Object.keys(row).length === 0;

/** The record as it stands now. Never throws: the change was made, whatever becomes of the reading. */
export async function reread(
  talk: Talk,
  operation: Operation,
  reading: Reading | undefined,
  sent: Input['body'] = {},
): Promise<Row> {
  const found = reading && (await answerTo(talk, reading));
  if (found && !isSilent(found)) return found;
  const { profile, note } = talk.line.options;
  note?.(`The change was made, and ${profile} did not say how the record stands now: shown is what was sent.`);
  return speakable(operation, sent);
}

async function answerTo(talk: Talk, { operation, input }: Reading): Promise<Row | undefined> {
  try {
    const about = aboutOf(talk, operation, input);
    const { answer } = await talk.line.ask(about.request);
    return isGood(answer.status) ? recordIn(talk, about, operation, answer) : undefined;
  } catch {
    return undefined;
  }
}

/** What was sent, without what no answer ever holds. */
function speakable(operation: Operation, sent: NonNullable<Input['body']>): Row {
  const { fields } = resourceNamed(operation.resource);
  // A body holds what the members of a record hold.
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !fields[name]?.writeOnly)) as Row;
}
