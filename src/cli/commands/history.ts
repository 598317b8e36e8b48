// pm history: the changes of one record.
import type { Command } from 'commander';
import type { Session } from '../../contract/call.ts';
import { orNone, ServiceError } from '../../contract/errors.ts';
import { resources } from '../../contract/index.ts';
import { plural, type Resource, singular } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { planCommand } from '../changes/journal.ts';
import { sessionOrOffline } from '../changes/offline.ts';
import { actionOf, type Run, reading, withAt } from '../command.ts';
import { type Context, clockOf } from '../context.ts';
import type { GlobalValues } from '../globals.ts';
import { NO_HISTORY, recordHistory } from '../history/lines.ts';
import { momentOf } from '../history/past.ts';
import { HISTORY_SHAPE, historyRows, styleFor } from '../history/shown.ts';
import { camel, findResource, ownerFlags, resourceCalled } from '../names.ts';
import { endFlags, ownersGiven, recordByFlags } from '../selectors/owner-flags.ts';
import { liveOrDeleted, resolve } from '../selectors/selectors.ts';
import { pruneCommand } from './history-prune.ts';
import { recordMeant } from './show.ts';

type Given = Readonly<Record<string, unknown>>;

export function build(run: Run): Command {
  const command = reading('history', 'What happened to one record, the newest first: by whom, from what to what.')
    .argument('<resource>', 'what it is: individuals, departments, …; or what pm show takes, alone')
    .argument('[ref]', 'its ID or name; of a record that is gone for good its ID')
    .option('--since <when>', 'from then on: 2026-11-01, yesterday, -7d, -10min')
    .option('--journal <folder>', 'the journal of a remote service in this folder');
  for (const flag of new Set(resources.flatMap(flagsOf)))
    command.option(`--${flag} <ref>`, `the one of this ${flag.replaceAll('-', ' ')}`);
  return withAt(command).addCommand(pruneCommand(run)).action(actionOf(run, history));
}

/** The flags that name a record, as for get. */
const flagsOf = (resource: Resource): readonly string[] => [...ownerFlags(resource).keys(), ...endFlags(resource)];

/** Throws `usage` for flags of other resources. */
function checkFlags(resource: Resource, given: Given): void {
  const own = flagsOf(resource);
  const other = resources.flatMap(flagsOf).find((flag) => given[camel(flag)] !== undefined && !own.includes(flag));
  if (other === undefined) return;
  throw new ServiceError('usage', `${plural(resource)} take no --${other}`, {
    hint: own.length > 0 ? `Use ${own.map((flag) => `--${flag} <ref>`).join(' or ')}.` : 'Leave it out.',
  });
}

async function history(
  context: Context,
  name: string,
  ref: string | undefined,
  { since, ...flags }: GlobalValues & { readonly since?: string },
): Promise<number> {
  const isName = ref === undefined && !findResource((one) => one === name);
  const session = await sessionOrOffline(context);
  const meant = isName ? await orNone(recordMeant(context, name, 'history'), ['not_found', 'unreachable']) : undefined;
  const otherwise = isName
    ? `Say what it is, too: ${planCommand(context, ['history', 'individuals', name])}`
    : undefined;
  const resource = meant?.resource ?? resourceCalled(name, ': pm history ', otherwise);
  const at = since === undefined ? undefined : momentOf('--since', since, await clockOf(context));
  const given: Given = { ...flags };
  checkFlags(resource, given);
  const id =
    ref === undefined
      ? (meant?.id ?? String((await recordByFlags(session, resource, given, `history ${resource.command}`)).ID))
      : await idOf(session, resource, ref, given);
  const happened = await collect(recordHistory(context, session, resource, id));
  if (context.settings.remote) context.note(NO_HISTORY);
  if (happened.length === 0)
    throw new ServiceError('not_found', `there is no history of the ${singular(resource)} ${id}`, {
      hint: `pm ${resource.command} list --help shows how to look for it.`,
    });
  const style = await styleFor(context, session);
  const chosen = at === undefined ? happened : happened.filter((line) => Date.parse(line.at) >= Date.parse(at));
  const rows = (await Promise.all(chosen.map((line) => historyRows(line, style)))).flat();
  const none = rows.length === 0 ? `Nothing happened since ${at}.` : undefined;
  return context.print({ shape: HISTORY_SHAPE, rows, none });
}

/** Finds a live record, or else a deleted one of this name. */
const idOf = (session: Session, resource: Resource, ref: string, given: Given): Promise<string> =>
  liveOrDeleted(async (deleted) => {
    const within = await ownersGiven(session, resource, given, { deleted });
    return resolve(session, ref, { targets: [resource.name], deleted, within });
  });
