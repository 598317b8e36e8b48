// Reads CSV and TSV: in this thread, or where the file is large beside it.
import { on } from 'node:events';
import { startThread } from '../../../files/thread.ts';
import { type FaultList, ReadingStopped } from '../bad-file.ts';
import type { Batches, FileFault, Line } from '../input.ts';
import { lineParser, type Spelling } from './parser.ts';

type Lines = Batches<Line> & AsyncGenerator<readonly Line[]>;

/**
 * The records of a table in UTF-8, the header first. A fault of quotes that hides where the next record begins ends the reading
 * with `ReadingStopped`.
 */
export async function* linesHere(bytes: AsyncIterable<Buffer>, spelling: Spelling, faults: FaultList): Lines {
  const parser = await lineParser(spelling, (fault) => faults.add(fault));
  for await (const piece of withoutFirst(bytes, spelling.skip))
    for (const part of partsOf(piece)) {
      const lines = await parser.next(part);
      if (lines.length > 0) yield lines;
    }
  const last = await parser.next();
  if (last.length > 0) yield last;
}

/** In bytes. To parse less takes less time than to start a thread. */
const LARGE = 4 << 20;

/**
 * Reads a table of `size` bytes. The parser of a large one takes a tenth of an import, so it has a thread, which starts before it
 * is needed.
 */
export function tableLines(size: number, spelling: Spelling) {
  const started: ParserThread[] = [];
  const start = (): ParserThread | undefined => {
    const thread = size < LARGE ? undefined : parserThread(spelling);
    if (thread) started.push(thread);
    return thread;
  };
  let waiting = start();
  return {
    /** As `linesHere`; each call reads the whole table. */
    read(bytes: AsyncIterable<Buffer>, faults: FaultList): Lines {
      const thread = waiting ?? start();
      waiting = undefined;
      return thread
        ? linesBeside(thread, withoutFirst(bytes, spelling.skip), faults)
        : linesHere(bytes, spelling, faults);
    },
    /** Ends all threads: a reader that has failed does not read the rest. */
    async close(): Promise<void> {
      await Promise.all(started.map((thread) => thread.end()));
    },
  };
}

/** What the thread answers to each part of the file, and to the end of it. */
export interface PartRead {
  readonly lines?: readonly Line[];
  readonly stopped?: FileFault | undefined;
}

type ParserThread = NonNullable<ReturnType<typeof parserThread>>;

function parserThread(spelling: Spelling) {
  const thread = startThread('csv-thread', spelling);
  if (!thread) return undefined;
  const answers = on(thread, 'message');
  // Until it is used it does not keep the program alive.
  thread.unref();
  return {
    /** Hands over the next part; without one the file has ended. */
    send(part?: Uint8Array<ArrayBuffer>): void {
      thread.ref();
      thread.postMessage(part, part && [part.buffer]);
    },
    /** The answer to the first part that has none yet. Throws what ended the thread. */
    answer: async () => ((await answers.next()).value as [PartRead])[0],
    end: async (): Promise<void> => void (await thread.terminate()),
  };
}

/** Parts that the thread has while the lines of an earlier one are worked on. */
const AHEAD = 4;

async function* linesBeside(thread: ParserThread, bytes: AsyncIterable<Buffer>, faults: FaultList): Lines {
  const next = async (): Promise<readonly Line[]> => {
    const { lines = [], stopped } = await thread.answer();
    if (stopped === undefined) return lines;
    faults.add(stopped);
    throw new ReadingStopped();
  };
  try {
    let sent = 0;
    for await (const piece of bytes)
      for (const part of partsOf(piece)) {
        // A copy: the thread takes its memory over.
        thread.send(new Uint8Array(part));
        if (++sent > AHEAD) yield await next();
      }
    thread.send();
    for (let left = Math.min(sent, AHEAD); left >= 0; left--) yield await next();
  } finally {
    await thread.end();
  }
}

/** In bytes. The lines of a part live together: those of a larger one would outlive a collection of garbage. */
const PART = 1 << 16;

const partsOf = (piece: Buffer): readonly Buffer[] =>
  Array.from({ length: Math.ceil(piece.length / PART) }, (_, at) => piece.subarray(at * PART, (at + 1) * PART));

async function* withoutFirst(bytes: AsyncIterable<Buffer>, skip: number): AsyncGenerator<Buffer> {
  let left = skip;
  for await (const piece of bytes) {
    const rest = left > 0 ? piece.subarray(left) : piece;
    left = Math.max(0, left - piece.length);
    if (rest.length > 0) yield rest;
  }
}
