// A plan as a file: one line that says what it is, then one line for each row. It holds no passwords, and runs once.
import { createHash } from 'node:crypto';
import type { FurtherUpdate, JobHead, PlannedRow } from '../../contract/jobs.ts';
import type { Zod } from '../../files/checked.ts';
import { type Output, writeOutput } from '../../files/output.ts';
import { chunks } from '../../text/batches.ts';
import type { OnError } from '../run/options.ts';

export const PLAN_VERSION = 2;

/** The first line of a plan file. */
export interface PlanHeader extends Pick<JobHead, 'profile' | 'site' | 'caller' | 'created' | 'title'> {
  readonly pm: 'plan';
  readonly version: number;
  /** The job that a run of it becomes: so it runs once. */
  readonly id: string;
  /** The service's address; `embedded` for the engine. */
  readonly url: string;
  /** After a row that fails, where the plan is not to go on. */
  readonly onError?: Exclude<OnError, 'continue'> | undefined;
  readonly unchanged: number;
  readonly rows: number;
  /** Of the rows, as they stand in the file, and the other members of this line: two plans that differ in anything differ in it. */
  readonly sha256: string;
}

/** The part of the first line that is hashed, behind the rows. */
export const sealedText = ({ sha256, ...others }: Partial<PlanHeader>): string => JSON.stringify(others);

export const planHeader = (z: Zod) => {
  const [whole, text] = [z.int(), z.string()];
  return z.strictObject({
    pm: z.literal('plan'),
    version: whole,
    id: text,
    profile: text,
    url: text,
    site: text,
    caller: text,
    created: text,
    title: text,
    onError: z.optional(text),
    unchanged: whole,
    rows: whole,
    sha256: text,
  } satisfies Record<keyof PlanHeader, unknown>);
};

export const plannedRow = (z: Zod) => {
  const optional = z.optional;
  const [whole, text, members] = [z.int(), z.string(), z.record(z.string(), z.unknown())];
  return z.strictObject({
    number: whole,
    source: optional(whole),
    line: optional(whole),
    resource: text,
    operation: text,
    by: optional(text),
    params: optional(z.record(text, text)),
    id: optional(text),
    body: optional(members),
    patch: optional(members),
    awaits: optional(z.array(text)),
    place: optional(members),
    was: optional(members),
    also: optional(z.array(furtherUpdate(z))),
    key: optional(z.array(text)),
    seen: optional(text),
    secret: optional(z.strictObject({ members: z.array(text), line: whole, sha256: text })),
  } satisfies Record<Exclude<keyof PlannedRow, 'undoes'>, unknown>);
};

const furtherUpdate = (z: Zod) => {
  const [text, members] = [z.string(), z.record(z.string(), z.unknown())];
  return z.strictObject({
    resource: text,
    operation: text,
    id: text,
    place: z.optional(members),
    patch: members,
    was: members,
  } satisfies Record<keyof FurtherUpdate, unknown>);
};

export type NewPlan = Omit<PlanHeader, 'pm' | 'version' | 'unchanged' | 'rows' | 'sha256'>;

/**
 * Writes a plan, row by row; `unchanged` is asked at the end. The file is whole or not there. Only its owner can read it.
 * Throws as `writeOutput`, and what the rows throw.
 */
export const writePlanFile = (
  output: Output,
  plan: NewPlan,
  rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>,
  unchanged: () => number,
): Promise<PlanHeader> =>
  writeOutput(output, async (file) => {
    const room = ROOM + Buffer.byteLength(JSON.stringify(plan));
    const hash = createHash('sha256');
    let total = 0;
    await file.write(`${' '.repeat(room)}\n`);
    for await (const some of chunks(rows, WRITTEN_AT_ONCE)) {
      const text = some.map((row) => `${JSON.stringify(row)}\n`).join('');
      hash.update(text);
      total += some.length;
      await file.appendFile(text);
    }
    const sealed = { pm: 'plan', version: PLAN_VERSION, ...plan, unchanged: unchanged(), rows: total } as const;
    const header: PlanHeader = { ...sealed, sha256: hash.update(sealedText(sealed)).digest('hex') };
    await file.write(Buffer.from(JSON.stringify(header)), 0, undefined, 0);
    return header;
  });

/** The counts are known at the end: the first line is kept free for them, and filled with blanks. */
const ROOM = 4096;
const WRITTEN_AT_ONCE = 500;
