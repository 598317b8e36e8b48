// A value for each kind of field, as a flag writes it and as a body carries it.
import type { Field } from '../../src/contract/field.ts';
import { RULES } from '../../src/contract/kinds.ts';

/** What a flag that names a record is given. */
export const NAMED = '0f8fad5b-1111-469f-a165-70867728950e';

/** A value as people write it. */
export function sampleOf(field: Field, targets: readonly string[]): string {
  if (targets.length > 0) return field.kind === 'integer' ? '7' : NAMED;
  if (field.choices) return Object.keys(field.choices)[0] as string;
  if (field.nullable) return 'dialog';
  const samples: Readonly<Record<Field['kind'], string>> = {
    guid: NAMED,
    guids: NAMED,
    text: 'a text = with -- signs',
    integer: '-7',
    byte: '7',
    decimal: '1.5',
    boolean: 'true',
    date: '2026-03-31T09:00:00+02:00',
    day: '2026-03-31',
    stamp: '2026-03-31T09:00:00+02:00',
    bytes: 'UE5H',
  };
  return samples[field.kind];
}

/** The same value as the body carries it. */
export function typedOf(field: Field, targets: readonly string[]): unknown {
  return field.nullable ? 9 : RULES[field.kind].read(sampleOf(field, targets));
}
