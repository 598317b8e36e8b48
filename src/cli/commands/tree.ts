// pm departments tree and pm individuals tree: departments below their parents, individuals below their managers.
import { contract } from '../../contract/index.ts';
import { idKey, sameID } from '../../contract/kinds.ts';
import type { Row } from '../../contract/resource.ts';
import { collect } from '../../text/batches.ts';
import type { Context } from '../context.ts';
import { print } from '../output/printing.ts';
import { shapeOf } from '../output/result.ts';
import { asRecords, checkShownWhole } from '../settings.ts';

interface Tree {
  readonly parent: string;
  label(row: Row): string;
}

const DEPARTMENTS: Tree = {
  parent: 'ParentID',
  label: (row) => `${String(row.Name)}${deletedMark(row)}`,
};
const INDIVIDUALS: Tree = {
  parent: 'PrimaryReportsTo',
  label: (row) =>
    `${String(row.FullName)} – ${String(row.PrimaryTitle)}, ${String(row.PrimaryOrganizationName)}${deletedMark(row)}`,
};

const deletedMark = (row: Row): string =>
  row.Deleted === true ? ' (deleted)' : row.DeletedByRef === true ? ' (hidden)' : '';

/** `resource` is how the command was called: departments, individuals or one of their aliases. */
export async function tree(context: Context, resource: string): Promise<number> {
  const isIndividuals = resource.startsWith('individual');
  const { list } = isIndividuals ? contract.individual.operations : contract.organization.operations;
  const drawing = isIndividuals ? INDIVIDUALS : DEPARTMENTS;
  const { settings } = context;
  const { deleted } = settings;
  if (!asRecords(settings)) checkShownWhole(settings, 'a tree is drawn whole: it', `pm ${resource} list takes them.`);
  const session = await context.session();
  const query = deleted === undefined ? {} : { deleted };
  const rows = await collect(session.list(list, { by: 'plain', query }));
  if (asRecords(settings))
    return context.print({ shape: shapeOf(isIndividuals ? contract.individual : contract.organization), rows });
  print(context.io, [...draw(rows, drawing)]);
  if (rows.length === 0) context.note(`No ${isIndividuals ? 'individuals' : 'departments'}.`);
  return 0;
}

/** The lines of a tree. Rows without a parent among the rows are at the top. */
function* draw(rows: readonly Row[], { parent, label }: Tree): Generator<string> {
  const known = new Set(rows.map((row) => idKey(row.ID)));
  const isTop = (row: Row): boolean => sameID(row[parent], row.ID) || !known.has(idKey(row[parent]));
  const below = groupBy(
    rows.filter((row) => !isTop(row)),
    parent,
  );
  for (const top of rows.filter(isTop)) {
    yield label(top);
    yield* branches(top, '');
  }
  function* branches(row: Row, indent: string): Generator<string> {
    const children = below.get(idKey(row.ID)) ?? [];
    for (const [index, child] of children.entries()) {
      const last = index === children.length - 1;
      yield `${indent}${last ? '└── ' : '├── '}${label(child)}`;
      yield* branches(child, `${indent}${last ? '    ' : '│   '}`);
    }
  }
}

function groupBy(rows: readonly Row[], parent: string): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const key = idKey(row[parent]);
    const group = found.get(key) ?? [];
    group.push(row);
    found.set(key, group);
  }
  return found;
}
