// The records of a site as its files hold them.
import type { Session } from '../contract/call.ts';
import { contract } from '../contract/index.ts';
import { sameID } from '../contract/kinds.ts';
import type { Resource, Row } from '../contract/resource.ts';

/** Without values that an archive keeps (D29). The site itself is blank: it has another ID elsewhere. */
export async function* recordsOf(session: Session, resource: Resource, deleted: 0 | 2): AsyncGenerator<Row> {
  const { me } = session;
  for await (const row of recordsAt(session, resource, deleted)) {
    if ((row.ArchiveID ?? null) !== null) continue;
    const others = Object.entries(resource.fields).filter(
      ([name, { to = [] }]) => to.includes('site') && sameID(row[name], me.site),
    );
    yield others.length > 0 ? { ...row, ...Object.fromEntries(others.map(([name]) => [name, null])) } : row;
  }
}

/** All of a resource; a site has one record of settings. */
export async function* recordsAt({ me, call, find }: Session, { name }: Resource, deleted: 0 | 2): AsyncGenerator<Row> {
  if (name !== 'siteSetting') return yield* find.all(name, deleted);
  yield await call(contract.siteSetting.operations.get, { params: { id: me.site } });
}

/** Can the resource be exported by itself? It must be writable and have a list. */
export const canExport = ({ operations, name }: Resource): boolean =>
  operations.list !== undefined &&
  (operations.create ?? operations.update ?? { verb: 'unsupported' }).verb !== 'unsupported' &&
  name !== 'site';
