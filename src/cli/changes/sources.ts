// The input files of a job, as its settings keep them for a later resume.
import { basename, resolve } from 'node:path';
import type { JobHead, PlannedRow } from '../../contract/jobs.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import type { FileFlags, ImportFlags } from './flags.ts';

export interface Source {
  readonly resource: string;
  /** The absolute path; `-` is stdin, which cannot be read again. */
  readonly file: string;
  readonly sha256: string;
  readonly flags: FileFlags & Pick<ImportFlags, 'map'>;
}

export type JobSettings = Pick<JobHead, 'settings'>;

export function inputSource(
  { io }: Context,
  resource: Resource,
  file: string,
  sha256: string,
  { form, encoding, delimiter, sheet, excel, map }: ImportFlags,
): Source {
  return {
    resource: resource.name,
    file: file === '-' ? '-' : resolve(io.cwd, file),
    sha256,
    flags: JSON.parse(JSON.stringify({ form, encoding, delimiter, sheet, excel, map })),
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
