// pm departments tree and pm individuals tree: departments below their parents, individuals below their managers.
import { contract } from '../../contract/index.ts';
import { idKey, sameID } from '../../contract/kinds.ts';
import type { Row } from '../../contract/resource.ts';
import { collect, grouped } from '../../text/batches.ts';
import type { Context } from '../context.ts';
import { drawn } from '../output/drawn.ts';
import { shapeOf } from '../output/result.ts';
import { printWrapped } from '../output/wrapped.ts';
import { idOf } from '../selectors/records.ts';
import { liveOrDeleted } from '../selectors/selectors.ts';
import { asRecords, checkShownWhole } from '../settings.ts';

interface Tree {
  readonly parent: string;
  label(row: Row, dash: string): string;
}

const TREES = {
  organization: { parent: 'ParentID', label: (row) => `${String(row.Name)}${deletedMark(row)}` },
  individual: {
    parent: 'PrimaryReportsTo',
    label: (row, dash) => {
      const place = `${String(row.PrimaryTitle)}, ${String(row.PrimaryOrganizationName)}`;
      return `${String(row.FullName)} (${String(row.UserName)}) ${dash} ${place}${deletedMark(row)}`;
    },
  },
} satisfies Readonly<Record<string, Tree>>;

const deletedMark = (row: Row): string =>
  row.Deleted === true ? ' (deleted)' : row.DeletedByRef === true ? ' (hidden)' : '';

/** Draws all records, or `root` and those below it. */
export const tree =
  (resource: keyof typeof TREES) =>
  async (context: Context, root: string | undefined): Promise<number> => {
    const kind = contract[resource];
    const drawing: Tree = TREES[resource];
    const { settings, io } = context;
    const { deleted } = settings;
    const { command } = kind;
    if (!asRecords(settings)) checkShownWhole(settings, 'a tree is drawn whole: it', `pm ${command} list takes them.`);
    const session = await context.session();
    const find = (state: 0 | 1) => (root === undefined ? undefined : idOf(session, kind, root, { deleted: state }));
    const id = await liveOrDeleted(async (state) => find(state));
    const query = deleted === undefined ? {} : { deleted };
    const listed = await collect(session.list(kind.operations.list, { by: 'plain', query }));
    const isListed = id === undefined || listed.some((row) => sameID(row.ID, id));
    const { row } = isListed ? {} : await session.find.record(resource, { id }, 'deleted');
    const all = row ? [...listed, row] : listed;
    const branches = branchesOf(all, drawing, id);
    if (asRecords(settings)) {
      const rows = id === undefined ? all : branches.map(({ row }) => row);
      return context.print({ shape: shapeOf(kind), rows });
    }
    const dash = drawn(io.env, '–');
    printWrapped(
      io,
      branches.map(({ row, lines }) => lines + drawing.label(row, dash)),
    );
    if (all.length === 0) context.note(`No ${command}.`);
    return 0;
  };

interface Branch {
  readonly row: Row;
  /** The lines of the tree in front of it. */
  readonly lines: string;
}

/** The records in the order of the tree. Those without their parent among them are at the top. */
function branchesOf(rows: readonly Row[], { parent }: Tree, root: string | undefined): readonly Branch[] {
  const known = new Set(rows.map((row) => idKey(row.ID)));
  const isTop = (row: Row): boolean => sameID(row[parent], row.ID) || !known.has(idKey(row[parent]));
  const notTop = rows.filter((row) => !isTop(row));
  const below = grouped(notTop, (row) => idKey(row[parent]));
  const branches: Branch[] = [];
  const grow = (row: Row, indent: string): void => {
    const children = below.get(idKey(row.ID)) ?? [];
    for (const [index, child] of children.entries()) {
      const isLast = index === children.length - 1;
      branches.push({ row: child, lines: `${indent}${isLast ? '└── ' : '├── '}` });
      grow(child, `${indent}${isLast ? '    ' : '│   '}`);
    }
  };
  for (const top of rows.filter((row) => (root === undefined ? isTop(row) : sameID(row.ID, root)))) {
    branches.push({ row: top, lines: '' });
    grow(top, '');
  }
  return branches;
}
