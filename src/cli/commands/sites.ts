// What only the embedded engine does with sites (D1).
import { type Change, make, rehearse } from '../../changes/change.ts';
import { contract } from '../../contract/index.ts';
import { announce, checkNamed } from '../announce.ts';
import { type Context, rowsOf } from '../context.ts';
import { printPlan } from '../plan-output.ts';
import { resolve } from '../selectors.ts';
import { shapeOf } from '../shape.ts';

export function createSite(context: Context, name: string, admin: string): Promise<number> {
  const { site } = contract;
  return run(context, {
    resource: site,
    operation: site.operations.create,
    input: { body: { Name: name, Admin: admin } },
  });
}

export async function grantGlobal(context: Context, who: string): Promise<number> {
  checkNamed(context);
  const { individual } = contract;
  const id = await resolve(await context.session(), who, { targets: ['individual'], deleted: 0 });
  return run(context, {
    resource: individual,
    operation: individual.operations.grantGlobal,
    id,
    input: { body: { Individual: id } },
  });
}

async function run(context: Context, change: Change): Promise<number> {
  checkNamed(context);
  await context.checkPrint(shapeOf(change.resource));
  const session = await context.session();
  announce(context, session, [change]);
  if (context.settings.dryRun) return printPlan(context, await rehearse(session, [change]));
  const { after } = await make(session, change);
  await context.print({ shape: shapeOf(change.resource), rows: rowsOf([after]), one: true });
  return 0;
}
