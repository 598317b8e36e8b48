// The records of a site as its files hold them, and those of a site that is as new as pm makes it.
import type { Session } from '../contract/call.ts';
import { contract, resources, storedResources } from '../contract/index.ts';
import { sameID } from '../contract/kinds.ts';
import type { Resource, Row } from '../contract/resource.ts';
import { imageAt, imageOf, isOfSite } from '../files/image.ts';
import { collect } from '../text/batches.ts';

/** Without values that an archive keeps (D29). The site itself is blank: it has another ID elsewhere. */
export async function* recordsOf(session: Session, resource: Resource, deleted: 0 | 2): AsyncGenerator<Row> {
  for await (const row of isOfSite(resource) ? ofSite(session, resource) : session.find.all(resource.name, deleted)) {
    if ((row.ArchiveID ?? null) !== null) continue;
    const others = Object.entries(resource.fields).filter(
      ([name, { to = [] }]) => to.includes('site') && sameID(row[name], session.me.site),
    );
    yield others.length > 0 ? { ...row, ...Object.fromEntries(others.map(([name]) => [name, null])) } : row;
  }
}

async function* ofSite(session: Session, { name }: Resource): AsyncGenerator<Row> {
  const { site } = session.me;
  if (name === 'siteSetting') yield await session.call(contract.siteSetting.operations.get, { params: { id: site } });
  else for await (const row of session.find.all(name, 0)) if (sameID(row.ID, site)) yield row;
}

/** The image of an answered record; `DeletedByRef` is no part of it. */
export const wholeImage = async (session: Session, resource: Resource, row: Row): Promise<Row> =>
  imageOf(resource, row, await membersOf(session, resource, row));

/** The members of a security group, which only the embedded engine tells. */
async function membersOf({ local, list }: Session, { name }: Resource, { ID }: Row): Promise<Row> {
  if (!local || name !== 'securityGroup') return {};
  const { members } = contract.securityGroup.operations;
  const found = await collect(list(members, { body: { Group: ID, Deleted: true } }));
  const ids = found.map((one) => String(one.ID)).sort();
  return { Members: ids.join(' ') || null };
}

/** The most records of a new site; of other resources it has none, and of these any number. */
const MOST: Readonly<Record<string, number>> = { individual: 1, organization: 1, organizationMember: 1 };
const ANY = ['site', 'siteSetting', 'color', 'phase', 'status', 'period', 'securityGroup'];

/** The images of the records of a new site, by resource; undefined where the site has been used, or is on a service. */
export async function newSiteRecords(session: Session): Promise<ReadonlyMap<string, readonly Row[]> | undefined> {
  if (!session.local) return undefined;
  const records = new Map<string, readonly Row[]>();
  for (const resource of storedResources) {
    const most = ANY.includes(resource.name) ? Number.POSITIVE_INFINITY : (MOST[resource.name] ?? 0);
    const images: Row[] = [];
    for await (const row of recordsOf(session, resource, 2)) {
      const image = await wholeImage(session, resource, row);
      if (images.push(imageAt(session.me.site, resource, image)) > most) return undefined;
    }
    records.set(resource.name, images);
  }
  return records;
}

/** Can the resource be exported by itself? It must be writable and have a list. */
export const canExport = ({ operations, name }: Resource): boolean =>
  operations.list !== undefined &&
  (operations.create ?? operations.update ?? { verb: 'unsupported' }).verb !== 'unsupported' &&
  name !== 'site';

/** A whole site has a file for each of them: for the site itself and its settings, too. */
export const wholeSite: readonly Resource[] = resources.filter((one) => canExport(one) || isOfSite(one));
