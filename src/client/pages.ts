// Lists that come in pages: where the next one is, and whether the last one was all of it.
import { ServiceError } from '../contract/errors.ts';
import type { Members } from '../wire/shape.ts';
import type { Response } from './connection.ts';
import { quietRefusalError } from './errors.ts';
import { type PreparedCall, saysFailure } from './request.ts';

const NEXT = /^(@?odata\.)?(next(_?page)?(_?(link|url|token|cursor))?|continuation(_?token)?)$/i;
const TOTAL = /^(@?odata\.)?(count|total(_?(count|elements|items|records|results))?)$/i;
const PAGES = /^((total|number)_?(of_?)?pages|pages(_?(count|total))?|page_?(count|total))$/i;
const MORE = /^(has_?(more|next)|is_?truncated|incomplete)$/i;
const LAST = /^(is_?)?last(_?page)?$/i;

type Page = Pick<Response, 'status' | 'headers'> & { readonly wrapper: Members };

/**
 * The request of the page after this one; undefined after the last one. `count`: the records up to here. Throws `bad_answer`
 * where there is more and no address of the same service that shows it.
 */
export function nextPage(call: PreparedCall, page: Page, count: number): PreparedCall | undefined {
  const { status, headers, wrapper } = page;
  if (saysFailure(wrapper)) throw quietRefusalError(call, { ...page, bytes: Buffer.from(JSON.stringify(wrapper)) });
  // Some say it in a member of its own: `links`, `meta`, `page`.
  const said = Object.assign({}, ...Object.values(wrapper).map(membersOf), wrapper);
  const next = linkIn(headers.link) ?? memberLike(said, NEXT);
  if (next !== undefined) return following(call, next, count);
  const total = Number(
    headers['x-total-count'] ?? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] ?? memberLike(said, TOTAL),
  );
  if (total > count) throw incompleteError(call, `${count} of ${total} records`);
  const hasOther = Object.entries(said).some(([name, value]) => LAST.test(name) && /^false$/i.test(String(value)));
  const isPart = hasOther || (Number(memberLike(said, PAGES)) > 1 && !call.request.absolute);
  if (status === 206 || isPart || /^true$/i.test(String(memberLike(said, MORE))))
    throw incompleteError(call, `${count} records, and more`);
  return undefined;
}

function following(call: PreparedCall, link: unknown, count: number): PreparedCall {
  const next = membersOf(link).href ?? link;
  const { origin, base } = call.connection.endpoint;
  const { path, absolute } = call.request;
  const here = new URL(absolute ? path : `${base}${path}`, origin);
  const url = typeof next === 'string' && /^(https?:\/\/|[/?])/.test(next) ? new URL(next, here) : undefined;
  if (url?.origin !== origin || url.href === here.href) throw incompleteError(call, `${count} records, and more`);
  return { ...call, request: { ...call.request, path: `${url.pathname}${url.search}`, absolute: true } };
}

const incompleteError = ({ connection, request }: PreparedCall, what: string): ServiceError =>
  new ServiceError(
    'bad_answer',
    `${connection.endpoint.origin} answered GET ${request.path} with ${what}; the others are at no address that it names`,
    { hint: 'The list is not complete, and nothing is done with a part of it.' },
  );

/** The address of the next page in a Link header. */
const linkIn = (header = ''): string | undefined =>
  /<([^<>]*)>[^<]*;\s*rel\s*=\s*"?(?:[^",<]*\s)?next\b/i.exec(header)?.[1];

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

/** The value of the first member of such a name that has one. */
const memberLike = (members: Members, name: RegExp): unknown =>
  Object.entries(members).find(
    ([one, value]) => name.test(one) && ![null, '', false, undefined].includes(value as null),
  )?.[1];
