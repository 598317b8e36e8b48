// The input files of a job, as its settings keep them for a later resume.
import { basename, resolve } from 'node:path';
import type { JobHead, PlannedRow } from '../../contract/jobs.ts';
import type { Resource } from '../../contract/resource.ts';
import { defined } from '../../text/defined.ts';
import type { Context } from '../context.ts';
import type { FileFlags, ImportFlags } from './flags.ts';

type MeaningFlags = FileFlags & Pick<ImportFlags, 'map' | 'key' | 'mode' | 'onDeleted' | 'blank' | 'dateFormat'>;

export interface Source {
  readonly resource: string;
  /** The absolute path; `-` is stdin, which cannot be read again. */
  readonly file: string;
  readonly sha256: string;
  /** Those that decide what the rows mean. */
  readonly flags: MeaningFlags;
}

export type JobSettings = Pick<JobHead, 'settings'>;

export function inputSource(
  { io }: Context,
  resource: Resource,
  file: string,
  sha256: string,
  { form, encoding, delimiter, sheet, excel, map, key, mode, onDeleted, blank, dateFormat }: ImportFlags,
): Source {
  const flags = { form, encoding, delimiter, sheet, excel, map, key, mode, onDeleted, blank, dateFormat };
  return {
    resource: resource.name,
    file: file === '-' ? '-' : resolve(io.cwd, file),
    sha256,
    flags: defined<MeaningFlags>(flags),
  };
}

/** The input files of a job in order. Older versions of pm kept a single `source`. */
export function inputSources({ settings }: JobSettings): readonly Source[] {
  // Only pm writes jobs, and their rows have a checksum.
  const { sources, source } = settings as { readonly sources?: readonly Source[]; readonly source?: Source };
  return sources ?? (source ? [source] : []);
}

export const hasFiles = (job: JobSettings): boolean => inputSources(job).length > 1;

/** The file name of a row; undefined if its job has only one file. */
export const fileOf = (job: JobSettings, { source }: Pick<PlannedRow, 'source'>): string | undefined =>
  source === undefined || !hasFiles(job) ? undefined : basename(inputSources(job)[source]?.file ?? '');

/** Do two jobs read the same files? What comes from stdin is the same where its SHA-256 is. */
export function readsSameFiles(one: JobSettings, other: JobSettings): boolean {
  const names = (job: JobSettings): string =>
    JSON.stringify(inputSources(job).map(({ resource, file, sha256 }) => [resource, file === '-' ? sha256 : file]));
  return inputSources(one).length > 0 && names(one) === names(other);
}

/** Do two jobs that read the same files make the same of them? */
export function doesTheSame(one: JobSettings, other: JobSettings): boolean {
  const what = (job: JobSettings): string => {
    const { onError, onDrift } = job.settings;
    return JSON.stringify([inputSources(job).map(({ sha256, flags }) => [sha256, sorted(flags)]), onError, onDrift]);
  };
  return what(one) === what(other);
}

const sorted = (flags: object): readonly (readonly [string, unknown])[] =>
  Object.entries(flags).sort(([one], [other]) => (one < other ? -1 : 1));
