// The dialogs that concern an individual, each once, with their relation to it.
import { guidsIn } from '../../contract/kinds.ts';
import type { Row, Value } from '../../contract/resource.ts';
import { type Context, findIn } from '../context.ts';
import { answer } from '../records/answer.ts';
import { lastOfDay, startOfDay } from '../records/periods.ts';
import { readable } from '../records/read-record.ts';
import { findByID } from '../records/record-names.ts';
import { readableName, visibleRows } from '../rights/check.ts';
import type { Stored } from '../store/port.ts';
import type { Target } from '../target.ts';

type Relation = 'Ind' | 'Org' | 'dept' | 'ReportsTo';

const ORGANIZATION = 4;
const EARLIEST = '0001-01-01';
const LATEST = '9999-12-31';

/** Newest first. A dialog with several relations shows the first of them. */
export async function allDialogs(context: Context, target: Target): Promise<readonly Row[]> {
  const id = String(target.named[0]?.id);
  await readable(context, { resource: 'individual', id }, 0);
  const { startdate, enddate } = target.query;
  const between = {
    field: 'DialogDate',
    from: startOfDay(context, String(startdate ?? EARLIEST)),
    to: lastOfDay(context, String(enddate ?? LATEST)),
  };
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
  for (const { IndividualID } of await findIn(context, 'organizationMember', {
    equals: { ReportsToID: id },
    ordered: true,
  }))
    add(IndividualID, 'ReportsTo');
  return about;
}

async function dialogRow(context: Context, { resource }: Target, row: Stored, relation: Relation): Promise<Row> {
  const open = await openTasks(context, row);
  const about = await findByID(context, row.AncestorID ?? null);
  const mine = open.filter((task) => guidsIn(task.Responsible).includes(context.caller.id));
  return {
    MyOpenTasks: mine.length,
    OpenTasks: open.length,
    AncestorName: about ? await readableName(context, about) : null,
    Relation: relation,
    ...(await answer(context, resource, row, 'list')),
  };
}

async function openTasks(context: Context, dialog: Stored): Promise<readonly Stored[]> {
  const tasks: Stored[] = [];
  const equals = { AncestorID: dialog.ID ?? null, EndDateActual: null };
  for await (const task of visibleRows(context, { resource: 'task', equals, deleted: 0 })) tasks.push(task);
  return tasks;
}
