// Writes a page to a file, whole or not at all.
import { existsSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';

export interface Place {
  readonly file: string;
  /** The folder that the name is taken from. */
  readonly cwd: string;
  readonly overwrite: boolean;
  /** Aborts when the process is asked to end. */
  readonly stopped?: AbortSignal | undefined;
}

/** Throws `usage` where nothing can or may be written, before anything is read. */
export function checkPlace({ file, cwd, overwrite }: Place): void {
  const path = resolve(cwd, file);
  if (!existsSync(dirname(path))) throw refused(file, 'there is no such folder');
  if (!existsSync(path)) return;
  if (statSync(path).isDirectory()) throw refused(file, 'it is a folder');
  if (overwrite) return;
  throw new ServiceError('usage', `--html ${file}: there is such a file already`, {
    hint: 'Take another name, or add --overwrite.',
  });
}

/** Answers how many bytes were written. What fails on the way leaves the file as it was. */
export async function writePage(place: Place, parts: AsyncIterable<string>): Promise<number> {
  const path = resolve(place.cwd, place.file);
  const beside = `${path}.${process.pid}.part`;
  const handle = await open(beside, 'wx').catch((error: unknown) => {
    throw refused(place.file, error instanceof Error && 'code' in error ? String(error.code) : String(error), error);
  });
  place.stopped?.addEventListener('abort', heard);
  try {
    for await (const part of parts) {
      if (place.stopped?.aborted) throw interrupted(place.file);
      await handle.write(part);
    }
    const { size } = await handle.stat();
    await handle.close();
    checkPlace(place);
    await rename(beside, path);
    return size;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(beside, { force: true });
    throw error;
  } finally {
    place.stopped?.removeEventListener('abort', heard);
  }
}

/** Who listens is not ended at once, and may tidy up. */
const heard = (): void => {};

const interrupted = (file: string): ServiceError =>
  new ServiceError('interrupted', `the report is not finished, so ${file} was not written`);

const refused = (file: string, why: string, cause?: unknown): ServiceError =>
  new ServiceError('usage', `--html ${file} cannot be written: ${why}`, {
    hint: 'Check the name; it is taken from the folder you are in.',
    ...(cause === undefined ? {} : { cause }),
  });
