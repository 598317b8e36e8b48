// ETags and conditional requests: a change of what was read (If-Match), and a read of what has changed (If-None-Match).
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../contract/errors.ts';
import { etagOf } from '../contract/etag.ts';
import { resourceNamed } from '../contract/index.ts';
import type { Operation } from '../contract/operation.ts';
import type { Row } from '../contract/resource.ts';

/** The ETag of a record; undefined for an answer that is none. */
export const tagOf = (operation: Operation, row: Row): string | undefined =>
  operation.answers || Object.keys(row).length === 0 ? undefined : etagOf(resourceNamed(operation.resource), row);

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
/** A list whose tags have been cut out. */
const BETWEEN = /^[ \t,]*$/;

/**
 * What a change demands of the record: one of these ETags. A weak one fits none, and a star any record.
 * Throws `invalid` for a malformed If-Match, and for a change with If-None-Match.
 */
export function matchIn(operation: Operation, headers: IncomingHttpHeaders): { readonly match?: readonly string[] } {
  if (!operation.writes || operation.verb === 'create') return {};
  if (headers['if-none-match'] !== undefined)
    throw new ServiceError('invalid', 'the header If-None-Match is for reading; a change is made under If-Match');
  const given = headers['if-match']?.trim();
  if (given === undefined || given === '*') return {};
  const tags = tagsIn(given);
  if (tags.length > 0) return { match: tags };
  throw new ServiceError('invalid', 'the header If-Match holds no ETags in their quotes, as answers carry them');
}

/** Does the caller have the record with this ETag already? A star means any; a malformed If-None-Match none. */
export function isUnchanged(etag: string | undefined, headers: IncomingHttpHeaders): boolean {
  const given = headers['if-none-match']?.trim();
  if (etag === undefined || given === undefined) return false;
  return given === '*' || tagsIn(given).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** The ETags of a list; none for a malformed one. */
const tagsIn = (list: string): readonly string[] =>
  BETWEEN.test(list.replace(TAG, '')) ? [...list.matchAll(TAG)].map(([tag]) => tag) : [];
