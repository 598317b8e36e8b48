// Completes the body of a new record: what pm knows by itself, what a terminal can be asked, and what is still missing.
import { isDemanded, knownOfNew } from '../changes/new-record.ts';
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { isRefusal, RULES } from '../contract/kinds.ts';
import type { Resource } from '../contract/resource.ts';
import type { Context } from './context.ts';
import { type FieldFlag, fieldFlags } from './names.ts';
import { resolve } from './selectors.ts';

type Body = Record<string, unknown>;

/** Throws `usage` that lists the flags of what is missing, where nothing can be asked. */
export async function completeNew(context: Context, session: Session, resource: Resource, body: Body): Promise<Body> {
  const whole = { ...knownOfNew(resource, session.me.site, body), ...body };
  const missing = missingIn(resource, whole);
  if (missing.length === 0) return whole;
  if (!context.settings.asks) throw lacking(resource, missing);
  for (const group of missing) await askFor(session, group, whole);
  return whole;
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

async function askFor(session: Session, group: readonly FieldFlag[], body: Body): Promise<void> {
  const { askText } = await import('./prompt.ts');
  const [first] = group;
  if (!first) return;
  const targets = group.flatMap((flag) => flag.targets);
  let value: unknown;
  await askText(question(first, targets), async (text) => {
    if (targets.length > 0)
      return resolved(session, text, targets, (id) => (value = first.field.kind === 'integer' ? Number(id) : id));
    const answer = RULES[first.field.kind].read(text);
    if (isRefusal(answer)) return `${first.name} ${answer.refused}`;
    if (text.trim() === '') return `${first.name} is required`;
    value = answer;
    return true;
  });
  body[first.name] = value;
}

const question = (flag: FieldFlag, targets: readonly string[]): string =>
  `${flag.name}${flag.field.doc ? ` (${flag.field.doc.replace(/\.$/, '')})` : ''}${targets.length > 0 ? ' – a name or an ID' : ''}`;

async function resolved(
  session: Session,
  text: string,
  targets: readonly string[],
  keep: (id: string) => void,
): Promise<true | string> {
  try {
    keep(await resolve(session, text, { targets, deleted: 0 }));
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return [error.message, ...error.candidates].join('\n  ');
    throw error;
  }
}
