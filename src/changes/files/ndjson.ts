// Reads NDJSON: one JSON object on each line. Blank lines are none.
import { type FaultList, ReadingStopped, shownValue } from './bad-file.ts';
import { type Batches, type FileRow, MOST_IN_RECORD } from './input.ts';
import { jsonRow } from './json.ts';
import { EMPTY } from './table.ts';

/** The rows of a file with a record on each line. */
export async function* ndjsonRows(texts: AsyncIterable<string>, faults: FaultList): Batches<FileRow> {
  let line = 0;
  let count = 0;
  const rowsOf = (lines: readonly string[]): FileRow[] =>
    lines.flatMap((text) => {
      line++;
      if (text.trim() === '') return [];
      count++;
      return jsonRow(text.trim(), line, faults) ?? [];
    });
  let waiting: string[] = [];
  let held = 0;
  for await (const text of texts) {
    const [first = '', ...lines] = text.split('\n');
    waiting.push(first);
    held += first.length;
    if (held > MOST_IN_RECORD) throw tooLong(line + 1, waiting[0] ?? '', faults);
    if (lines.length === 0) continue;
    const last = lines.pop() ?? '';
    const rows = rowsOf([waiting.join(''), ...lines]);
    waiting = [last];
    held = last.length;
    if (rows.length > 0) yield rows;
  }
  const rows = rowsOf([waiting.join('')]);
  if (rows.length > 0) yield rows;
  if (count === 0) faults.add(EMPTY);
}

function tooLong(line: number, text: string, faults: FaultList): ReadingStopped {
  faults.add({
    line,
    value: shownValue(text),
    message: 'is longer than 8 MiB; what follows in the file was not looked at',
  });
  return new ReadingStopped();
}
