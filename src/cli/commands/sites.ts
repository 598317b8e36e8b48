// What only the embedded engine does with sites (D1).
import { changeBy } from '../../changes/plan/change.ts';
import { contract } from '../../contract/index.ts';
import { beginChange, makeChanges } from '../changes/make-changes.ts';
import { type Context, checkLocal } from '../context.ts';
import { shapeOf } from '../output/shape.ts';
import { resolve } from '../selectors/selectors.ts';

export async function createSite(context: Context, name: string, admin: string): Promise<number> {
  checkLocal(context, 'sites create');
  const { site } = contract;
  const session = await beginChange(context, shapeOf(site));
  const change = changeBy(site.operations.create, { body: { Name: name, Admin: admin } });
  return makeChanges(context, session, site, [change], { one: true });
}

export async function grantGlobal(context: Context, who: string): Promise<number> {
  checkLocal(context, 'sites grant-global');
  const { individual } = contract;
  const session = await beginChange(context, shapeOf(individual));
  const id = await resolve(session, who, { targets: ['individual'], deleted: 0 });
  const change = changeBy(individual.operations.grantGlobal, { body: { Individual: id } }, { id });
  return makeChanges(context, session, individual, [change], { one: true });
}
