// All that one individual may do, for `pm can --what` (D19): by resource and action, with the reasons.
import { type ResourceName, resourceNamed } from '../../contract/index.ts';
import type { Action, Resource } from '../../contract/resource.ts';
import { actionsOf, createdIn, type KindRights, type RightsSource } from '../../contract/rights.ts';
import { valueAt } from '../../text/once-per.ts';
import type { Context } from '../context.ts';
import { visibleHere } from './check.ts';
import {
  contextOfAsked,
  labelOf,
  newIn,
  type Outcome,
  objectShown,
  outcomeOf,
  shownGrants,
  type WishedObject,
} from './explain-rights.ts';

/** Looks at the live records that the caller may read. Throws `admin_only`, `not_found`. */
export async function whatMay(
  context: Context,
  who: string,
  resources: readonly string[],
): Promise<readonly KindRights[]> {
  const theirs = await contextOfAsked(context, who);
  const show = shownGrants(context);
  const found: KindRights[] = [];
  for (const name of resources) {
    const resource = resourceNamed(name);
    const actions = actionsOf(resource);
    const possible = actions.filter((action) => !labelOf(theirs, resource, action));
    const counted = counting(theirs);
    const records = await countExisting(context, resource, possible, counted.add);
    const owners = await countOwners(context, resource, possible.includes('create') ? counted.add : undefined);
    found.push({ resource: name, records, owners, actions, sources: await sourcesOf(context, counted.all, show) });
  }
  return found;
}

interface Counted {
  readonly action: Action;
  readonly outcome: Outcome;
  count: number;
}

type Add = (wished: WishedObject) => Promise<void>;

function counting(theirs: Context): { readonly add: Add; readonly all: ReadonlyMap<string, Counted> } {
  const all = new Map<string, Counted>();
  return {
    all,
    async add(wished) {
      const outcome = await outcomeOf(theirs, wished);
      if (!outcome.allowed) return;
      const rows = decisiveStep(outcome)?.deciding.map(({ ID }) => ID) ?? [];
      const key = [wished.action, outcome.by, outcome.role, ...rows].join(' ');
      valueAt(all, key, () => ({ action: wished.action, outcome, count: 0 })).count++;
    },
  };
}

const decisiveStep = ({ decision }: Outcome) => decision.steps.find(({ state }) => state !== undefined);

async function countExisting(
  context: Context,
  resource: Resource,
  actions: readonly Action[],
  add: Add,
): Promise<number> {
  let count = 0;
  for await (const row of visibleHere(context, resource.name, 0)) {
    count++;
    for (const action of actions) if (action !== 'create') await add({ action, resource, row, object: '' });
  }
  return count;
}

/** Answers the number of records that own such records; without `add` nothing can be created in them. */
async function countOwners(context: Context, resource: Resource, add: Add | undefined): Promise<number> {
  let count = 0;
  for (const kind of createdIn(resource)) {
    for await (const row of visibleHere(context, kind, 0)) {
      count++;
      await add?.(newIn(resource, { resource: kind as ResourceName, row }));
    }
  }
  return count;
}

async function sourcesOf(
  context: Context,
  counted: ReadonlyMap<string, Counted>,
  show: ReturnType<typeof shownGrants>,
): Promise<readonly RightsSource[]> {
  const sources = [...counted.values()].map(async ({ action, outcome, count }): Promise<RightsSource> => {
    const { by, role } = outcome;
    const step = decisiveStep(outcome);
    const rows = await Promise.all((step?.deciding ?? []).map(show));
    return { ...{ action, count, by, role, rows }, ...(step && { on: await objectShown(context, step) }) };
  });
  return Promise.all(sources);
}
