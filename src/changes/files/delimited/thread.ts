// A thread that parses a large table. Its messages are the parts of the file; `undefined` is its end. It answers each with `PartRead`.
import { parentPort, workerData } from 'node:worker_threads';
import { ReadingStopped } from '../bad-file.ts';
import type { FileFault } from '../input.ts';
import type { PartRead } from './lines.ts';
import { lineParser, type Spelling } from './parser.ts';

let stopped: FileFault | undefined;
const parser = lineParser(workerData as Spelling, (fault) => {
  stopped = fault;
});

async function read(part: Uint8Array | undefined): Promise<PartRead> {
  try {
    return { lines: await (await parser).next(part) };
  } catch (error) {
    if (error instanceof ReadingStopped) return { stopped };
    throw error;
  }
}

let reading: Promise<void> = Promise.resolve();
parentPort?.on('message', (part: Uint8Array | undefined) => {
  reading = reading.then(async () => parentPort?.postMessage(await read(part)));
});
