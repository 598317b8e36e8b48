// The records that a reference can name, found by what is typed.
import type { Session } from '../../contract/call.ts';
import { isUnanswered, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { looksLikeGuid } from '../../contract/kinds.ts';
import { listAddresses, listsAll } from '../../contract/record-address.ts';
import { nameOf, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { fitOf, folded } from '../../text/folded.ts';
import { compareKeys, textKey } from '../../text/text-key.ts';
import type { FieldFlag } from '../names.ts';
import { ownerName, type RecordNames, recordNames } from '../search/record-names.ts';
import { knownRecord, notFound, resolve } from '../selectors/selectors.ts';

/** A record, and the flag that would name it. */
export interface Candidate {
  readonly flag: FieldFlag;
  readonly value: Value;
  /** What people call it, and what tells it from others of that name. */
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
/** What means a record otherwise than by a piece of its name. */
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

/** By name. What the caller may not list, or a service does not list as a whole, is found by a selector alone. */
async function allListed(session: Session, flags: readonly FieldFlag[]): Promise<readonly Listed[]> {
  const all: Listed[] = [];
  for (const flag of flags) {
    for (const target of flag.targets) {
      const resource = resourceNamed(target === 'principal' ? 'individual' : target);
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
  ...{ flag, resource, row },
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
  for (const flag of flags) {
    const { targets } = flag;
    const id = await resolve(session, text, { targets, deleted: 0 }).catch(orElse(flags.length > 1));
    if (id === undefined) continue;
    const resource = resourceNamed(targets[0] === 'principal' ? 'individual' : (targets[0] ?? ''));
    const row = await knownRecord(session, resource.name, id);
    return { ...(row ? await candidate(names, listed(flag, resource, row)) : { flag, label: text }), value: id };
  }
  throw await notFound(session, text, { targets: flags.flatMap(({ targets }) => targets), deleted: 0 });
}

/** Where there are other kinds to look among, an unknown name is no error yet. */
const orElse =
  (hasOthers: boolean) =>
  (error: unknown): undefined => {
    if (!hasOthers || !(error instanceof ServiceError) || error.code !== 'not_found') throw error;
  };
