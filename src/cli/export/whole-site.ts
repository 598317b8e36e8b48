// The resources whose records make up a whole site.
import { resources } from '../../contract/index.ts';
import type { Resource } from '../../contract/resource.ts';
import { isOfSite } from '../../files/image.ts';

/** Can the resource be exported by itself? It must be writable and have a list. */
export const canExport = ({ operations, name }: Resource): boolean =>
  operations.list !== undefined &&
  (operations.create ?? operations.update ?? { verb: 'unsupported' }).verb !== 'unsupported' &&
  name !== 'site';

/** What the files of a whole site hold: the site itself and its settings, too. */
export const wholeSite: readonly Resource[] = resources.filter((one) => canExport(one) || isOfSite(one));
