// pm clone: makes the site of a profile like another one, as one job; or writes a site to a folder, or makes it of one.
import { Command } from 'commander';
import type { Change } from '../../changes/plan/change.ts';
import { EXIT, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { sameID } from '../../contract/kinds.ts';
import { compare } from '../../sites/state/compare.ts';
import { changesOf } from '../../sites/state/plan.ts';
import { type State, seesAll, siteOf } from '../../sites/state/state.ts';
import { collect, grouped } from '../../text/batches.ts';
import { counted } from '../../text/thousands.ts';
import { type RunFlags, withRunFlags } from '../changes/flags.ts';
import { planCommand } from '../changes/journal.ts';
import { runFileChanges } from '../changes/make-changes.ts';
import { collectValues, type Run, withChange } from '../command.ts';
import type { Context } from '../context.ts';
import { kebab } from '../names.ts';
import { isDeclaration, isFolderPath, standsNow, withState } from '../states/open.ts';
import { compared, leftOut, summaryOf, unchangeable } from './diff.ts';

type Options = RunFlags & { readonly resource?: readonly string[] };

export function build(run: Run): Command {
  return withChange(withRunFlags(new Command('clone').description('Copy the records of one site to another one.')))
    .argument('<from>', 'a profile, local@-7d as it was then, a database file, a folder or a workbook')
    .argument('<to>', 'the profile that is changed; or a folder for files, as site/')
    .option('--resource <name>', 'only these: departments, individuals', collectValues)
    .addHelpText('after', HELP)
    .action((from: string, to: string, options: Options) => {
      const end = isFolderPath(to) ? from : to;
      const values = standsNow(end) ? { ...options, profile: end } : options;
      return run(values, (context) => clone(context, from, to, options));
    });
}

const HELP = `
What is new is made there, what differs is changed, what was deleted comes back,
as one job; what is only there stays. Cloned again, nothing changes. Where
several records there have one name, it is named and left out, and the exit code
is 3. pm diff <from> <to> shows all, field by field.

No passwords, tokens, comments, dialogs, members of security groups, archives or
history are copied: pm backup copies a whole database. --site and --as are those
of <to>. From a folder it is pm apply, to a folder pm export --dir.`;

/** A folder is read and written whole, and writing one is no job. */
const OF_JOBS = ['resource', 'out', 'exitCode'] as const;

/** Answers the exit code. Throws `usage` for ends that are no two sites. */
async function clone(context: Context, from: string, to: string, options: Options): Promise<number> {
  const isOfFiles = isDeclaration(context, from);
  const refused = isFolderPath(to) ? OF_JOBS : isOfFiles ? OF_JOBS.slice(0, 1) : [];
  const flag = refused.find((name) => options[name] !== undefined);
  if (flag !== undefined)
    throw new ServiceError('usage', `--${kebab(flag)} is for two sites, and ${isOfFiles ? from : to} is a folder`, {
      hint: 'Tables of some resources: pm export <resource> --dir <folder>. Some files: pm apply <folder> --only <name>',
    });
  if (isFolderPath(to)) {
    const { writeTree } = await import('../folders/write-folder.ts');
    const written = ({ session }: State) => writeTree({ ...context, session: async () => session }, to);
    return withState(context, from, options, written);
  }
  if (!standsNow(to)) throw unchangeable(to);
  if (isOfFiles) return (await import('../folders/apply-folder.ts')).applyFolder(context, from, options);
  const resources = options.resource?.map((name) => compared(name).name);
  const { changes, notes, isPart } = await withState(context, from, options, (wanted) =>
    withState(context, to, options, async (there) => {
      if (!from.includes('@') && wanted.place === there.place && sameID(siteOf(wanted), siteOf(there)))
        throw new ServiceError('usage', `${from} and ${to} are the same site`, { hint: 'Others: pm profiles list' });
      const wish = { ...(resources && { resources }), newID: () => crypto.randomUUID() };
      const differences = await collect(compare(wanted, there, wish));
      const left = await leftOut(wanted, there, differences);
      const all = await changesOf(there.session, differences, []);
      const part = `${from} is read as ${wanted.session.me.userName}, and what that user may not see is not copied.`;
      const isWhole = await seesAll(wanted);
      const lines = [
        ...(isWhole ? [] : [part]),
        ...summaryOf(wanted, there, differences),
        ...linesOn(context, all),
        ...left,
      ];
      return { changes: all, notes: lines, isPart: left.length > 0 };
    }),
  );
  for (const note of notes) context.note(note);
  const job = { kind: 'apply', title: `clone ${from} to ${to}`, settings: {} } as const;
  const command = { ...job, empty: ['Line'], nothing: 'Nothing to copy.' };
  const exit = await runFileChanges(context, changes, command, options);
  return exit === 0 && isPart ? EXIT.partly : exit;
}

/** The changes of each kind, and what new records lack: people their passwords, groups their members. */
function linesOn(context: Context, changes: readonly Change[]): readonly string[] {
  const verbOf = ({ resource, operation }: Change): string => resourceNamed(resource).operations[operation]?.verb ?? '';
  const kinds = [...grouped(changes, ({ resource }) => resourceNamed(resource).command)].map(([kind, some]) => {
    const verbs = [...grouped(some, verbOf)].map(([verb, { length }]) => counted(length, verb));
    return `  ${kind}: ${verbs.join(', ')}`;
  });
  const made = (name: string) => changes.filter((one) => one.resource === name && verbOf(one) === 'create');
  const [people, groups] = [made('individual'), made('securityGroup')];
  const set = ['individuals', 'update', String(people[0]?.body?.UserName), '--new-password-file', 'password.txt'];
  const first = `${counted(people.length, 'new individual')} without a password. To set one: ${planCommand(context, set)}`;
  const other = `${counted(groups.length, 'new security group')} without members: they are not copied.`;
  return [...kinds, ...(people.length > 0 ? [first] : []), ...(groups.length > 0 ? [other] : [])];
}
