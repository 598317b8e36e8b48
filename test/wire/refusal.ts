// The error with which a call is refused; that it is refused at all is part of what is expected.
import { ServiceError } from '../../src/contract/errors.ts';

export function refusal(call: () => unknown): ServiceError {
  let answer: unknown;
  try {
    answer = call();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error(`nothing was refused; the answer is ${JSON.stringify(answer)}`);
}

/** The same for what is refused while it is read. */
export async function lateRefusal(reading: Promise<unknown>): Promise<ServiceError> {
  const answer = await reading.catch((error: unknown) => error);
  return refusal(() => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
}
