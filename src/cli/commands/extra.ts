// Verbs that are written by hand, beside the ones of the contract.
import { Command } from 'commander';
import { resourceNamed } from '../../contract/index.ts';
import { plural, type Resource, singular } from '../../contract/resource.ts';
import { type Instead, lateAction, type Run, reading, rehearsing, withAt, withGlobals } from '../command.ts';

/** The hand-written verbs of one resource. */
export function extraCommands(resource: Resource, run: Run): readonly Command[] {
  return EXTRA[resource.name]?.map((build) => build(run)) ?? [];
}

const EXTRA: Readonly<Record<string, readonly ((run: Run) => Command)[]>> = {
  organization: [
    (run) => tree(run, 'organization'),
    (run) => show(run, 'organization'),
    (run) => diff(run, 'organization'),
  ],
  individual: [(run) => tree(run, 'individual'), (run) => show(run, 'individual'), (run) => diff(run, 'individual')],
  project: [(run) => show(run, 'project'), (run) => diff(run, 'project')],
  site: [createSite, grantGlobal],
  archive: [takeArchive],
  permission: [setPermission],
  securityGroup: [
    groupMembers,
    (run) => changeMembers(run, 'add-member', 'addMember', 'Put individuals into a group (embedded engine only).'),
    (run) =>
      changeMembers(run, 'delete-member', 'deleteMember', 'Take individuals out of a group (embedded engine only).'),
  ],
  dashboard: [showDashboard, reportDashboard, compareDashboards],
};

const TREES = {
  organization: ['Draw the organizations and departments as a tree.', '[which]', 'only this one, and those below it'],
  individual: ['Draw who reports to whom.', '[who]', 'only this one, and who is below'],
} as const;

function tree(run: Run, resource: keyof typeof TREES): Command {
  const [doc, root, meaning] = TREES[resource];
  const action = lateAction(run, async () => (await import('./tree.ts')).tree(resource));
  return withAt(reading('tree', doc)).argument(root, meaning).action(action);
}

function show(run: Run, resource: 'individual' | 'organization' | 'project'): Command {
  return withAt(reading('show', `Show all about one ${singular(resourceNamed(resource))} on a page.`))
    .argument('<which>', 'its ID or name')
    .addHelpText('after', SHOW_HELP)
    .action(lateAction(run, async () => (await import('./show.ts')).show(resource)));
}

function diff(run: Run, resource: 'individual' | 'organization' | 'project'): Command {
  const named = resourceNamed(resource);
  return withAt(reading('diff', `Show in what two ${plural(named)} differ.`))
    .argument('<one>', 'its ID or name')
    .argument('<other>', 'that of another one')
    .option('--exit-code', 'end with 11 where they differ')
    .action(lateAction(run, async () => (await import('./record-diff.ts')).diff(named)));
}

const SHOW_HELP = `
Empty sections are left out; what a service refuses to show says so. With
-o json it is one object: the record is Record, each section a list, an empty
one too, and Refused has the reason of each section that is refused. --fields
and --jmespath choose among these.`;

function createSite(run: Run): Command {
  return rehearsing('create', 'Make a new site, with one administrator (embedded engine only).')
    .argument('<name>', 'its name')
    .requiredOption('--admin <user name>', 'user name of its administrator')
    .action(lateAction(run, async () => (await import('./extra-records.ts')).createSite));
}

function takeArchive(run: Run): Command {
  const doc = 'Take a snapshot of a metric, project, individual, organization or department (embedded engine only).';
  const command = rehearsing('take', doc).argument('[item]', 'its ID');
  for (const kind of ['metric', 'project', 'individual', 'department'])
    command.option(`--${kind} <ref>`, `this ${kind}`);
  return command
    .requiredOption('--name <text>', 'the name of the snapshot')
    .option('--comment <text>', 'a remark on it')
    .action(lateAction(run, async () => (await import('./extra-records.ts')).takeArchive));
}

function grantGlobal(run: Run): Command {
  return rehearsing('grant-global', 'Make somebody administrator of every site (embedded engine only).')
    .argument('<who>', 'an individual')
    .action(lateAction(run, async () => (await import('./extra-records.ts')).grantGlobal));
}

function setPermission(run: Run): Command {
  return rehearsing('set', 'Say in words what somebody may do; what is not named stays as it is.')
    .argument('<who>', 'an individual or a security group')
    .argument('<state>', 'allow, deny or unset')
    .argument('<actions>', 'of create, read, update, delete, delegate, with commas between them')
    .argument('<what...>', 'a resource and which one: department Sales')
    .option('--child-type <type>', 'about children of this type, as department, not about the object itself')
    .action(lateAction(run, async () => (await import('./permissions.ts')).set));
}

function groupMembers(run: Run): Command {
  return withAt(reading('members', 'List the individuals of a group (embedded engine only).'))
    .argument('<group>', 'a security group')
    .action(lateAction(run, async () => (await import('./extra-records.ts')).listMembers));
}

function changeMembers(run: Run, name: string, how: 'addMember' | 'deleteMember', doc: string): Command {
  const members: Instead = (flag) =>
    flag === '--deleted' ? undefined : `pm security-groups ${name} <group> $(pm individuals list ${flag} … -o id)`;
  return rehearsing(name, doc, members)
    .argument('<group>', 'a security group')
    .argument('<individuals...>', 'individuals')
    .action(lateAction(run, async () => (await import('./extra-records.ts')).changeMembers(how)));
}

function showDashboard(run: Run): Command {
  return ofWhom('show', 'Draw a dashboard with bars, the thresholds marked on them.').action(
    lateAction(run, async () => (await import('./dashboards.ts')).show),
  );
}

function reportDashboard(run: Run): Command {
  return ofWhom('report', 'Write a dashboard as a page, with the departments below and their individuals.')
    .requiredOption('--html <file>', 'the file to write')
    .action(lateAction(run, async () => (await import('./dashboards.ts')).report));
}

function compareDashboards(run: Run): Command {
  const command = new Command('compare').description('Put two dashboards side by side, figure by figure.');
  command.argument('<first>', 'an organization, a department or an individual').argument('<second>', 'another one');
  return withPeriod(command).action(lateAction(run, async () => (await import('./dashboards.ts')).compare));
}

function ofWhom(name: string, doc: string): Command {
  const command = new Command(name).description(doc);
  command.argument('[who]', 'an organization, a department or an individual: a name, path, user name or ID');
  for (const kind of ['organization', 'department', 'individual']) command.option(`--${kind} <ref>`, `of this ${kind}`);
  return withPeriod(command);
}

const withPeriod = (command: Command): Command =>
  withGlobals(withAt(command.option('--period <ref>', 'in this period; otherwise the current one')));
