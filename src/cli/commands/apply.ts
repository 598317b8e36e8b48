// pm apply: runs a plan, once; records that have changed since the plan was made are left alone.
import { resolve } from 'node:path';
import { Command } from 'commander';
import { checkPlan, readPlanFile } from '../../changes/plan/plan-reader.ts';
import { ServiceError } from '../../contract/errors.ts';
import { announceCounts } from '../changes/confirm.ts';
import { type RunFlags, withRunFlags } from '../changes/flags.ts';
import { newJob, urlOf } from '../changes/journal.ts';
import { checkRunPrint, runPlanned } from '../changes/make-changes.ts';
import { actionOf, type Run, withChange } from '../command.ts';
import type { Context } from '../context.ts';

export function build(run: Run): Command {
  const command = new Command('apply').description('Run a plan that pm plan has made.');
  return withChange(
    withRunFlags(command),
    () => 'A plan is run whole: leave the other rows out of its file, and plan anew.',
  )
    .argument('<plan>', 'the file of the plan')
    .option('--expect <hash>', 'run it only if this is its hash, which pm plan show prints')
    .action(actionOf(run, apply));
}

async function apply(context: Context, file: string, flags: RunFlags & { expect?: string }): Promise<number> {
  await checkRunPrint(context, flags, ['File']);
  const { header, hash, rows } = await readPlanFile(resolve(context.io.cwd, file));
  if (flags.expect !== undefined) checkHash(file, hash, flags.expect);
  const session = await context.session();
  const { profile } = context.settings;
  await checkPlan(header, { profile, url: urlOf(context), site: session.me.site }, await context.jobs());
  const named = { kind: 'apply', title: `apply ${header.title}` } as const;
  const job = { ...newJob(context, session, named, flags), id: header.id };
  return runPlanned(context, session, flags, {
    ...{ job, rows: rows(), unchanged: () => header.unchanged },
    announce: ({ verbs }) => announceCounts(context, session, verbs),
  });
}

/** Throws `usage` where `expected` is no hash of a plan, and `conflict` where it is that of another one. */
function checkHash(file: string, hash: string, expected: string): void {
  if (!/^[0-9a-f]{64}$/i.test(expected))
    throw new ServiceError('usage', `--expect is "${expected}"; the hash of a plan has 64 hexadecimal digits`, {
      hint: `To see it: pm plan show ${file}`,
    });
  if (expected.toLowerCase() === hash) return;
  throw new ServiceError('conflict', `${file} is another plan than the one that is expected: its hash is ${hash}`, {
    hint: `Nothing was sent. To see what it does: pm plan show ${file}`,
  });
}
