// Asks on a terminal for the members that a new record lacks.
import type { Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isDate, mayBelongToSite } from '../../contract/field.ts';
import { resources } from '../../contract/index.ts';
import { readWritten } from '../../contract/params.ts';
import type { Resource, Row, Value } from '../../contract/resource.ts';
import type { Zone } from '../../contract/zone.ts';
import { collect } from '../../text/batches.ts';
import type { FieldFlag } from '../names.ts';
import { inputAt, plansOf } from '../selectors/addresses.ts';
import { inWords } from '../selectors/selectors.ts';
import { candidatesFor } from './candidates.ts';
import { askChoice, askSearch, askText } from './prompt.ts';

/** An answer, and the flag that would have given it. Without a flag it is what stands there without one. */
export interface Answer {
  readonly flag: FieldFlag | undefined;
  readonly value: Value;
}

interface Asking {
  readonly session: Session;
  readonly resource: Resource;
  readonly zone: Zone | undefined;
}

/** Asks for the member that these flags set. */
export async function askFor(asking: Asking, flags: readonly [FieldFlag, ...FieldFlag[]]): Promise<Answer> {
  const [flag] = flags;
  const targets = flags.flatMap((one) => one.targets);
  const choices = await choicesOf(asking, flag, targets);
  if (choices.length > 0) return { flag, value: await askChoice(question(flag, []), choices) };
  if (targets.length > 0) return askReference(asking, flags, question(flag, targets));
  return { flag, value: await askUntilValid(question(flag, []), (text) => readPlain(asking, flag, text.trim())) };
}

function question({ name, field }: FieldFlag, targets: readonly string[]): string {
  const doc = field.doc ? ` (${field.doc.replace(/\.$/, '')})` : '';
  if (targets.length > 0) return `${name}${doc} – ${inWords(targets)}, by name or ID`;
  return `${name}${doc}${isDate(field) ? ', as 2026-03-31' : ''}`;
}

interface Choice {
  readonly name: string;
  readonly value: Value;
}

/** Choices to offer: named numbers, or the records of a short list. */
async function choicesOf(
  { session, resource }: Asking,
  { name, field }: FieldFlag,
  [target]: readonly string[],
): Promise<readonly Choice[]> {
  if (field.choices)
    return Object.entries(field.choices).map(([number, word]) => ({ name: word, value: Number(number) }));
  if (target === undefined) return listChoices(session, resource, pluralOf(name));
  const named = resources.find((one) => one.name === target);
  return named?.id === 'integer' ? listChoices(session, named, 'list') : [];
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

/** What belongs to the site itself where nothing else is chosen. */
const NO_OWNER: Readonly<Record<string, string>> = { organization: 'none: a new organization' };

function askReference({ session, resource }: Asking, flags: readonly FieldFlag[], message: string): Promise<Answer> {
  const search = candidatesFor(session, flags);
  const none = {
    name: NO_OWNER[resource.name] ?? 'none: the whole site',
    value: { flag: undefined, value: session.me.site },
  };
  const mayBeNone = flags.some(({ field }) => mayBelongToSite(field));
  return askSearch<Answer>(message, async (text) => {
    const found = await search(text.trim());
    const offered = found.map(({ label, ...answer }) => ({ name: label, value: answer }));
    return mayBeNone && text.trim() === '' ? [none, ...offered] : offered;
  });
}

type Read = { readonly value: Value } | { readonly refused: string };

/** Asks until the answer is valid. */
async function askUntilValid(message: string, read: (text: string) => Promise<Read>): Promise<Value> {
  let value: Value = null;
  await askText(message, async (text) => {
    const answer = await read(text);
    if ('refused' in answer) return answer.refused;
    value = answer.value;
    return true;
  });
  return value;
}

/** Something on both sides of one @. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

async function readPlain({ session, resource, zone }: Asking, { name, field }: FieldFlag, text: string): Promise<Read> {
  if (text === '') return { refused: `${name} is required` };
  if (name === 'Email' && !EMAIL.test(text)) return { refused: `${name} "${text}" is no e-mail address` };
  const answer = readWritten(field, text, zone);
  if ('refused' in answer) return { refused: `${name} ${answer.refused}` };
  const others =
    field.unique && session.local ? await session.find.byName(resource.name, name, text, { deleted: 2 }) : undefined;
  return others?.length ? { refused: `${name} "${text}" is taken` } : answer;
}
