// Reads a JSON array of objects, element by element, so that no file is too long.
import { type ArraySplitter, arraySplitter, type Misplaced } from '../../text/json-array.ts';
import { type FaultList, ReadingStopped, shownValue } from './bad-file.ts';
import { type Batches, type FileRow, MOST_IN_RECORD } from './input.ts';
import { jsonRow } from './json.ts';
import { EMPTY } from './table.ts';

/** What is wrong with a sign, and what to do about it. */
const WRONG: Readonly<Record<Misplaced, { readonly message: string; readonly hint?: string }>> = {
  front: { message: 'holds no list of records', hint: 'JSON must be an array of objects: [{"Name": "…"}, …].' },
  element: { message: 'has a comma with no record beside it' },
  behind: { message: 'goes on behind the end of the list' },
};
const CUT = { message: 'is where the list is cut off: its closing ] is missing', hint: 'Export it again.' };

/** The rows of a JSON array of objects. What is no such array goes to the faults. */
export async function* jsonListRows(texts: AsyncIterable<string>, faults: FaultList): Batches<FileRow> {
  const stop = (value: string, line: number, fault: { readonly message: string }): never => {
    faults.add({ line, value: shownValue(value), ...fault });
    throw new ReadingStopped();
  };
  const splitter = arraySplitter((where, sign, line) => stop(sign, line, WRONG[where]));
  let count = 0;
  for await (const text of texts) {
    const elements = splitter.push(text);
    if (splitter.waiting.length > MOST_IN_RECORD)
      stop(splitter.waiting, splitter.line, { message: 'is in a record of more than 8 MiB' });
    count += elements.length;
    const rows = elements.flatMap((one) => jsonRow(one.text, one.line, faults) ?? []);
    if (rows.length > 0) yield rows;
  }
  checkWhole(splitter, count, faults);
}

function checkWhole({ state, line }: ArraySplitter, count: number, faults: FaultList): void {
  if (state === 'front') faults.add(EMPTY);
  else if (state === 'open') faults.add({ line, ...CUT });
  else if (count === 0) faults.add({ line: 1, message: 'is a list without a record' });
}
