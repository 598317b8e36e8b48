// `await refuses(…).with('invalid', /Rank is required/)`: a call that must fail, and how.
import { expect } from 'vitest';
import { adviceOf } from '../../src/cli/output/next.ts';
import { type ErrorCode, ServiceError } from '../../src/contract/errors.ts';

interface Refused {
  /** Fails with this code; the message and what the command line says to do next have all of these. Answers the error. */
  with(code: ErrorCode, ...wanted: readonly (string | RegExp)[]): Promise<ServiceError>;
}

export const refuses = (call: Promise<unknown>): Refused => ({
  async with(code, ...wanted) {
    const error = await errorOf(call);
    const words = `${error.message}\n${adviceOf(error, { shell: 'posix' }) ?? ''}`;
    expect({ code: error.code, words }).toEqual({ code, words });
    for (const one of wanted) {
      if (typeof one === 'string') expect(words).toContain(one);
      else expect(words).toMatch(one);
    }
    return error;
  },
});

async function errorOf(call: Promise<unknown>): Promise<ServiceError> {
  const answer = await call.catch((error: unknown) => error);
  if (answer instanceof ServiceError) return answer;
  if (answer instanceof Error) throw answer;
  throw new Error(`nothing was refused; the answer is ${JSON.stringify(answer)}`);
}
