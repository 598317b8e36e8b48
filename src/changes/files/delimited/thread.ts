// A thread that parses a large table. Its messages are those of `ToRead`. It answers each part, and the end, with `PartRead`.
import { parentPort } from 'node:worker_threads';
import { ReadingStopped } from '../bad-file.ts';
import type { FileFault } from '../input.ts';
import type { PartRead, ToRead } from './lines.ts';
import { type LineParser, lineParser } from './parser.ts';

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
    reading = reading.then(async () => parentPort?.postMessage(await read(message)));
  else
    parser = lineParser(message, (fault) => {
      stopped = fault;
    });
});
