// Asks on a terminal for the members that a new record lacks.
import type { Session } from '../../contract/call.ts';
import { type ErrorCode, isUnanswered, orNone, ServiceError } from '../../contract/errors.ts';
import { isDate, mayBelongToSite } from '../../contract/field.ts';
import { resources } from '../../contract/index.ts';
import { looksLikeGuid, sameID } from '../../contract/kinds.ts';
import { readWritten } from '../../contract/params.ts';
import { listAddresses, listsAll } from '../../contract/record-address.ts';
import { nameOf, type Resource, type Row, singular, type Value } from '../../contract/resource.ts';
import type { Zone } from '../../contract/zone.ts';
import { collect } from '../../text/batches.ts';
import { fitOf, folded } from '../../text/folded.ts';
import { compareKeys, textKey } from '../../text/text-key.ts';
import { type FieldFlag, targetResource } from '../names.ts';
import { ownerName, type RecordNames, recordNames } from '../search/record-names.ts';
import { inputAt, plansOf } from '../selectors/addresses.ts';
import { withDeleted } from '../selectors/records.ts';
import { inWords, knownRecord, notFound, resolve } from '../selectors/selectors.ts';
import { askChoice, askSearch, askText, type Choice } from './prompt.ts';

/** An answer, and the flag that would have given it; undefined for a value that stands there without one. */
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

/** Choices to offer: named numbers, or the records of a short list. */
async function choicesOf(
  { session, resource }: Asking,
  { name, field }: FieldFlag,
  [target]: readonly string[],
): Promise<readonly Choice<Value>[]> {
  if (field.choices)
    return Object.entries(field.choices).map(([number, word]) => ({ name: word, value: Number(number) }));
  if (target === undefined) return listChoices(session, resource, pluralOf(name));
  const named = resources.find((one) => one.name === target);
  return named?.id === 'integer' ? listChoices(session, named, 'list') : [];
}

/** `RoleID` is one of the `roles`. */
const pluralOf = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1).replace(/ID$/, 's')}`;

/** The records of a list; empty if the list does not exist or may not be read. */
async function listChoices(session: Session, resource: Resource, name: string): Promise<readonly Choice<Value>[]> {
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

/** Asks which of the deleted records with these owners is meant. Throws `not_found` where there is none. */
export async function askDeleted(
  session: Session,
  resource: Resource,
  within: Readonly<Record<string, string>>,
): Promise<string> {
  const isWithin = (row: Row): boolean => Object.entries(within).every(([name, id]) => sameID(row[name] ?? null, id));
  const all = (await collect(withDeleted(session, resource, 1))).filter((row) => row.Deleted === true && isWithin(row));
  if (all.length === 0) throw new ServiceError('not_found', `there is no deleted ${singular(resource)} to bring back`);
  const offered = all.map((row) => ({ name: `${labelOf(resource, row)}  ${row.ID}`, value: String(row.ID) }));
  return askSearch(`Which ${singular(resource)}`, async (text) =>
    offered.filter(({ name }) => folded(name).includes(folded(text.trim()))),
  );
}

/** Records that belong to the site itself where no other owner is chosen. */
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
  if (name === 'Email' && !EMAIL.test(text)) return { refused: `${name} "${text}" is not an e-mail address` };
  const answer = readWritten(field, text, zone);
  if ('refused' in answer) return { refused: `${name} ${answer.refused}` };
  const others =
    field.unique && session.local ? await session.find.byName(resource.name, name, text, { deleted: 2 }) : undefined;
  return others?.length ? { refused: `${name} "${text}" is taken` } : answer;
}

/** A record, and the flag that would name it. */
interface Candidate {
  readonly flag: FieldFlag;
  readonly value: Value;
  /** The name of the record, and a detail that differs between namesakes. */
  readonly label: string;
}

interface Listed {
  readonly flag: FieldFlag;
  readonly resource: Resource;
  readonly row: Row;
  /** Its names, folded. */
  readonly texts: readonly string[];
}

/** So many are offered at once; more letters find the others. */
const MOST = 30;
/** A selector that means a record otherwise than by a piece of its name. */
const EXPLICIT = /^(?:id|email|name|path):|^me$|\//;

/**
 * Answers the search for what the flags of one member can name. Texts are compared without case and accents; a selector such
 * as `me`, an ID or a path finds its record, too. It throws `not_found` with similar names, and `ambiguous`.
 */
export function candidatesFor(
  session: Session,
  flags: readonly FieldFlag[],
): (text: string) => Promise<readonly Candidate[]> {
  const names = recordNames(session);
  let reading: Promise<readonly Listed[]> | undefined;
  return async (text) => {
    if (EXPLICIT.test(text) || looksLikeGuid(text)) return [await meant(session, flags, names, text)];
    reading ??= allListed(session, flags);
    const fitting = best(await reading, folded(text).trim());
    if (fitting.length > 0 || text === '') return Promise.all(fitting.map((one) => candidate(names, one)));
    return [await meant(session, flags, names, text)];
  };
}

/** By name. Records that the caller may not list, or a service does not list as a whole, are found by a selector alone. */
async function allListed(session: Session, flags: readonly FieldFlag[]): Promise<readonly Listed[]> {
  const all: Listed[] = [];
  for (const flag of flags) {
    for (const target of flag.targets) {
      const resource = targetResource(target);
      if (!session.local && !listAddresses(resource, 0).some(listsAll)) continue;
      try {
        for await (const row of session.find.all(resource.name, 0)) all.push(listed(flag, resource, row));
      } catch (error) {
        if (!isUnanswered(error)) throw error;
      }
    }
  }
  const keys = new Map(all.map((one) => [one, textKey(nameOf(one.resource, one.row) ?? '')]));
  return all.sort((a, b) => compareKeys(keys.get(a) ?? '', keys.get(b) ?? ''));
}

const listed = (flag: FieldFlag, resource: Resource, row: Row): Listed => ({
  flag,
  resource,
  row,
  texts: resource.names.flatMap((name) => (typeof row[name] === 'string' ? [folded(row[name])] : [])),
});

/** The best first; of one grade by name. */
function best(all: readonly Listed[], wanted: string): readonly Listed[] {
  if (wanted === '') return all.slice(0, MOST);
  const fitting = all.flatMap((one) => {
    const grades = one.texts.flatMap((text) => fitOf(text, wanted)?.grade ?? []);
    return grades.length > 0 ? [{ one, grade: Math.min(...grades) }] : [];
  });
  return fitting
    .sort((a, b) => a.grade - b.grade)
    .slice(0, MOST)
    .map(({ one }) => one);
}

async function candidate(names: RecordNames, { flag, resource, row }: Listed): Promise<Candidate> {
  const name = nameOf(resource, row) ?? String(row.ID);
  const [key] = resource.key.length === 1 ? resource.key : [];
  const also = key === undefined || row[key] === name ? '' : ` (${String(row[key])})`;
  const owner = await ownerName(names, resource, row);
  const value = (flag.targets.includes('principal') && resource.name === 'individual' ? row.UserID : row.ID) ?? null;
  return { flag, value, label: `${name}${also}${owner === null ? '' : ` – ${owner}`}` };
}

/** The record that a selector means, for the first flag that can name it. */
async function meant(
  session: Session,
  flags: readonly FieldFlag[],
  names: RecordNames,
  text: string,
): Promise<Candidate> {
  // Where there are other kinds to look among, an unknown name is no error yet.
  const unknown: readonly ErrorCode[] = flags.length > 1 ? ['not_found'] : [];
  for (const flag of flags) {
    const { targets } = flag;
    const id = await orNone(resolve(session, text, { targets, deleted: 0 }), unknown);
    if (id === undefined) continue;
    const resource = targetResource(targets[0] ?? '');
    const row = await knownRecord(session, resource.name, id);
    return { ...(row ? await candidate(names, listed(flag, resource, row)) : { flag, label: text }), value: id };
  }
  throw await notFound(session, text, { targets: flags.flatMap(({ targets }) => targets), deleted: 0 });
}
