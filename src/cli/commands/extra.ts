// Verbs that are written by hand, beside the ones of the contract.
import { Command } from 'commander';
import type { Resource } from '../../contract/resource.ts';
import { type Run, withGlobals } from '../command.ts';
import type { GlobalValues } from '../globals.ts';

/** The hand-written verbs of one resource. */
export function extraCommands(resource: Resource, run: Run): readonly Command[] {
  return EXTRA[resource.name]?.map((build) => build(run)) ?? [];
}

const EXTRA: Readonly<Record<string, readonly ((run: Run) => Command)[]>> = {
  organization: [(run) => tree(run, 'Draw the organizations and departments as a tree.')],
  individual: [(run) => tree(run, 'Draw who reports to whom.')],
  site: [createSite, grantGlobal],
};

function tree(run: Run, doc: string): Command {
  const command = withGlobals(new Command('tree').description(doc));
  return command.action(() => {
    const resource = command.parent?.name() ?? '';
    return run(command.opts<GlobalValues>(), async (context) => (await import('./tree.ts')).tree(context, resource));
  });
}

function createSite(run: Run): Command {
  const command = withGlobals(
    new Command('create').description('Make a new site, with one administrator (embedded engine only).'),
  )
    .argument('<name>', 'its name')
    .requiredOption('--admin <user name>', 'user name of its administrator');
  return command.action((name: string, options: GlobalValues & { admin: string }) =>
    run(options, async (context) => (await import('./sites.ts')).createSite(context, name, options.admin)),
  );
}

function grantGlobal(run: Run): Command {
  const command = withGlobals(
    new Command('grant-global').description('Make somebody administrator of every site (embedded engine only).'),
  );
  return command
    .argument('<who>', 'an individual')
    .action((who: string, options: GlobalValues) =>
      run(options, async (context) => (await import('./sites.ts')).grantGlobal(context, who)),
    );
}
