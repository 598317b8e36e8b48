// A thread that parses a large table. It is sent `ToRead`, and answers each part of a piece, and the end, with `PartRead`.
import { parentPort } from 'node:worker_threads';
import { ReadingStopped } from '../bad-file.ts';
import type { FileFault } from '../input.ts';
import type { PartRead, ToRead } from './lines.ts';
import { type LineParser, lineParser, partsOf } from './parser.ts';

let stopped: FileFault | undefined;
let parser: Promise<LineParser> | undefined;

async function read(part: Uint8Array | undefined): Promise<PartRead> {
  try {
    return { lines: (await (await parser)?.next(part)) ?? [] };
  } catch (error) {
    if (error instanceof ReadingStopped) return { stopped };
    throw error;
  }
}

let reading: Promise<void> = Promise.resolve();
parentPort?.on('message', (message: ToRead) => {
  if (message === undefined || message instanceof Uint8Array)
    for (const part of message ? partsOf(message) : [message])
      reading = reading.then(async () => parentPort?.postMessage(await read(part)));
  else
    parser = lineParser(message, (fault) => {
      stopped = fault;
    });
});
