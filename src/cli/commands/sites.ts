// What only the embedded engine does with sites (D1).
import { contract } from '../../contract/index.ts';
import { type Context, checkLocal } from '../context.ts';
import { beginChange, makeChanges } from '../make-changes.ts';
import { resolve } from '../selectors.ts';

export async function createSite(context: Context, name: string, admin: string): Promise<number> {
  checkLocal(context, 'sites create');
  const { site } = contract;
  const session = await beginChange(context, site);
  const input = { body: { Name: name, Admin: admin } };
  return makeChanges(context, session, [{ resource: site, operation: site.operations.create, input }], { one: true });
}

export async function grantGlobal(context: Context, who: string): Promise<number> {
  checkLocal(context, 'sites grant-global');
  const { individual } = contract;
  const session = await beginChange(context, individual);
  const id = await resolve(session, who, { targets: ['individual'], deleted: 0 });
  const operation = individual.operations.grantGlobal;
  const change = { resource: individual, operation, id, input: { body: { Individual: id } } };
  return makeChanges(context, session, [change], { one: true });
}
