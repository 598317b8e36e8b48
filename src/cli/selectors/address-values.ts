// Reads the values of the flags that fill an address.
import type { Input, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { CHILD_TYPES } from '../../contract/rights.ts';
import { checkText } from '../../contract/validate.ts';
import { camel } from '../names.ts';
import { type AddressFlag, type AddressPlan, addressFlags, inputAt } from './addresses.ts';
import { resolve } from './selectors.ts';

type Given = Readonly<Record<string, unknown>>;

/** The input at the address of `plan`, one of `plans`. Throws as `resolve`, and `usage`, `invalid`. */
export const inputFor = async (
  session: Session,
  plans: readonly AddressPlan[],
  plan: AddressPlan,
  given: Given,
  deleted: 0 | 1 | 2,
): Promise<Input> => inputAt(plan, session, await resolveFlags(session, addressFlags(plans), given, deleted));

/** Values of address flags by flag, with names resolved. Owners may be deleted if `deleted` is not 0. */
async function resolveFlags(
  session: Session,
  flags: readonly AddressFlag[],
  given: Given,
  deleted: 0 | 1 | 2,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const flag of flags) {
    const written = given[camel(flag.flag)];
    if (typeof written !== 'string') continue;
    const value =
      flag.targets.length === 0
        ? readWord(flag, written)
        : await resolve(session, written, { targets: flag.targets, deleted: deleted === 0 ? 0 : 2 });
    values.set(flag.flag, value);
  }
  return values;
}

function readWord(flag: AddressFlag, written: string): string {
  if (flag.flag === 'child-type') return childType(written);
  const choice = Object.entries(flag.field.choices ?? {}).find(([, name]) => name === written.toLowerCase());
  if (choice) return choice[0];
  const answer = checkText(flag.field, written);
  if ('value' in answer) return written;
  const words = Object.entries(flag.field.choices ?? {}).map(([number, name]) => `${name} (${number})`);
  const refused = words.length > 0 ? `is "${written}"; allowed are ${words.join(', ')}` : answer.refused;
  throw new ServiceError('invalid', `--${flag.flag} ${refused}`);
}

function childType(written: string): string {
  const found = Object.entries(CHILD_TYPES).find(
    ([number, name]) => number === written || name === written.toLowerCase(),
  );
  if (found) return found[0];
  const names = [...new Set(Object.values(CHILD_TYPES))].join(', ');
  throw new ServiceError('invalid', `--child-type is "${written}"; allowed are ${names}`);
}
