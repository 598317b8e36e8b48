// Verbs that are written by hand, beside the ones of the contract.
import { Command } from 'commander';
import type { Resource } from '../../contract/resource.ts';
import { type Instead, type Run, withChange, withGlobals } from '../command.ts';
import type { GlobalValues } from '../globals.ts';
import type { DashboardOptions, ReportOptions } from './dashboards.ts';
import type { ArchiveOptions } from './extra-records.ts';

type ChildOption = { readonly childType?: string };

/** The hand-written verbs of one resource. */
export function extraCommands(resource: Resource, run: Run): readonly Command[] {
  return EXTRA[resource.name]?.map((build) => build(run)) ?? [];
}

const EXTRA: Readonly<Record<string, readonly ((run: Run) => Command)[]>> = {
  organization: [(run) => tree(run, 'Draw the organizations and departments as a tree.')],
  individual: [(run) => tree(run, 'Draw who reports to whom.')],
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

function tree(run: Run, doc: string): Command {
  const command = withGlobals(new Command('tree').description(doc));
  return command.action(() => {
    const resource = command.parent?.name() ?? '';
    return run(command.opts<GlobalValues>(), async (context) => (await import('./tree.ts')).tree(context, resource));
  });
}

function createSite(run: Run): Command {
  const command = withChange(
    new Command('create').description('Make a new site, with one administrator (embedded engine only).'),
  )
    .argument('<name>', 'its name')
    .requiredOption('--admin <user name>', 'user name of its administrator');
  return command.action((name: string, options: GlobalValues & { admin: string }) =>
    run(options, async (context) => (await import('./extra-records.ts')).createSite(context, name, options.admin)),
  );
}

function takeArchive(run: Run): Command {
  const doc = 'Take a snapshot of a metric, project, individual, organization or department (embedded engine only).';
  const command = withChange(new Command('take').description(doc)).argument('[item]', 'its ID');
  for (const kind of ['metric', 'project', 'individual', 'department'])
    command.option(`--${kind} <ref>`, `this ${kind}`);
  return command
    .requiredOption('--name <text>', 'the name of the snapshot')
    .option('--comment <text>', 'what is to be said of it')
    .action((item: string | undefined, options: GlobalValues & ArchiveOptions) =>
      run(options, async (context) => (await import('./extra-records.ts')).takeArchive(context, item, options)),
    );
}

function grantGlobal(run: Run): Command {
  const command = withChange(
    new Command('grant-global').description('Make somebody administrator of every site (embedded engine only).'),
  );
  return command
    .argument('<who>', 'an individual')
    .action((who: string, options: GlobalValues) =>
      run(options, async (context) => (await import('./extra-records.ts')).grantGlobal(context, who)),
    );
}

function setPermission(run: Run): Command {
  const doc = 'Say in words what somebody may do; what is not named stays as it is.';
  return withChange(new Command('set').description(doc))
    .argument('<who>', 'an individual or a security group')
    .argument('<state>', 'allow, deny or unset')
    .argument('<actions>', 'of create, read, update, delete, delegate, with commas between them')
    .argument('<what...>', 'a resource and which one: department Sales')
    .option('--child-type <type>', 'about children of this type, as department, not about the object itself')
    .action(
      (who: string, state: string, actions: string, what: readonly string[], options: GlobalValues & ChildOption) =>
        run(options, async (context) =>
          (await import('./permissions.ts')).set(context, { who, state, actions, what, child: options.childType }),
        ),
    );
}

function groupMembers(run: Run): Command {
  return withGlobals(new Command('members').description('List the individuals of a group (embedded engine only).'))
    .argument('<group>', 'a security group')
    .action((group: string, options: GlobalValues) =>
      run(options, async (context) => (await import('./extra-records.ts')).listMembers(context, group)),
    );
}

function changeMembers(run: Run, name: string, how: 'addMember' | 'deleteMember', doc: string): Command {
  const members: Instead = (flag) =>
    flag === '--deleted' ? undefined : `pm security-groups ${name} <group> $(pm individuals list ${flag} … -o id)`;
  return withChange(new Command(name).description(doc), members)
    .argument('<group>', 'a security group')
    .argument('<individuals...>', 'individuals')
    .action((group: string, individuals: readonly string[], options: GlobalValues) =>
      run(options, async (context) =>
        (await import('./extra-records.ts')).changeMembers(context, how, group, individuals),
      ),
    );
}

function showDashboard(run: Run): Command {
  const command = ofWhom('show', 'Draw a dashboard with bars, the thresholds marked on them.');
  return command.action((who: string | undefined, options: GlobalValues & DashboardOptions) =>
    run(options, async (context) => (await import('./dashboards.ts')).show(context, { ...options, who })),
  );
}

function reportDashboard(run: Run): Command {
  const command = ofWhom(
    'report',
    'Write a dashboard as a page, with the departments below and their individuals.',
  ).requiredOption('--html <file>', 'the file to write');
  return command.action((who: string | undefined, options: GlobalValues & ReportOptions) =>
    run(options, async (context) => (await import('./dashboards.ts')).report(context, { ...options, who })),
  );
}

function compareDashboards(run: Run): Command {
  const command = new Command('compare').description('Put two dashboards side by side, figure by figure.');
  command.argument('<first>', 'an organization, a department or an individual').argument('<second>', 'another one');
  return withPeriod(command).action((first: string, second: string, options: GlobalValues & DashboardOptions) =>
    run(options, async (context) => (await import('./dashboards.ts')).compare(context, first, second, options)),
  );
}

function ofWhom(name: string, doc: string): Command {
  const command = new Command(name).description(doc);
  command.argument('[who]', 'an organization, a department or an individual: a name, path, user name or ID');
  for (const kind of ['organization', 'department', 'individual']) command.option(`--${kind} <ref>`, `of this ${kind}`);
  return withPeriod(command);
}

const withPeriod = (command: Command): Command =>
  withGlobals(command.option('--period <ref>', 'in this period; otherwise the current one'));
