// Comments, dialogs and commitments hang on records of several types, and show which.
import { rowTypeOf } from '../records/row-types.ts';
import { member, type Rules, type Writing } from './rule.ts';

/** Fills in the row type of what the record hangs on. */
export async function fillAncestorType(writing: Writing): Promise<void> {
  if (writing.before) return;
  writing.values.AncestorType = (await rowTypeOf(writing.change, member(writing, 'AncestorID')))?.rowType ?? null;
}

export const hangsOn: Rules = { prepare: fillAncestorType };
