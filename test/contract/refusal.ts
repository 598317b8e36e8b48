// Why a kind refused a value.
import { isRefusal, type Refusal } from '../../src/contract/kinds.ts';
import type { Value } from '../../src/contract/resource.ts';

/** The reason; where the value was taken, a text that no test expects. */
export const refusalOf = (answer: Value | Refusal): string =>
  isRefusal(answer) ? answer.refused : `took ${JSON.stringify(answer)}`;
