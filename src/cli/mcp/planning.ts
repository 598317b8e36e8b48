// The tools of pm mcp that plan a change, and the one that runs a plan.
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readPlanFile } from '../../changes/plan/plan-reader.ts';
import { planSizeOf } from '../../changes/plan/plan-size.ts';
import { ServiceError } from '../../contract/errors.ts';
import { z } from '../../files/schemas.ts';
import { inQuotes } from '../../text/escape.ts';
import { MOST_CHANGES, MOST_DELETES } from '../changes/confirm.ts';
import { type Answer, ARGS, type Desk, LineFailed, MOST_RECORDS, printed, type Tool, toolOf } from './tool.ts';

/** The rows of a plan and its hash, and how a person runs it. */
async function shown(desk: Desk, plan: string): Promise<Answer> {
  const { data, notes } = await printed(desk, 'plan', 'show', `--limit=${MOST_RECORDS}`, desk.planFile(plan));
  return { data, notes: `The plan is ${plan}. No record is changed before it is applied.\n${notes}` };
}

const plan = toolOf({
  name: 'plan',
  title: 'Plan a change',
  does: 'plans',
  description:
    'Writes a plan of changes, and answers its rows and its hash. No record is changed: a person applies it.',
  args: z.object({
    resource: ARGS.planned,
    mode: z.enum(['create', 'update', 'upsert', 'delete', 'undelete']),
    key: z.array(z.string()).optional().describe('the members by which the rows find their records: ["UserName"]'),
    rows: z
      .array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])))
      .min(1)
      .max(MOST_RECORDS)
      .describe('members by name; a reference may be a name'),
  }),
  async call({ resource, mode, key, rows }, desk) {
    const id: string = randomUUID();
    const file = desk.planFile(id);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const flags = ['--form=json', `--mode=${mode}`, ...(key ? [`--key=${key.join(',')}`] : []), `--out=${file}`];
    const words = ['plan', ...flags, '--', resource, '-'];
    const outcome = await desk.run({ words, stdin: JSON.stringify(rows) });
    if (outcome.exit !== 0) throw new LineFailed(outcome);
    return shown(desk, id);
  },
});

const showPlan = toolOf({
  name: 'show_plan',
  title: 'Show a plan',
  description: 'Shows the rows of a plan and its hash.',
  args: z.object({ plan: ARGS.plan }),
  call: (args, desk) => shown(desk, args.plan),
});

const apply = toolOf({
  name: 'apply',
  title: 'Apply a plan',
  does: 'changes',
  description: `Runs a plan of at most ${MOST_DELETES} deletions and ${MOST_CHANGES} changes, with what goes along, if it has this hash.`,
  args: z.object({
    plan: ARGS.plan,
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .describe('the hash that plan and show_plan have answered'),
  }),
  async call({ plan: id, hash }, desk) {
    const file = desk.planFile(id);
    await checkPlan(desk, file);
    return printed(desk, 'apply', '--yes', `--expect=${hash}`, file);
  },
});

/** Throws `confirmation` for a plan that is more than an agent may do: larger, with consequences, or about rights. */
async function checkPlan(desk: Desk, file: string): Promise<void> {
  const { rows } = await readPlanFile(file);
  const { changes, deletes } = await planSizeOf(rows());
  const refused = (why: string): ServiceError =>
    new ServiceError('confirmation', `the plan ${why}`, { hint: `A person runs it: pm apply ${inQuotes(file)}` });
  const limits = `an agent may run ${MOST_CHANGES} changes and ${MOST_DELETES} deletions`;
  if (deletes > MOST_DELETES || changes > MOST_CHANGES)
    throw refused(`has ${changes} changes, ${deletes} of them deletions; ${limits}`);
  const { data } = await printed(desk, 'plan', 'show', file);
  const { Changes: lines } = z.object({ Changes: z.array(PLANNED) }).parse(JSON.parse(data));
  if (lines.some(({ Resource, Field }) => Resource === 'permissions' || Field === 'IsAdmin'))
    throw refused('gives or takes rights');
  const along = lines.flatMap(({ Consequences = [] }) => Consequences);
  const total = along.reduce((sum, { Count }) => sum + (Count ?? Number.POSITIVE_INFINITY), deletes);
  if (along.length > 0 && total > MOST_DELETES)
    throw refused(`takes ${total - deletes} other records along; ${limits}`);
}

/** A line of `pm plan show`. */
const PLANNED = z.object({
  Resource: z.string().nullish(),
  Field: z.string().nullish(),
  Consequences: z.array(z.object({ Count: z.number().nullable() })).optional(),
});

export const PLANNING: readonly Tool[] = [plan, showPlan];
export const APPLYING: readonly Tool[] = [apply];
