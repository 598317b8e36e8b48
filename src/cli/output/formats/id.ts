// `-o id`, one ID a line, made for pipes; and `-o none`.
import { ServiceError } from '../../../contract/errors.ts';
import { sanitise } from '../../../text/escape.ts';
import type { Formatter } from '../result.ts';

/** Throws `usage` where the records have no ID. */
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
    const full = sink.add(`${options.terminal ? sanitise(text) : text}\n`);
    if (full) await full;
    count++;
  }
  return count;
};

/** Reads everything and prints nothing. */
export const none: Formatter = async ({ rows }) => {
  let count = 0;
  for await (const _row of rows) count++;
  return count;
};
