// Where formatted text goes: gathered into large chunks, written no faster than the reader takes them.

import { ServiceError } from '../../contract/errors.ts';
import { systemCode } from '../system-code.ts';

const CHUNK = 64 * 1024;

export interface Sink {
  /** Takes text. Where it answers a promise, the reader must be waited for. */
  add(text: string): Promise<void> | undefined;
  /** Writes what is left; after it everything has left the process. */
  end(): Promise<void>;
}

/**
 * Opens a stream for many small texts. `dress` changes each chunk on its way. A reader that has gone makes `add` or `end`
 * throw the stream's own error, code `EPIPE`; where there is no room for the text it is `disk_full`.
 */
export function openSink(stream: NodeJS.WritableStream, dress: (text: string) => string = (text) => text): Sink {
  let held = '';
  const ignore = (): void => {};
  // The callback of write() tells of every failure; without a listener the same error would end the process.
  stream.on('error', ignore);
  const flush = (): Promise<void> => {
    const chunk = dress(held);
    held = '';
    return send(stream, chunk);
  };
  return {
    add(text) {
      held += text;
      return held.length >= CHUNK ? flush() : undefined;
    },
    async end() {
      if (held !== '') await flush();
      stream.off('error', ignore);
    },
  };
}

/** Resolves when the chunk has been taken, which is all the backpressure there needs to be. */
function send(stream: NodeJS.WritableStream, chunk: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(outputError(error)) : resolve()));
  });
}

/** What the system says when the place that the output goes to has no room, or fails. */
const FULL: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const STORAGE_CODES: readonly string[] = [...FULL, 'EIO'];

function outputError(error: Error): Error {
  const code = systemCode(error) ?? '';
  if (!STORAGE_CODES.includes(code)) return error;
  const why = FULL.includes(code) ? 'there is no room where it goes' : 'the place where it goes fails';
  return new ServiceError(
    FULL.includes(code) ? 'disk_full' : 'storage',
    `the output could not be written: ${why} (${code})`,
    {
      hint: 'Send it somewhere else. It was only the output that failed: what was changed is changed.',
      cause: error,
    },
  );
}
