// One individual's calls on a remote service.
import type { Input, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import { RULES } from '../contract/kinds.ts';
import type { Operation } from '../contract/operation.ts';
import { type Resource, type Row, singular, type Value } from '../contract/resource.ts';
import { isGood, type Whole } from './connection.ts';
import { create, isSilent, reread } from './creating.ts';
import { type Etags, learnEtags, listedKeeper } from './etags.ts';
import { withFinder } from './finder.ts';
import { NoAnswer } from './no-answer.ts';
import { type About, refusalOf, silenceOf } from './refusals.ts';
import { aboutOf, matching, readingOf, recordIn, recordsIn, type Talk } from './request.ts';
import { backOff, type Heard } from './retry.ts';

/** Begins to speak; `me` is who the service says that the credential is. */
export function sessionOn(talk: Talk, me: Session['me'], etags: Etags): Session {
  return withFinder({
    me,
    call: (operation, input = {}) => callOn(talk, etags, operation, input),
    list: (operation, input = {}, want = {}) => listOn(talk, etags, operation, input, want.limit),
  });
}

/** One call, before anybody is known or after. */
export async function callOn(talk: Talk, etags: Etags, operation: Operation, input: Input): Promise<Row> {
  refuseLocal(talk, operation);
  if (operation.verb === 'create') return create(talk, operation, input);
  const plain = aboutOf(talk, operation, input);
  const path = plain.request.path.replace(/\?.*$/s, '');
  const about = matching(plain, input.match ?? (operation.verb === 'update' ? etags.get(path) : undefined));
  const { answer, unsure } = await heardOf(talk, about);
  if (!isGood(answer.status)) {
    const done = unsure ? await settled(talk, operation, input, answer.status) : undefined;
    if (done) return done;
    throw refusalOf(talk.line, about, answer, unsure);
  }
  const { etag } = answer.headers;
  etags.keep(path, etag);
  const row = recordIn(talk, about, operation, answer);
  if (operation.verb === 'update' && isSilent(row))
    return reread(talk, operation, readingOf(operation, input), input.body);
  learnEtags(etags, operation, row, etag);
  return row;
}

function refuseLocal({ line }: Talk, operation: Operation): void {
  if (operation.verb !== 'local') return;
  const what = `${resourceNamed(operation.resource).command} ${operation.name}`;
  throw new ServiceError(
    'usage',
    `${what} is done by the embedded engine alone; ${line.options.profile} is a remote one`,
    {
      hint: 'The embedded engine does it.',
      next: { do: 'use-engine' },
    },
  );
}

async function heardOf(talk: Talk, about: About): Promise<Heard<Whole>> {
  try {
    return await talk.line.ask(about.request);
  } catch (error) {
    throw error instanceof NoAnswer ? silenceOf(talk.line, about, error) : error;
  }
}

/** A refusal of a second try may only mean that the first one was carried out. */
async function settled(talk: Talk, operation: Operation, input: Input, status: number): Promise<Row | undefined> {
  if (operation.verb === 'delete' && status === 404) return {};
  if (operation.verb !== 'update' || status !== 412) return undefined;
  const reading = readingOf(operation, input);
  if (!reading) return undefined;
  const about = aboutOf(talk, reading.operation, reading.input);
  const { answer } = await heardOf(talk, about);
  const now = isGood(answer.status) ? recordIn(talk, about, reading.operation, answer) : undefined;
  return now && says(resourceNamed(operation.resource), now, input.body ?? {}) ? now : undefined;
}

/** Does the record hold all that was sent? */
const says = ({ fields }: Resource, record: Row, sent: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(sent).every(([name, value]) => {
    const field = fields[name];
    if (!field || field.writeOnly || field.rule === 'read-only') return true;
    return RULES[field.kind].same((value ?? null) as Value, record[name] ?? null);
  });

async function* listOn(
  talk: Talk,
  etags: Etags,
  operation: Operation,
  input: Input,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Row> {
  refuseLocal(talk, operation);
  const about = aboutOf(talk, operation, input);
  if (operation.writes) return yield* makeMany(talk, about, operation);
  const { options } = talk.line;
  const keep = listedKeeper(talk, etags, operation);
  let handed = 0;
  for (let tried = 0; handed < limit; tried++) {
    try {
      for await (const row of rowsOf(talk, about, operation)) {
        keep?.(row);
        yield row;
        if (++handed >= limit) return;
      }
      return;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      // What was handed on cannot be taken back, and a second list may be another one.
      if (handed > 0) throw cutOff(talk, about, operation, handed, error);
      if (error.lasting || tried >= options.retries) throw silenceOf(talk.line, about, error);
      await options.pause(backOff(tried, options));
    }
  }
}

/** A change that answers a list is sent once more only while it has certainly not left. */
async function* makeMany(talk: Talk, about: About, operation: Operation): AsyncGenerator<Row> {
  const { answer, unsure } = await heardOf(talk, about);
  if (!isGood(answer.status)) throw refusalOf(talk.line, about, answer, unsure);
  yield* recordsIn(talk, about, operation, { ...answer, body: pieceOf(answer), discard: () => undefined });
}

async function* pieceOf({ bytes }: Whole): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* rowsOf(talk: Talk, about: About, operation: Operation): AsyncGenerator<Row> {
  const answer = await talk.line.stream(about.request).catch((error: unknown) => {
    // These tries were all there are.
    throw error instanceof NoAnswer ? silenceOf(talk.line, about, error) : error;
  });
  if ('bytes' in answer) throw refusalOf(talk.line, about, answer);
  yield* recordsIn(talk, about, operation, answer);
}

function cutOff(talk: Talk, about: About, operation: Operation, handed: number, error: NoAnswer): ServiceError {
  const what = singular(resourceNamed(operation.resource));
  const count = `${handed} ${what} record${handed === 1 ? '' : 's'}`;
  return new ServiceError(
    'unreachable',
    `${silenceOf(talk.line, about, error).message}; the list ends after ${count}`,
    {
      hint: 'Ask for the list again: what was printed is not all of it.',
      cause: error,
    },
  );
}
