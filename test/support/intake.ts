// The vocabulary of the tests of imports: reads a file of rows, and runs its changes.
import { randomUUID } from 'node:crypto';
import { BadFile, type FileFault } from '../../src/changes/files/index.ts';
import type { Change } from '../../src/changes/plan/change.ts';
import { intakeOf } from '../../src/changes/rows/intake.ts';
import type { IntakeCounts, IntakeOptions } from '../../src/changes/rows/reader.ts';
import type { Summary } from '../../src/changes/run/counts.ts';
import { recordsOf } from '../../src/cli/changes/open-input.ts';
import { type ResourceName, resourceNamed } from '../../src/contract/index.ts';
import { open } from './input-files.ts';
import { jobsOf } from './job.ts';
import type { Asker } from './site.ts';

export interface Taken {
  readonly changes: readonly Change[];
  readonly tally: IntakeCounts;
  readonly faults: readonly FileFault[];
  readonly error: BadFile | undefined;
  /** The faults as text: `line 3, column Rank: is …`. */
  readonly said: readonly string[];
}

export type IntakeWishes = Partial<Omit<IntakeOptions, 'resource' | 'map'>> & {
  readonly name?: string;
  readonly map?: Readonly<Record<string, string>>;
};

export const wished = (resource: ResourceName, { name: _name, map = {}, ...wishes }: IntakeWishes): IntakeOptions => ({
  resource: resourceNamed(resource),
  file: 'rows.csv',
  key: [],
  mode: 'upsert',
  blank: 'leave',
  onDeleted: 'error',
  dates: undefined,
  zone: undefined,
  newID: randomUUID,
  ...wishes,
  map: new Map(Object.entries(map)),
});

/** Reads a file of this content; a table may be given as its lines. */
export async function take(
  asker: Asker,
  resource: ResourceName,
  content: string | readonly string[],
  wishes: IntakeWishes = {},
): Promise<Taken> {
  const text = typeof content === 'string' ? content : `${content.join('\n')}\n`;
  const input = await open(wishes.name ?? 'rows.csv', text);
  const intake = intakeOf(input, recordsOf(asker.session), wished(resource, wishes));
  const changes: Change[] = [];
  try {
    for await (const some of intake.changes()) changes.push(...some);
    return { changes, tally: intake.counts, faults: [], error: undefined, said: [] };
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    return { changes, tally: intake.counts, faults: error.found, error, said: error.found.map(words) };
  }
}

const words = ({ line, column, message }: FileFault): string =>
  `line ${line}${column === undefined ? '' : `, column ${column}`}: ${message}`;

/** Reads a file without faults, and runs its changes. */
export async function run(
  asker: Asker,
  resource: ResourceName,
  content: string | readonly string[],
  wishes: IntakeWishes = {},
): Promise<Summary> {
  const { changes, said } = await take(asker, resource, content, wishes);
  if (said.length > 0) throw new Error(said.join('\n'));
  const job = await jobsOf(asker.session).plan(...changes);
  return job.run();
}

/** Changes in short: `update 00… UserName`. */
export const steps = (changes: readonly Change[]): readonly string[] =>
  changes.map(({ operation, line, patch }) => [operation, line, ...Object.keys(patch ?? {})].join(' '));
