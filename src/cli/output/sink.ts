// Where formatted text goes: gathered into large chunks, written no faster than the reader takes them.

const CHUNK = 64 * 1024;

export interface Sink {
  /** Takes text. Where it answers a promise, the reader must be waited for. */
  add(text: string): Promise<void> | undefined;
  /** Writes what is left; after it everything has left the process. */
  end(): Promise<void>;
}

/**
 * Opens a stream for many small texts. `dress` changes each chunk on its way. A reader that has gone makes `add` or `end`
 * throw the stream's own error, code `EPIPE`.
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
    stream.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
