// Caches the ETags of records for their next update (D10); the ETags of listed records are computed.

import { resourceNamed } from '../contract/index.ts';
import { addressOf, type Operation } from '../contract/operation.ts';
import type { Resource, Row } from '../contract/resource.ts';
import { etagOf } from '../contract/same-values.ts';
import { buildPath } from '../wire/route.ts';
import type { Reroute } from './endpoint.ts';

export type EtagCache = ReturnType<typeof newEtagCache>;

const MAX_ETAGS = 10_000;

export function newEtagCache() {
  const known = new Map<string, string>();
  return {
    /** Keeps the ETag of a response; without a strong one the old one is dropped. */
    keep(path: string, etag: string | undefined): void {
      known.delete(path);
      // If-Match never matches a weak ETag (W/"…").
      if (etag === undefined || !/^"[^"]*"$/.test(etag)) return;
      known.set(path, etag);
      const [oldest = path] = known.keys();
      if (known.size > MAX_ETAGS) known.delete(oldest);
    },
    get: (path: string): string | undefined => known.get(path),
    /** The service is known to compute ETags as the contract does. */
    areOurs: false,
  };
}

/** Learns from a single record whether the service computes ETags as the contract does. */
export function learnEtags(
  etags: EtagCache,
  { resource, answers }: Operation,
  row: Row,
  etag: string | undefined,
): void {
  if (etag === undefined || etags.areOurs || answers) return;
  etags.areOurs = etagOf(resourceNamed(resource), row) === etag;
}

/** Computes and keeps the ETag of each record of a list; undefined if that cannot be done. */
export function listedEtagKeeper(
  etags: EtagCache,
  reroute: Reroute,
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

/** The update by ID; undefined if records can be read one by one. */
function onlyUpdate({ operations: { get, update } }: Resource): { operation: Operation; param: string } | undefined {
  if (get || update?.verb !== 'update' || !update.routes.plain) return undefined;
  const [param, ...more] = addressOf(update.routes.plain).params;
  return param === undefined || more.length > 0 ? undefined : { operation: update, param };
}
