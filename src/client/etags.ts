// The ETags of the records that were read, to be sent with their next update (D10); those of lists are worked out.
import { etagOf } from '../contract/etag.ts';
import { resourceNamed } from '../contract/index.ts';
import { addressOf, type Operation } from '../contract/operation.ts';
import type { Resource, Row } from '../contract/resource.ts';
import { buildPath } from '../wire/route.ts';
import type { ClientContext } from './request.ts';

export interface EtagCache {
  /** Keeps the one of an answer; forgets the old one where the answer has none that can be sent back. */
  keep(path: string, etag: string | undefined): void;
  get(path: string): string | undefined;
  /** The service makes them as the contract does, as far as is known. */
  areOurs: boolean;
}

const MAX_ETAGS = 10_000;

export function newEtagCache(): EtagCache {
  const known = new Map<string, string>();
  return {
    keep(path, etag) {
      known.delete(path);
      // A weak one (W/"…") is no match for If-Match.
      if (etag === undefined || !/^"[^"]*"$/.test(etag)) return;
      known.set(path, etag);
      for (const oldest of known.keys()) {
        if (known.size <= MAX_ETAGS) break;
        known.delete(oldest);
      }
    },
    get: (path) => known.get(path),
    areOurs: false,
  };
}

/** Learns from the answer to a single read whether the service's ETags are those of the contract. */
export function learnEtags(
  etags: EtagCache,
  { resource, answers }: Operation,
  row: Row,
  etag: string | undefined,
): void {
  if (etag === undefined || etags.areOurs || answers) return;
  etags.areOurs = etagOf(resourceNamed(resource), row) === etag;
}

/** What is done with each record of a list, where its ETag can be known; undefined where not. */
export function listedEtagKeeper(
  { reroute }: ClientContext,
  etags: EtagCache,
  { resource: name, answers }: Operation,
): ((row: Row) => void) | undefined {
  const resource = resourceNamed(name);
  const update = onlyUpdate(resource);
  if (!etags.areOurs || !update || answers) return undefined;
  const { operation, param } = { ...update, operation: reroute(update.operation) };
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
