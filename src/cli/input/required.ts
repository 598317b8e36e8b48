// Completes the body of a new record with what pm knows, and with answers on a terminal.
import { defaultsFor, isDemanded } from '../../changes/plan/required-fields.ts';
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { resources } from '../../contract/index.ts';
import { readWritten } from '../../contract/params.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import type { Zone } from '../../contract/zone.ts';
import { collect } from '../../text/batches.ts';
import { sanitise } from '../../text/escape.ts';
import type { Context } from '../context.ts';
import { type FieldFlag, fieldFlags, flagText } from '../names.ts';
import { inputAt, plansOf } from '../selectors/addresses.ts';
import { inWords, resolve } from '../selectors/selectors.ts';
import { askChoice, askText } from './prompt.ts';

interface Choice {
  readonly name: string;
  readonly value: Value;
}

/** Asks for the member that the flags of `group` set, and puts the answer into the body. */
async function askFor(
  session: Session,
  resource: Resource,
  group: readonly FieldFlag[],
  body: Record<string, unknown>,
  zone: Zone | undefined,
): Promise<void> {
  const [first] = group;
  if (!first) return;
  const targets = group.flatMap((flag) => flag.targets);
  const choices = await choicesOf(session, resource, first, targets);
  body[first.name] =
    choices.length > 0
      ? await askChoice(question(first, []), choices)
      : await askUntilValid(question(first, targets), (text) =>
          targets.length > 0
            ? readReference(session, first, text, targets)
            : readPlain(session, resource, first, text, zone),
        );
}

const DATES: readonly string[] = ['date', 'day', 'stamp'];

function question({ name, field }: FieldFlag, targets: readonly string[]): string {
  const doc = field.doc ? ` (${field.doc.replace(/\.$/, '')})` : '';
  if (targets.length > 0) return `${name}${doc} – ${inWords(targets)}, by name or ID`;
  return `${name}${doc}${DATES.includes(field.kind) ? ', as 2026-03-31' : ''}`;
}

/** Choices to offer: named numbers, or the records of a short list. */
async function choicesOf(
  session: Session,
  resource: Resource,
  { name, field }: FieldFlag,
  targets: readonly string[],
): Promise<readonly Choice[]> {
  if (field.choices)
    return Object.entries(field.choices).map(([number, word]) => ({ name: word, value: Number(number) }));
  if (targets.length === 0) return listChoices(session, resource, pluralOf(name));
  const target = resources.find((one) => one.name === targets[0]);
  return target?.id === 'integer' ? listChoices(session, target, 'list') : [];
}

/** `RoleID` is one of the `roles`. */
const pluralOf = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1).replace(/ID$/, 's')}`;

/** The records of a list; empty if the list does not exist or may not be read. */
async function listChoices(session: Session, resource: Resource, name: string): Promise<readonly Choice[]> {
  const operation = resource.operations[name];
  const plan =
    operation && plansOf(resource, operation).find(({ flags }) => flags.every(({ place }) => place === 'query'));
  if (!operation?.many || operation.writes || !plan) return [];
  try {
    const rows = await collect(session.list(operation, inputAt(plan, session, new Map())));
    return rows.map((row) => ({ name: labelOf(resource, row), value: row.ID ?? null }));
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

const labelOf = ({ names }: Resource, row: Row): string =>
  String(row[names[0] ?? ''] ?? row.Name ?? row.Group ?? row.ID);

type Answer = { readonly value: unknown } | { readonly refused: string };

/** Asks until the answer is valid. */
async function askUntilValid(message: string, read: (text: string) => Promise<Answer>): Promise<unknown> {
  let value: unknown;
  await askText(message, async (text) => {
    const answer = await read(text.trim());
    if ('refused' in answer) return answer.refused;
    value = answer.value;
    return true;
  });
  return value;
}

async function readPlain(
  session: Session,
  resource: Resource,
  { name, field }: FieldFlag,
  text: string,
  zone: Zone | undefined,
): Promise<Answer> {
  if (text === '') return { refused: `${name} is required` };
  const answer = readWritten(field, text, zone);
  if ('refused' in answer) return { refused: `${name} ${answer.refused}` };
  const others =
    field.unique && session.local ? await session.find.byName(resource.name, name, text, { deleted: 2 }) : undefined;
  return others?.length ? { refused: `${name} "${text}" is taken` } : answer;
}

async function readReference(
  session: Session,
  { name, field }: FieldFlag,
  text: string,
  targets: readonly string[],
): Promise<Answer> {
  if (text === '') return { refused: `${name} is required` };
  try {
    const id = await resolve(session, text, { targets, deleted: 0 });
    return { value: field.kind === 'integer' ? Number(id) : id };
  } catch (error) {
    if (error instanceof ServiceError)
      return { refused: [error.message, ...error.candidates].map(sanitise).join('\n  ') };
    throw error;
  }
}

type Body = Record<string, unknown>;

/** Adds what pm knows, and asks for the rest. Throws `usage` with the missing flags if it cannot ask. */
export async function completeNew(context: Context, session: Session, resource: Resource, body: Body): Promise<Body> {
  const whole = { ...defaultsFor(resource, session.me.site, body), ...body };
  const missing = missingIn(resource, whole);
  if (missing.length === 0) return whole;
  if (!context.settings.asks) throw missingFlags(resource, missing);
  const zone = await context.zone();
  for (const group of missing) await askFor(session, resource, group, whole, zone);
  return { ...defaultsFor(resource, session.me.site, whole), ...whole };
}

/** The flags of each member that a new record needs; one flag of each group is enough. */
export const demandedFlags = (resource: Resource): readonly (readonly FieldFlag[])[] =>
  missingIn(resource, defaultsFor(resource, 'any', {}));

/** The flags of each required member that the body lacks. */
function missingIn(resource: Resource, body: Body): readonly (readonly FieldFlag[])[] {
  const flags = fieldFlags(resource);
  return Object.entries(resource.fields)
    .filter(([name, field]) => isDemanded(field) && body[name] === undefined)
    .map(([name]) => flags.filter((flag) => flag.name === name))
    .filter((group) => group.length > 0);
}

function missingFlags(resource: Resource, missing: readonly (readonly FieldFlag[])[]): ServiceError {
  const lines = missing.map((group) => group.map(flagText).join(' or '));
  return new ServiceError('usage', `${resource.command} create needs ${lines.join(', ')}`, {
    hint: `pm ${resource.command} create --help describes the flags.`,
  });
}
