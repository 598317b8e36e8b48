// What XML has no way to say is refused before it is sent: something else would be written in its place.
import { type Fault, invalid } from '../contract/errors.ts';
import type { Field } from '../contract/field.ts';
import { isRefusal, RULES } from '../contract/kinds.ts';
import { type Resource, singular } from '../contract/resource.ts';

/** Throws `invalid` for characters that XML 1.0 does not have, and for structures where a value belongs (D13). */
export function checkSayable(resource: Resource, body: Readonly<Record<string, unknown>>): void {
  const faults = Object.entries(body).flatMap(([field, value]): Fault[] => {
    const known = resource.fields[field];
    const refused = known && isStructure(value) ? notA(known, value) : unfitIn(value);
    return refused === undefined ? [] : [{ field, code: 'malformed', message: refused }];
  });
  if (faults.length > 0) throw invalid(`the ${singular(resource)}`, faults);
}

const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What nobody may read is not quoted. */
const notA = ({ kind, writeOnly }: Field, value: object): string | undefined =>
  writeOnly ? `is not ${RULES[kind].form}` : refusedBy(kind, value);

function refusedBy(kind: keyof typeof RULES, value: unknown): string | undefined {
  const checked = RULES[kind].check(value);
  return isRefusal(checked) ? checked.refused : undefined;
}

/** Members that the contract does not know may hold others. */
function unfitIn(value: unknown): string | undefined {
  if (typeof value === 'string') return refusedBy('text', value);
  if (!isStructure(value)) return undefined;
  return Object.values(value)
    .map(unfitIn)
    .find((refused) => refused !== undefined);
}
