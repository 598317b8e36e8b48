// Converts a stored record to the answered one: contract order, computed fields, the zone of `tz`.
import { isMoment } from '../../contract/field.ts';
import type { ResourceName } from '../../contract/index.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import type { Zone } from '../../contract/zone.ts';
import { after } from '../../text/all-of.ts';
import { chunks } from '../../text/batches.ts';
import { oncePer } from '../../text/once-per.ts';
import { gatheredReads } from '../batch/gathered-reads.ts';
import { type Context, lookupsIn } from '../context.ts';
import { mayReadBelow } from '../rights/check.ts';
import { isAdministrator } from '../rights/labels.ts';
import type { Stored } from '../store/port.ts';
import { computedFields, computedOf } from './computed.ts';

type Plan = ReturnType<typeof planOf>;

const planOf = oncePer((resource: Resource) => {
  const fields = Object.entries(resource.fields);
  const computed = computedFields[resource.name] ?? [];
  const names = fields.filter(([, field]) => !field.writeOnly).map(([name]) => name);
  return {
    /** In the contract's order. Each is read from one object only: reading a missing property is slow. */
    members: names.map((name) => ({ name, isComputed: computed.includes(name) })),
    /** An empty answer. Answers begin as its copy, so that all have one shape. */
    blank: Object.fromEntries(names.map((name) => [name, null])),
    shifted: fields.filter(([, field]) => isMoment(field)).map(([name]) => name),
    /** Stored records are answered as they are. */
    plain: computed.length === 0 && 'DeletedByRef' in resource.fields && 'SiteID' in resource.fields,
    isCommented: 'LastComment' in resource.fields,
  };
});

const ONLY_IN_LISTS: Readonly<Partial<Record<ResourceName, Row>>> = { task: { RankOrder: null, Level: null } };

/** Answers a stored record as the caller sees it. */
export function answer(
  context: Context,
  resource: Resource,
  row: Stored,
  within: 'list' | 'alone' = 'alone',
): Row | Promise<Row> {
  const plan = planOf(resource);
  return after<Stored, Row>(plan.plain ? row : withComputed(context, resource, plan, row), (known) => {
    const hidden = within === 'alone' ? ONLY_IN_LISTS[resource.name as ResourceName] : undefined;
    const whole = hidden ? { ...known, ...hidden } : known;
    return context.zone ? shiftDates(whole, plan.shifted, context.zone) : whole;
  });
}

/** The records that are answered together. */
const PAGE = 200;

/** Answers a list on a store that is a round trip away: all records that a page names are read together. */
export async function* answeredInPages(
  context: Context,
  resource: Resource,
  rows: AsyncIterable<Stored>,
): AsyncGenerator<Row> {
  const { reader, together, forget } = gatheredReads(context.store);
  const gathered: Context = { ...context, store: reader, ...lookupsIn(reader, context.site) };
  for await (const page of chunks(rows, PAGE)) {
    yield* await together(() => Promise.all(page.map((row) => answer(gathered, resource, row, 'list'))));
    // The lookups of the context keep records that many name.
    forget();
  }
}

/** Replaces a newest comment that the caller may not read. */
const NO_COMMENT: Row = { LastComment: null, LastCommentDate: null, LastCommentByID: null, LastCommentBy: null };

async function withComputed(context: Context, resource: Resource, plan: Plan, row: Stored): Promise<Row> {
  const computed = await computedOf(resource.name, row, context);
  const whole: Record<string, Value> = { ...plan.blank };
  for (const { name, isComputed } of plan.members) whole[name] = (isComputed ? computed[name] : row[name]) ?? null;
  if (plan.isCommented && !(await mayReadComments(context, resource, row))) Object.assign(whole, NO_COMMENT);
  if (resource.open && typeof row.Others === 'string') Object.assign(whole, JSON.parse(row.Others));
  return whole;
}

const mayReadComments = async (context: Context, resource: Resource, row: Stored): Promise<boolean> =>
  isAdministrator(context) || mayReadBelow(context, 'comment', { resource: resource.name as ResourceName, row });

function shiftDates(row: Row, names: readonly string[], zone: Zone): Row {
  const shifted: Record<string, Value> = { ...row };
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'string') shifted[name] = zone.shift(value);
  }
  return shifted;
}
