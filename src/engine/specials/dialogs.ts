// The dialogs that concern an individual, their words about basic roles, and the summary of basic roles.
import type { Input } from '../../contract/call.ts';
import { guidsIn } from '../../contract/kinds.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import { type Context, findIn, type Writing } from '../context.ts';
import { answer } from '../records/answer.ts';
import { bodyAt, checkMatch } from '../records/bodies.ts';
import { daysBetween } from '../records/periods.ts';
import { readable, recordOfOwners } from '../records/read-record.ts';
import { findByID } from '../records/record-names.ts';
import { createRecord, update } from '../records/verbs.ts';
import { mayReadBelow, readableName, visibleRows } from '../rights/check.ts';
import type { Stored } from '../store/port.ts';
import type { Target } from '../target.ts';

type Relation = 'Ind' | 'Org' | 'dept' | 'ReportsTo';

const ORGANIZATION = 4;

/** Newest first. A dialog with several relations shows the first of them. */
export async function allDialogs(context: Context, target: Target): Promise<readonly Row[]> {
  const id = String(target.named[0]?.id);
  await readable(context, { resource: 'individual', id }, 0);
  const between = daysBetween(context, 'DialogDate', target.query.startdate, target.query.enddate);
  const found = new Map<Value, { readonly row: Stored; readonly relation: Relation }>();
  for (const [about, relation] of await dialogSubjects(context, id)) {
    const query = { resource: 'dialog', equals: { AncestorID: about }, between, deleted: 0, ordered: true } as const;
    for await (const row of visibleRows(context, query))
      if (!found.has(row.ID ?? null)) found.set(row.ID ?? null, { row, relation });
  }
  const newest = [...found.values()].sort(
    (a, b) => Date.parse(String(b.row.DialogDate)) - Date.parse(String(a.row.DialogDate)),
  );
  return Promise.all(newest.map(({ row, relation }) => dialogRow(context, target, row, relation)));
}

/** The subjects of the dialogs: the individual, its organizations and departments, and those who report to it. */
async function dialogSubjects(context: Context, id: string): Promise<ReadonlyMap<string, Relation>> {
  const { lookup } = context;
  const about = new Map<string, Relation>([[id, 'Ind']]);
  const add = (other: Value | undefined, relation: Relation): void => {
    if (typeof other === 'string' && !about.has(other)) about.set(other, relation);
  };
  const memberships = await findIn(context, 'organizationMember', { equals: { IndividualID: id }, ordered: true });
  for (const { OrganizationID } of memberships) {
    const organization = await lookup('organization', OrganizationID);
    add(OrganizationID, organization?.RowType === ORGANIZATION ? 'Org' : 'dept');
  }
  const reports = await findIn(context, 'organizationMember', { equals: { ReportsToID: id }, ordered: true });
  for (const { IndividualID } of reports) add(IndividualID, 'ReportsTo');
  return about;
}

async function dialogRow(context: Context, { resource }: Target, row: Stored, relation: Relation): Promise<Row> {
  const equals = { AncestorID: row.ID ?? null, EndDateActual: null };
  const open = await collect(visibleRows(context, { resource: 'task', equals, deleted: 0 }));
  const mine = open.filter((task) => guidsIn(task.Responsible).includes(context.caller.id));
  return {
    MyOpenTasks: mine.length,
    OpenTasks: open.length,
    AncestorName: await readableName(context, await findByID(context, row.AncestorID ?? null)),
    Relation: relation,
    ...(await answer(context, resource, row, 'list')),
  };
}

export async function summariseBasicRoles(context: Context): Promise<readonly Row[]> {
  const counts = await context.store.count('basicRole', context.site, 'IndividualID');
  const rows: Row[] = [];
  for await (const one of visibleRows(context, { resource: 'individual', deleted: 0, ordered: true })) {
    const isReadable = await mayReadBelow(context, 'basicRole', { resource: 'individual', row: one });
    rows.push({
      IndividualID: one.ID ?? null,
      FullOrderedName: one.FullOrderedName ?? null,
      Count: isReadable ? (counts.get(String(one.ID)) ?? 0) : 0,
    });
  }
  return rows;
}

export async function writeBasicRoleDialog(writing: Writing, target: Target, input: Input): Promise<Row> {
  for (const owner of target.named) await readable(writing, owner, 0);
  if (await recordOfOwners(writing, target)) return update(writing, target, input);
  await checkMatch(writing, target.resource, undefined, input.match);
  const body = bodyAt(target, input.body ?? {}, 'the new basic role dialog');
  return answer(writing, target.resource, await createRecord(writing, target.resource, body));
}
