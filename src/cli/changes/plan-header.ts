// Headers of plan files, and the plan that takes a job back.
import { type NewPlan, writePlanFile } from '../../changes/plan/plan-file.ts';
import { reverseRows } from '../../changes/undo.ts';
import type { Session } from '../../contract/call.ts';
import type { JobHead, JobStore } from '../../contract/jobs.ts';
import type { Context } from '../context.ts';
import { outputOf } from '../input/files.ts';

/** The address of the service, as plans name it. */
export const urlOf = ({ settings }: Context): string => settings.remote?.url ?? 'embedded';

/** The header of a new plan. */
export const planHeader = (context: Context, { me }: Session, title: string): NewPlan => ({
  ...{ id: crypto.randomUUID(), profile: context.settings.profile, url: urlOf(context) },
  ...{ site: me.site, caller: me.userName, created: context.io.now().toISOString(), title },
});

/** Writes the plan that takes a job back, and says how it is run. Throws as `writeOutput`. */
export async function writeUndo(
  context: Context,
  session: Session,
  jobs: JobStore,
  head: JobHead,
  file: string,
): Promise<void> {
  const output = outputOf(context, '--undo-out', file);
  const header = planHeader(context, session, `undo of ${head.title}`);
  const { rows } = await writePlanFile(output, header, reverseRows(jobs, head.id), () => 0);
  context.note(`The way back, ${rows} changes: pm apply ${file}`);
}
