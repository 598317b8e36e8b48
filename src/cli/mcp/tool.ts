// A tool of pm mcp: a verb with the kind of record as an argument, which runs command lines of pm.
import { ServiceError } from '../../contract/errors.ts';
import { resources } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { z } from '../../files/schemas.ts';
import type { Line, Outcome } from './lines.ts';

/** A tool answers data of the site, with the notes of pm. */
export type Answer = Pick<Outcome, 'data' | 'notes'>;

/** All tools work with it. */
export interface Desk {
  /** Runs a command line, also one that fails. */
  run(line: Line): Promise<Outcome>;
  planFile(plan: string): string;
}

interface ToolOf<A extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A tool reads, unless it `plans`, which writes a plan file, or `changes`: that is offered with --allow-apply alone. */
  readonly does?: 'plans' | 'changes';
  readonly args: A;
  /** Throws `ServiceError`, and `LineFailed` where a command line failed. */
  call(args: z.infer<A>, desk: Desk): Promise<Answer>;
}

export type Tool = Omit<ToolOf<z.ZodObject>, 'call'> & { call(args: unknown, desk: Desk): Promise<Answer> };

/** A tool that checks its arguments. */
export const toolOf = <A extends z.ZodObject>(tool: ToolOf<A>): Tool => ({
  ...tool,
  async call(args, desk) {
    const checked = tool.args.strict().safeParse(args);
    if (checked.success) return tool.call(checked.data as z.infer<A>, desk);
    throw new ServiceError('usage', `the arguments of ${tool.name} are not as they must be`, {
      hint: z.prettifyError(checked.error),
    });
  },
});

/** A command line failed: it has said why. */
export class LineFailed extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super(outcome.notes);
    this.outcome = outcome;
  }
}

/** The output of a line. Throws `LineFailed`. */
export async function printed(desk: Desk, ...words: readonly string[]): Promise<Answer> {
  const outcome = await desk.run({ words });
  if (outcome.exit !== 0) throw new LineFailed(outcome);
  return outcome;
}

const commandsOf = (all: readonly Resource[]) =>
  z.enum(all.map(({ command }) => command) as [string, ...string[]]).describe('what kind of record');

/** The most records that are answered, or planned. */
export const MOST_RECORDS = 200;
const SOME_RECORDS = 50;

/** The arguments that several tools have. */
export const ARGS = {
  resource: commandsOf(resources),
  listed: commandsOf(resources.filter(({ operations }) => operations.list !== undefined)),
  planned: commandsOf(resources.filter(({ operations }) => operations.create !== undefined)),
  // A dash would mean stdin.
  ref: z.string().min(1).regex(/[^-]/).describe('an ID, a name, a user name, an e-mail, or the path of a department'),
  fields: z.array(z.string()).optional().describe('only these members'),
  limit: z.number().int().min(1).max(MOST_RECORDS).default(SOME_RECORDS),
  plan: z
    .string()
    .regex(/^[0-9a-f-]{36}$/)
    .describe('a plan, as the tool plan has named it'),
} as const;
