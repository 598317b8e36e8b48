// Checks references (D15): a body may name live records of the same site and of the right type.
import type { Fault } from '../../contract/errors.ts';
import type { Field } from '../../contract/field.ts';
import { type ResourceName, resourceNamed, storedResources } from '../../contract/index.ts';
import { guidsIn } from '../../contract/kinds.ts';
import { isGone, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { oncePer } from '../../text/once-per.ts';
import { series } from '../../text/thousands.ts';
import type { Context } from '../context.ts';
import { mayRead } from '../rights/check.ts';
import { isAdministrator } from '../rights/labels.ts';
import type { Stored } from '../store/port.ts';
import { article, individualByUserID, nameOf } from './record-names.ts';

/** The writable fields of a resource that name other records. */
export const referencesOf = oncePer(({ fields }: Resource): readonly (readonly [string, Field])[] =>
  Object.entries(fields).filter(([, field]) => field.to && field.rule !== 'read-only'),
);

/**
 * Faults of every reference that `values` sets or changes. One that is sent unchanged may name a deleted record,
 * and a new individual may report to itself (D14).
 */
export async function checkReferences(
  context: Context,
  resource: Resource,
  values: Row,
  before: Row | undefined,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [name, field] of referencesOf(resource)) {
    const value = values[name];
    if (value === undefined || value === null || (before && before[name] === value)) continue;
    if (name === 'PrimaryReportsTo' && value === values.ID) continue;
    for (const one of field.kind === 'guids' ? newIn(value, before?.[name]) : [value]) {
      const message = await faultOf(context, field.to ?? [], one);
      if (message) faults.push({ field: name, code: 'reference', ...message });
    }
  }
  return faults;
}

/** Is it known without a statement that every record that is named is there? An administrator may read all of them. */
export const namesKnown = (context: Context, resource: Resource, values: Row): boolean =>
  isAdministrator(context) &&
  referencesOf(resource).every(([name, { to = [] }]) => {
    const value = values[name] ?? null;
    return value === null || to.some((target) => context.store.isLive?.(target, context.site, String(value)));
  });

/** Of several, those that were not named before. */
function newIn(value: Value, before: Value | undefined): readonly Value[] {
  const known = guidsIn(before);
  return guidsIn(value)
    .filter((one) => !known.includes(one))
    .map(String);
}

type Refusal = { message: string; hint?: string };

async function faultOf(context: Context, targets: readonly string[], value: Value): Promise<Refusal | undefined> {
  for (const target of targets) {
    const row = await named(context, target, value);
    // A record that the caller may not read is refused like a missing one (D2, D19).
    if (!row || !(await mayRead(context, resourceNamed(target === 'principal' ? 'individual' : target), row))) continue;
    if (isGone(row))
      return {
        message: `names ${describe(target, row)}, which is deleted`,
        hint: 'Undelete it first, or name another one.',
      };
    return undefined;
  }
  return { message: await misfitMessage(context, targets, value) };
}

/** The record of a reference; a principal is named by its UserID. */
function named(context: Context, target: string, value: Value): Promise<Stored | undefined> {
  if (target === 'site') return context.lookup('site', value === context.site ? value : undefined);
  return target === 'principal' ? individualByUserID(context, value) : context.lookup(target as ResourceName, value);
}

/** Says which record of another type the ID belongs to, or that there is none. */
async function misfitMessage(context: Context, targets: readonly string[], value: Value): Promise<string> {
  const wanted = series(
    targets.map((target) => WORDS[target] ?? target),
    'or',
  );
  for (const resource of storedResources.filter((one) => one.id === 'guid' && !targets.includes(one.name))) {
    const row = await context.store.get(resource.name, context.site, String(value));
    if (row && (await mayRead(context, resource, row)))
      return `names ${describe(resource.name, row)}, but must name ${article(wanted)}`;
  }
  return `names ${String(value)}, and this site has no such ${wanted}`;
}

const WORDS: Readonly<Record<string, string>> = {
  organization: 'organization or department',
  principal: 'user',
  securityGroup: 'security group',
  basicRole: 'basic role',
};

const describe = (target: string, row: Row): string => `the ${WORDS[target] ?? target} ${nameOf(row)}`;
