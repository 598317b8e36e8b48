// Completes the body of a new record with values that pm knows, and with answers on a terminal.
import { defaultsFor, isDemanded, isPlace, ranksOfNew } from '../../changes/plan/required-fields.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type Field, mayBelongToSite } from '../../contract/field.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { type FieldFlag, fieldFlags, flagText } from '../names.ts';
import type { Answer } from './dialog.ts';

type Body = Readonly<Record<string, unknown>>;
/** The flags that set one member. */
type Group = readonly [FieldFlag, ...FieldFlag[]];

/**
 * Adds known values, and asks for the rest. Answers are added to `answers`, each when it is given. Throws `usage` with the
 * missing flags if it cannot ask.
 */
export async function completeNew(
  context: Context,
  resource: Resource,
  body: Body,
  answers: Answer[] = [],
): Promise<Body> {
  const session = await context.session();
  const whole: Record<string, unknown> = { ...defaultsFor(resource, session.me.site, body), ...body };
  const missing = missingIn(resource, whole);
  if (missing.length === 0) return whole;
  const others = missing.filter(([{ name }]) => !isPlace(resource, name));
  const Rank = others.length === 0 ? await ranksOfNew(session.find, session.me.site)(resource, whole) : undefined;
  if (Rank !== undefined) return { ...whole, Rank };
  if (!context.settings.asks) throw missingFlags(resource, others.length > 0 ? others : missing);
  const asking = { session, resource, zone: await context.zone() };
  const { askFor } = await import('./dialog.ts');
  for (const group of groupsOf(resource, (name, field) => isMissing(whole, name, field) || isOpen(body, name, field))) {
    const answer = await askFor(asking, group);
    answers.push(answer);
    whole[group[0].name] = answer.value;
  }
  return { ...defaultsFor(resource, session.me.site, whole), ...whole };
}

/** The members that a new record needs, and that pm does not know. */
export const missingMembers = (resource: Resource, site: string, body: Body): readonly string[] =>
  missingIn(resource, { ...defaultsFor(resource, site, body), ...body }).map(([{ name }]) => name);

/** The flags of each member that a new record needs; one flag of each group is enough. */
export const demandedFlags = (resource: Resource): readonly (readonly FieldFlag[])[] =>
  missingIn(resource, defaultsFor(resource, 'any', {})).filter(([{ name }]) => !isPlace(resource, name));

/** The flags of each required member that the body lacks. */
const missingIn = (resource: Resource, body: Body): readonly Group[] =>
  groupsOf(resource, (name, field) => isMissing(body, name, field));

const isMissing = (body: Body, name: string, field: Field): boolean => isDemanded(field) && body[name] === undefined;

/** An owner that is the site unless another one is named: a dialog asks, since a department would become an organization. */
const isOpen = (body: Body, name: string, field: Field): boolean => mayBelongToSite(field) && body[name] === undefined;

function groupsOf(resource: Resource, isWanted: (name: string, field: Field) => boolean): readonly Group[] {
  const flags = fieldFlags(resource);
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const [first, ...more] = isWanted(name, field) ? flags.filter((flag) => flag.name === name) : [];
    return first ? [[first, ...more] as const] : [];
  });
}

function missingFlags(resource: Resource, missing: readonly Group[]): ServiceError {
  const lines = missing.map((group) => group.map(flagText).join(' or '));
  return new ServiceError('usage', `${resource.command} create needs ${lines.join(', ')}`, {
    hint: `pm ${resource.command} create --help describes the flags.`,
  });
}
