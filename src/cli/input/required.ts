// Completes the body of a new record: what pm knows by itself, what a terminal can be asked, and what is still missing.
import { isDemanded, knownOfNew } from '../../changes/plan/required-fields.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { type FieldFlag, fieldFlags } from '../names.ts';

type Body = Record<string, unknown>;

/** Throws `usage` that lists the flags of what is missing, where nothing can be asked. */
export async function completeNew(context: Context, session: Session, resource: Resource, body: Body): Promise<Body> {
  const whole = { ...knownOfNew(resource, session.me.site, body), ...body };
  const missing = missingIn(resource, whole);
  if (missing.length === 0) return whole;
  if (!context.settings.asks) throw lacking(resource, missing);
  const { askFor } = await import('./ask-member.ts');
  const zone = await context.zone();
  for (const group of missing) await askFor(session, resource, group, whole, zone);
  return { ...knownOfNew(resource, session.me.site, whole), ...whole };
}

/** The flags that a new record cannot do without: one for each member, the first where there are several kinds. */
export const demandedFlags = (resource: Resource): readonly FieldFlag[] =>
  missingIn(resource, {}).flatMap((group) => group.filter((flag, at) => at === 0 && flag.field.kind !== 'boolean'));

/** The flags of each member that is demanded and not there. */
function missingIn(resource: Resource, body: Body): readonly (readonly FieldFlag[])[] {
  const flags = fieldFlags(resource);
  return Object.entries(resource.fields)
    .filter(([name, field]) => isDemanded(field) && body[name] === undefined)
    .map(([name]) => flags.filter((flag) => flag.name === name))
    .filter((group) => group.length > 0);
}

function lacking(resource: Resource, missing: readonly (readonly FieldFlag[])[]): ServiceError {
  const lines = missing.map((group) =>
    group.map((flag) => `--${flag.flag} ${flag.targets.length > 0 ? '<ref>' : '<value>'}`).join(' or '),
  );
  return new ServiceError('usage', `${resource.command} create needs ${lines.join(', ')}`, {
    hint: `pm ${resource.command} create --help describes the flags.`,
  });
}
