// Records the calls and answers of a session, to compare two back ends.
import { expect } from 'vitest';
import type { Session } from '../../src/contract/call.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { Row } from '../../src/contract/resource.ts';

/** One call and its result. */
interface Entry {
  readonly asked: string;
  readonly answer?: Row;
  readonly rows?: readonly Row[];
  readonly error?: unknown;
}

/** The calls of each test, by its name without that of the back end. */
export type Transcripts = Map<string, readonly Entry[]>;

/** Records into the transcript of the running test. */
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

/** Replaces each ID by the number of its first appearance. */
export function withoutIDs(entries: readonly Entry[]): unknown {
  const numbers = new Map<string, string>();
  const text = JSON.stringify(entries).replace(GUID, (id) => {
    const known = numbers.get(id.toLowerCase()) ?? `#${numbers.size + 1}`;
    numbers.set(id.toLowerCase(), known);
    return known;
  });
  return JSON.parse(text);
}

const nameOf = ({ resource, name }: Operation): string => `${resource}.${name}`;

const nameOfTest = (): string => (expect.getState().currentTestName ?? '').replace(/^.*? > /, '');

/** Without hints: they may differ between back ends. */
function comparable(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return String(error);
  const { code, message, faults } = error;
  return { code, message, faults: faults.map((fault) => ({ field: fault.field, code: fault.code })) };
}
