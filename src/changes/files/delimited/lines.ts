// Reads CSV and TSV: in this thread, or where the file is large beside it.
import { on } from 'node:events';
import { startThread } from '../../../files/thread.ts';
import { type FaultList, ReadingStopped } from '../bad-file.ts';
import type { Batches, FileFault, Line } from '../input.ts';
import { lineParser, partsOf, type Spelling } from './parser.ts';

type Lines = Batches<Line> & AsyncGenerator<readonly Line[]>;

/**
 * The records of a table in UTF-8, the header first. A fault of quotes that hides where the next record begins ends the reading
 * with `ReadingStopped`.
 */
export async function* linesHere(bytes: AsyncIterable<Buffer>, spelling: Spelling, faults: FaultList): Lines {
  const parser = await lineParser(spelling, (fault) => faults.add(fault));
  for await (const piece of withoutFirst(bytes, spelling.skip))
    for (const part of partsOf(piece, HEADER)) {
      const lines = await parser.next(part);
      if (lines.length > 0) yield lines;
    }
  const last = await parser.next();
  if (last.length > 0) yield last;
}

/** In bytes. To parse less takes less time than to start a thread. */
const LARGE = 4 << 20;

/** Reads a table. The parser of a large one takes a tenth of an import, so it has a thread; `waiting` was started before. */
export function tableLines(size: number, spelling: Spelling, waiting = threadFor(size)) {
  const started: ParserThread[] = [];
  const spelled = (thread: ParserThread | undefined): ParserThread | undefined => {
    if (thread) started.push(thread);
    thread?.send(spelling);
    return thread;
  };
  let coming = spelled(waiting);
  return {
    /** As `linesHere`; each call reads the whole table. */
    read(bytes: AsyncIterable<Buffer>, faults: FaultList): Lines {
      const thread = coming ?? spelled(threadFor(size));
      coming = undefined;
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

/** What the thread is sent: how the table is spelled, and then its pieces. Nothing is its end. */
export type ToRead = Spelling | Uint8Array | undefined;

/** What the thread answers to each part of a piece, and to the end of the file. */
export interface PartRead {
  readonly lines?: readonly Line[];
  readonly stopped?: FileFault | undefined;
}

type ParserThread = NonNullable<ReturnType<typeof threadFor>>;

/** A thread for a table of so many bytes, before it is known how that is spelled; undefined for a small one. */
export function threadFor(size: number) {
  const thread = size < LARGE ? undefined : startThread('csv-thread');
  if (!thread) return undefined;
  const answers = on(thread, 'message');
  thread.unref();
  return {
    send(message: ToRead): void {
      // It does not keep the program alive until it has a piece.
      if (message === undefined || message instanceof Uint8Array) thread.ref();
      thread.postMessage(message);
    },
    /** The answer to the first part that has none yet. Throws what ended the thread. */
    answer: async () => ((await answers.next()).value as [PartRead])[0],
    end: async (): Promise<void> => void (await thread.terminate()),
  };
}

/** Where no more parts than these are in the thread, it is sent the next piece: it works while their lines are worked on. */
const AHEAD = 4;

async function* linesBeside(thread: ParserThread, bytes: AsyncIterable<Buffer>, faults: FaultList): Lines {
  const next = async (): Promise<readonly Line[]> => {
    const { lines = [], stopped } = await thread.answer();
    if (stopped === undefined) return lines;
    faults.add(stopped);
    throw new ReadingStopped();
  };
  try {
    let waiting = 0;
    for await (const piece of bytes) {
      // To wake the thread for each part would take longer than to copy the piece.
      thread.send(piece);
      for (waiting += [...partsOf(piece)].length; waiting > AHEAD; waiting--) yield await next();
    }
    thread.send(undefined);
    for (; waiting >= 0; waiting--) yield await next();
  } finally {
    await thread.end();
  }
}

/** In bytes. A header is read alone, and mostly ends in so many. */
const HEADER = 1 << 12;

async function* withoutFirst(bytes: AsyncIterable<Buffer>, skip: number): AsyncGenerator<Buffer> {
  let left = skip;
  for await (const piece of bytes) {
    const rest = left > 0 ? piece.subarray(left) : piece;
    left = Math.max(0, left - piece.length);
    if (rest.length > 0) yield rest;
  }
}
