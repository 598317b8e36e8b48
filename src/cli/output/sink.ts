// Writes formatted text in large chunks, no faster than the reader takes them.
import { ServiceError } from '../../contract/errors.ts';
import type { Row } from '../../contract/resource.ts';
import { storageFault, systemCode } from '../../text/system-code.ts';
import type { Output } from '../streams.ts';

const CHUNK = 64 * 1024;

export interface Sink {
  /** Adds text. If it answers a promise, the caller must await it. */
  add(text: string): Promise<void> | undefined;
  /** Writes bytes as they are, at once. */
  addBytes(bytes: Buffer): Promise<void>;
  /** Writes the rest; resolves when the process has handed everything over. */
  end(): Promise<void>;
}

/**
 * Opens a stream for many small texts; `transform` is applied to each chunk. With a closed reader `add` or `end` throw the
 * stream's own error, code `EPIPE`; with a full device `disk_full`.
 */
export function openSink(stream: Output, transform: (text: string) => string = (text) => text): Sink {
  let buffer = '';
  const ignore = (): void => {};
  // The callback of write() reports every failure; without a listener the same error would end the process.
  stream.on('error', ignore);
  const flush = (): Promise<void> => {
    const chunk = transform(buffer);
    buffer = '';
    return send(stream, chunk);
  };
  return {
    add(text) {
      buffer += text;
      return buffer.length >= CHUNK ? flush() : undefined;
    },
    addBytes: (bytes) => send(stream, bytes),
    async end() {
      if (buffer !== '') await flush();
      stream.off('error', ignore);
    },
  };
}

/** Adds the text of each row; answers how many there were. */
export async function addRows(
  sink: Sink,
  rows: AsyncIterable<Row> | Iterable<Row>,
  textOf: (row: Row) => string,
): Promise<number> {
  let count = 0;
  for await (const row of rows) {
    const full = sink.add(textOf(row));
    if (full) await full;
    count++;
  }
  return count;
}

/** Resolves when the chunk is taken: this is the backpressure. */
function send(stream: Output, chunk: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(outputError(error)) : resolve()));
  });
}

function outputError(error: Error): Error {
  const fault = storageFault(error);
  if (!fault) return error;
  const why = fault === 'disk_full' ? 'the disk is full' : 'the device fails';
  return new ServiceError(fault, `the output could not be written: ${why} (${systemCode(error)})`, {
    hint: 'Only the output failed: changes that were made remain. Send the output elsewhere.',
    cause: error,
  });
}
