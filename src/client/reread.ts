// A change that was made, and of which the service said nothing: the record is read back, or shown as it was sent.
import type { Input } from '../contract/call.ts';
import { resourceNamed } from '../contract/index.ts';
import type { Operation } from '../contract/operation.ts';
import type { Row } from '../contract/resource.ts';
import { isGood } from './connection.ts';
import { aboutOf, recordIn, type Talk } from './request.ts';

/** Where a record can be read, and by which operation. */
export interface Reading {
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
