// The formats for pipes and scripts: `-o id` prints one ID a line, `-o none` prints nothing.
import { ServiceError } from '../../../contract/errors.ts';
import { sanitise } from '../../../text/escape.ts';
import type { Formatter } from '../result.ts';

/** Throws `usage` where the records have no ID, or `--fields` leaves it out. */
export const id: Formatter = async ({ shape, rows, columns, chosen }, options, sink) => {
  const name = shape.id ?? 'ID';
  if (!(name in shape.fields))
    throw new ServiceError('usage', `-o id: a ${shape.type} has no ${name}`, {
      hint: 'Use -o json.',
    });
  if (chosen && !columns.includes(name)) {
    throw new ServiceError('usage', `-o id prints ${name}, and --fields leaves it out`, {
      hint: 'Leave --fields away.',
    });
  }
  let count = 0;
  for await (const row of rows) {
    const text = String(row[name] ?? '');
    const written = sink.add(`${options.terminal ? sanitise(text) : text}\n`);
    if (written) await written;
    count++;
  }
  return count;
};

/** Reads all records, and so meets every error, but prints nothing. */
export const none: Formatter = async ({ rows }) => {
  let count = 0;
  for await (const _row of rows) count++;
  return count;
};
