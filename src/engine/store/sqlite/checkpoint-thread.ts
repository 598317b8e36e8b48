// A thread that moves the write-ahead log of a database into its file, on a connection of its own, as often as it is asked.
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointStart } from './checkpoints.ts';
import { openDatabase } from './driver.ts';
import { identityOf } from './file/watch.ts';

const { file, identity } = workerData as CheckpointStart;
if (identityOf(file) !== identity) throw new Error(`The database ${file} was replaced by another file`);
const database = openDatabase(file, { fileMustExist: true });
database.pragma('synchronous = FULL');
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').raw();

parentPort?.on('message', (message: 'checkpoint' | 'close') => {
  if (message === 'checkpoint') return void parentPort?.postMessage(checkpoint.get());
  database.close();
  parentPort?.close();
});
