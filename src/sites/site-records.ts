// The records of a site as its files hold them.
import type { Session } from '../contract/call.ts';
import { contract } from '../contract/index.ts';
import { sameID } from '../contract/kinds.ts';
import type { Resource, Row } from '../contract/resource.ts';

/** As `recordsAt`. The site itself is blank: it has another ID elsewhere. */
export async function* recordsOf(session: Session, resource: Resource, deleted: 0 | 2): AsyncGenerator<Row> {
  const { me } = session;
  for await (const row of recordsAt(session, resource, deleted)) {
    const others = Object.entries(resource.fields).filter(
      ([name, { to = [] }]) => to.includes('site') && sameID(row[name], me.site),
    );
    yield others.length > 0 ? { ...row, ...Object.fromEntries(others.map(([name]) => [name, null])) } : row;
  }
}

/** Without values that an archive keeps (D29), which cannot be written. A site has one record of settings. */
export async function* recordsAt({ me, call, find }: Session, { name }: Resource, deleted: 0 | 2): AsyncGenerator<Row> {
  const { get } = contract.siteSetting.operations;
  const rows = name === 'siteSetting' ? [await call(get, { params: { id: me.site } })] : find.all(name, deleted);
  for await (const row of rows) if ((row.ArchiveID ?? null) === null) yield row;
}

/** Can the resource be exported by itself? It must be writable and have a list. */
export const canExport = ({ operations, name }: Resource): boolean =>
  operations.list !== undefined &&
  (operations.create ?? operations.update ?? { verb: 'unsupported' }).verb !== 'unsupported' &&
  name !== 'site';
