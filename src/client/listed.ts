// ETags of records that stand only in lists: a list carries none, so they are worked out where the service makes them as we do (D10).
import { etagOf } from '../contract/etag.ts';
import { resourceNamed } from '../contract/index.ts';
import { addressOf, type Operation } from '../contract/operation.ts';
import type { Resource, Row } from '../contract/resource.ts';
import { buildPath } from '../wire/route.ts';
import type { Etags } from './etags.ts';
import type { Talk } from './request.ts';

/** Learns from the answer to a single read whether the service's ETags are those of the contract. */
export function learnEtags(etags: Etags, { resource, answers }: Operation, row: Row, etag: string | undefined): void {
  if (etag === undefined || etags.areOurs || answers) return;
  etags.areOurs = etagOf(resourceNamed(resource), row) === etag;
}

/** What is done with each record of a list, where its ETag can be known; undefined where not. */
export function listedKeeper(
  { rerouted }: Talk,
  etags: Etags,
  { resource: name, answers }: Operation,
): ((row: Row) => void) | undefined {
  const resource = resourceNamed(name);
  const update = onlyUpdate(resource);
  if (!etags.areOurs || !update || answers) return undefined;
  const { operation, param } = { ...update, operation: rerouted(update.operation) };
  return (row) => {
    if (row.ID === null || row.ID === undefined) return;
    const { path } = buildPath(operation, { by: 'plain', params: { [param]: String(row.ID) } });
    etags.keep(path, etagOf(resource, row));
  };
}

/** The update by ID of a resource whose records cannot be read one by one. */
function onlyUpdate({ operations: { get, update } }: Resource): { operation: Operation; param: string } | undefined {
  if (get || update?.verb !== 'update' || !update.routes.plain) return undefined;
  const [param, ...more] = addressOf(update.routes.plain).params;
  return param === undefined || more.length > 0 ? undefined : { operation: update, param };
}
