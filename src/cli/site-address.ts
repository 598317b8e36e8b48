// Another site than the caller's own on a remote service: every address then has to name it (D1).
import { withFinder } from '../client/finder.ts';
import type { Input, Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { contract, everyResource, resourceNamed } from '../contract/index.ts';
import { isGuid, sameID } from '../contract/kinds.ts';
import { addressOf, isAlias, isParam, type Operation, type Route } from '../contract/operation.ts';
import { paramsOf } from '../contract/params.ts';
import { textKey } from '../text/text-key.ts';

/** The same calls in a site that is named by its ID or name. Throws `not_found`. */
export async function inSite(session: Session, text: string): Promise<Session> {
  const site = await siteNamed(session, text);
  if (sameID(site, session.me.site)) return session;
  return withFinder({
    me: { ...session.me, site },
    call: async (operation, input = {}) => session.call(operation, withSite(operation, input, site)),
    list: (operation, input = {}, want = {}) => session.list(operation, withSite(operation, input, site), want),
  });
}

async function siteNamed(session: Session, text: string): Promise<string> {
  if (isGuid(text)) return text.toLowerCase();
  const { list } = contract.site.operations;
  for await (const row of session.list(list)) {
    if (textKey(String(row.Name)) === textKey(text)) return String(row.ID).toLowerCase();
  }
  throw new ServiceError('not_found', `there is no site "${text}"`, {
    hint: 'pm sites list shows the sites you can name.',
  });
}

/** The input at an address that says which site. Throws `usage` where there is none: it would mean the caller's own. */
function withSite(operation: Operation, input: Input, site: string): Input {
  if (operation.resource === 'site') return input;
  const { routes } = operation;
  const by = input.by ?? ('plain' in routes ? 'plain' : Object.keys(routes)[0]) ?? 'plain';
  const route = routes[by];
  if (!route || saysSite(operation, route)) return input;
  const query = addressOf(route).query.find((name) => name.toLowerCase() === 'siteid');
  if (query) return { ...input, query: { ...input.query, [query]: site } };
  const twin = Object.entries(routes).find(([name, one]) => !isAlias(name) && isTwin(operation, route, one));
  const [name] = twin ? addressOf(twin[1]).params : [];
  if (twin && name !== undefined) return { ...input, by: twin[0], params: { [name]: site } };
  const { command } = resourceNamed(operation.resource);
  throw new ServiceError('usage', `${command} ${operation.name} has no address that names a site on a remote service`, {
    hint: 'Leave --site out, or log in as somebody of that site.',
  });
}

const saysSite = (operation: Operation, route: Route): boolean =>
  paramsOf(everyResource, resourceNamed(operation.resource), operation.many, addressOf(route)).some(
    ({ target, own }) => target === 'site' || (own && operation.resource === 'siteSetting'),
  );

/** The same list, below a site. */
const isTwin = (operation: Operation, plain: Route, one: Route): boolean =>
  !addressOf(plain).segments.some(isParam) && addressOf(one).params.length === 1 && saysSite(operation, one);
