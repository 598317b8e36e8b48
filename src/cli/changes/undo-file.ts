// The plan that takes a job back, as a file: for machines that are thrown away with their journal.
import { writePlanFile } from '../../changes/plan/plan-file.ts';
import { reverseRows } from '../../changes/undo.ts';
import type { Session } from '../../contract/call.ts';
import type { JobHead, JobStore } from '../../contract/jobs.ts';
import type { Context } from '../context.ts';
import { outputOf } from '../input/named-files.ts';

/** The address of the service, as plans name it. */
export const urlOf = ({ settings }: Context): string => settings.remote?.url ?? 'embedded';

/** Writes it, and says how it is run. Throws as `writeOutput`. */
export async function writeUndo(
  context: Context,
  { me }: Session,
  jobs: JobStore,
  head: JobHead,
  file: string,
): Promise<void> {
  const plan = {
    ...{ id: crypto.randomUUID(), profile: head.profile, url: urlOf(context), site: me.site, caller: me.userName },
    ...{ created: context.io.now().toISOString(), title: `undo of ${head.title}` },
  };
  const { rows } = await writePlanFile(
    outputOf(context, '--undo-out', file),
    plan,
    reverseRows(jobs, head.id),
    () => 0,
  );
  context.note(`The way back, ${rows} changes: pm apply ${file}`);
}
