// Statements that are sent behind the first of their name, before the server has taken that: they rest on it.
import { codeOf } from './failure.ts';

const NEVER_PREPARED = '26000';

/** What a statement of this name is thrown for an error: where the first one was not taken, the error of that. */
export function firstErrors(): (name: string | undefined, error: unknown) => unknown {
  const last = new Map<string | undefined, unknown>();
  return (name, error) => {
    if (codeOf(error) === NEVER_PREPARED) return last.get(name) ?? error;
    last.set(name, error);
    return error;
  };
}
