// Writes down what a session is asked and what it answers, so that two back ends can be compared word for word.
import { expect } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { Row } from '../../src/contract/resource.ts';

/** One question and how it ended. */
interface Entry {
  readonly asked: string;
  readonly answer?: Row;
  readonly rows?: readonly Row[];
  readonly error?: unknown;
}

/** What was told in each test, by the test's name without that of the back end. */
export type Transcripts = Map<string, readonly Entry[]>;

/** Writes into the transcripts of the test that runs. */
export function recorded(session: Session, into: Transcripts): Session {
  const entries: Entry[] = [];
  into.set(nameOfTest(), entries);
  return {
    me: session.me,
    find: session.find,
    async call(operation, input) {
      try {
        const answer = await session.call(operation, input);
        entries.push({ asked: nameOf(operation), answer });
        return answer;
      } catch (error) {
        entries.push({ asked: nameOf(operation), error: comparable(error) });
        throw error;
      }
    },
    async *list(operation, input, want) {
      const rows: Row[] = [];
      try {
        for await (const row of session.list(operation, input, want)) {
          rows.push(row);
          yield row;
        }
        entries.push({ asked: nameOf(operation), rows });
      } catch (error) {
        entries.push({ asked: nameOf(operation), rows, error: comparable(error) });
        throw error;
      }
    },
  };
}

const GUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The same whatever IDs were given: each is a number, by its first appearance. */
export function withoutIDs(entries: readonly Entry[]): unknown {
  const seen = new Map<string, string>();
  const text = JSON.stringify(entries).replace(GUID, (id) => {
    const known = seen.get(id.toLowerCase()) ?? `#${seen.size + 1}`;
    seen.set(id.toLowerCase(), known);
    return known;
  });
  return JSON.parse(text);
}

const nameOf = ({ resource, name }: Operation): string => `${resource}.${name}`;

const nameOfTest = (): string => (expect.getState().currentTestName ?? '').replace(/^.*? > /, '');

/** Hints may name what only one of them can do. */
function comparable(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return String(error);
  const { code, message, faults } = error;
  return { code, message, faults: faults.map((fault) => ({ field: fault.field, code: fault.code })) };
}
