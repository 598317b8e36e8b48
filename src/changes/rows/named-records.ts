// Finds the records that cells name, first among the rows of the same file.
import { type Advice, adviceIn, ServiceError, withCandidates } from '../../contract/errors.ts';
import { isGuid, sameID } from '../../contract/kinds.ts';
import type { Resource } from '../../contract/resource.ts';
import { folded } from '../../text/folded.ts';
import { formsOfName, guessedBy, MARKS_OF_PEOPLE, oneLine } from '../../text/names.ts';
import { oncePer } from '../../text/once-per.ts';
import { nearest } from '../../text/spelling.ts';
import { textKey } from '../../text/text-key.ts';
import { cellValue, shownValue } from '../files/bad-file.ts';
import type { FileFault } from '../files/input.ts';
import { isLasting, isStorageError } from '../run/options.ts';
import { AT_THE_TOP, ITSELF, isTopWord, MANAGER, nullHint } from './cells.ts';
import { typed } from './column-synonyms.ts';
import type { Binding } from './columns.ts';
import { idByKey, keyTexts, ONE_KEY, severalWith } from './keyed-records.ts';
import { contentOf, type Records, type RowDraft } from './row-draft.ts';

export type FileNames = Map<string, RowDraft | Ambiguous>;

/** Rows of one name: the first two. */
interface Ambiguous {
  readonly several: readonly [RowDraft, RowDraft];
}

/** The rows cannot name each other. */
export const NO_NAMES: FileNames = new Map();

export function fileNames(resource: Resource, rows: readonly RowDraft[]): FileNames {
  const names: FileNames = new Map();
  for (const row of rows) {
    for (const name of keysOfRow(resource, row)) {
      const key = `${resource.name} ${name}`;
      names.set(key, oneOf(names.get(key), row));
    }
  }
  return names;
}

/** Names that differ in blanks only are one. */
export const nameKey = (name: string): string => textKey(oneLine(name));

/** The names of a row as they are compared, and the texts of its columns of keys. */
export const keysOfRow = (resource: Resource, row: RowDraft): readonly string[] => [
  ...namesOfRow(resource, row).map(nameKey),
  ...row.keys.flatMap(([column, text]) => keyTexts(column, text)),
];

/** Two rows with the same values are one record. */
function oneOf(before: RowDraft | Ambiguous | undefined, row: RowDraft): RowDraft | Ambiguous {
  if (before === undefined || before === row) return row;
  return 'several' in before || contentOf(before) === contentOf(row) ? before : { several: [before, row] };
}

/** The texts by which other rows may name a row. */
function namesOfRow(resource: Resource, row: RowDraft): readonly string[] {
  const { values } = row;
  const own = ['ID', ...resource.names].flatMap((member) =>
    typeof values[member] === 'string' ? [values[member]] : [],
  );
  if (resource.name === 'organization') return [...own, ...pathsOf(row)];
  if (resource.name === 'period') return [...own, [values.StartDate, values.EndDate].map(dayOf).join(' to ')];
  const { FirstName, LastName } = values;
  if (!resource.names.includes('FullName') || typeof FirstName !== 'string' || typeof LastName !== 'string') return own;
  const full = `${FirstName} ${LastName}`;
  return [...own, full, ...MARKS_OF_PEOPLE.flatMap((name) => (values[name] ? `${full} (${values[name]})` : []))];
}

const dayOf = (date: unknown): string => String(date).slice(0, 'yyyy-mm-dd'.length);

/** `Sales/EMEA`, where the cell of its parent says `Sales`; a slash in a name is written `\/`. */
function pathsOf({ values, references }: RowDraft): readonly string[] {
  if (typeof values.Name !== 'string') return [];
  const last = values.Name.replaceAll('/', '\\/');
  const parents = references.find(({ binding }) => binding.member === 'ParentID')?.texts ?? [];
  return [last, ...parents.map((path) => `${path}/${last}`)];
}

/** The other rows of the file that a row names in these members. */
export function rowsNamed(row: RowDraft, names: FileNames, members: readonly string[]): readonly RowDraft[] {
  const references = names.size === 0 ? [] : row.references.filter(({ binding }) => members.includes(binding.member));
  return references.flatMap(({ binding, texts }) =>
    texts.flatMap((text) => {
      const there = rowCalled(row, binding, text, names);
      return there === undefined || 'several' in there ? [] : [there];
    }),
  );
}

const PREFIX = /^(?:id|name|email|path):/;

/** A row never names itself by the name of a person, which `itself` says, and no record owns itself. */
function rowCalled(row: RowDraft, { targets, field, by }: Binding, text: string, names: FileNames) {
  if (by) {
    const rows = keyTexts(by.column, text).flatMap((key) =>
      targets.flatMap((target) => names.get(`${target} ${key}`) ?? []),
    );
    return rows.find((there) => !(there === row && field.owner));
  }
  const name = text.replace(PREFIX, '');
  const isSelf = (form: string): boolean => !field.owner && isKeyOf(row, form, ['ID', 'UserName', 'Email']);
  for (const target of targets)
    for (const form of formsFor(target, name)) {
      const there = names.get(`${target} ${nameKey(form)}`);
      if (there !== undefined && (there !== row || isSelf(form))) return there;
    }
  return undefined;
}

/** The ways to write a name that is looked up. */
export const formsFor = (target: string, name: string): readonly string[] =>
  target === 'individual' || target === 'principal' ? formsOfName(name) : [name];

/** Can no other record be called so? */
const isKeyOf = ({ values }: RowDraft, text: string, members: readonly string[] = ['ID', 'UserName']): boolean =>
  members.some((name) => typeof values[name] === 'string' && nameKey(values[name]) === nameKey(text));

/**
 * Replaces names by IDs, of all members or of `only` these. An unknown name is a fault of the row. The name of a row
 * without an ID yet is left. Undefined if nothing has to be waited for: most rows name the same records as rows before them.
 */
export function resolveReferences(
  row: RowDraft,
  names: FileNames,
  records: Records,
  only?: readonly string[],
): Promise<void> | undefined {
  for (const { binding, texts } of row.references) {
    if (!isOpen(row, binding, only)) continue;
    const ids = texts.map((text) => resolvedBefore(binding, text, names, records));
    if (!ids.every((id) => id !== undefined)) return lookUpReferences(row, names, records, only);
    setReference(row, binding, ids, records);
  }
  return undefined;
}

async function lookUpReferences(
  row: RowDraft,
  names: FileNames,
  records: Records,
  only?: readonly string[],
): Promise<void> {
  for (const { binding, texts } of row.references) {
    if (!isOpen(row, binding, only)) continue;
    const ids: string[] = [];
    for (const text of texts) {
      const id = resolvedBefore(binding, text, names, records) ?? (await idOf(row, binding, text, names, records));
      if (id !== undefined) ids.push(id);
    }
    if (ids.length === texts.length) setReference(row, binding, ids, records);
  }
}

/** Not where another column has named the owner already. */
const isOpen = ({ values }: RowDraft, { member }: Binding, only: readonly string[] | undefined): boolean =>
  values[member] == null && (!only || only.includes(member));

function setReference(row: RowDraft, binding: Binding, ids: readonly string[], records: Records): void {
  const { member, field } = binding;
  if (isAwaited(binding, ids[0] ?? '', records)) row.awaits.push(member);
  row.values[member] = field.kind === 'integer' && !isGuid(ids[0] ?? '') ? Number(ids[0]) : ids.join(' ');
  for (const id of ids) records.onNamed?.(row.line, binding, id);
}

/** The same few names occur in thousands of rows. Some rows of the file, or the row itself, may be called so, too. */
export const resolvedBefore = (
  { member, targets, by }: Binding,
  text: string,
  names: FileNames,
  records: Records,
): string | undefined => (names.size > 0 || by || member === MANAGER ? undefined : records.resolved?.(targets, text));

/** Is it the planned ID of a new record, where the service will expect a number or a UserID? */
const isAwaited = ({ field }: Binding, id: string, { projection }: Records): boolean =>
  field.kind === 'integer'
    ? isGuid(id)
    : field.to?.includes('principal') === true && !!projection?.isNew('individual', id);

/** Longer than any name or path. */
const LONGEST = 2_000;

async function idOf(
  row: RowDraft,
  binding: Binding,
  text: string,
  names: FileNames,
  records: Records,
): Promise<string | undefined> {
  if (text.length > LONGEST) return refused(row, binding, text, 'is longer than any name');
  if (binding.field.to?.includes('site') && sameID(text, records.me.site)) return records.me.site;
  if (binding.member === MANAGER && text.toLowerCase() === ITSELF) return row.id;
  const there = names.size === 0 ? undefined : rowCalled(row, binding, text, names);
  const { by } = binding;
  if (there && 'several' in there) {
    const message = by ? severalWith(by, there.several) : 'names several rows of this file';
    return refused(row, binding, text, message, { hint: by ? ONE_KEY : otherNames(there, binding, text) });
  }
  // Rows of a file without its key are not matched, and have no IDs: each may be the record of the site.
  const ofSite = there?.id !== undefined && !by && (await otherOfSite(there, binding, text, records));
  if (there && typeof ofSite === 'string') {
    const message = `names row ${there.line} of this file, and also a record of the site: ${ofSite}`;
    return refused(row, binding, text, message, {
      hint: `For row ${there.line}: ${otherNames({ several: [there, there] }, binding, text)} For the other one, its ID.`,
    });
  }
  if (there && (!by || there.id === undefined)) return there.id;
  try {
    if (by) return await idByKey(binding, by, text, { ...records, there: there?.id });
    return await records.resolve(binding.targets, text);
  } catch (error) {
    // These errors concern every row.
    if (!(error instanceof ServiceError) || isLasting(error) || isStorageError(error)) throw error;
    if (isTopWord(binding.member, text)) return refused(row, binding, text, 'does not name a person', AT_THE_TOP);
    const advice = adviceIn(error);
    const near = error.code === 'not_found' && !by ? nearRow(names, binding, text, row) : '';
    const isNear = near !== '' || error.candidates.length > 0;
    const way = error.code === 'deleted' ? '' : wayOut(binding, text, isNear, records);
    const unknown = error.code === 'ambiguous' ? undefined : records.unknown;
    const hint = [near || (unknown ?? advice.hint ?? ''), way].join(' ').trim();
    const message = `cannot be used: ${withCandidates(error)}`;
    return refused(row, binding, text, message, { ...advice, ...(hint && { hint }) });
  }
}

/** So many names of rows are compared, each with so many that are unknown. */
const [MOST_NAMES, MOST_ASKED] = [10_000, 50];
const asked = oncePer((_names: FileNames) => ({ left: MOST_ASKED }));

/** The other row whose name is nearest, in a sentence. */
function nearRow(names: FileNames, { targets }: Binding, text: string, row: RowDraft): string {
  if (names.size === 0 || asked(names).left-- <= 0) return '';
  const keys = [...names.keys()].slice(0, MOST_NAMES).filter((key) => targets.some((one) => key.startsWith(`${one} `)));
  const known = keys.map((key) => key.slice(key.indexOf(' ') + 1));
  const forms = guessedBy(text);
  const near = nearest(text, known) ?? known.find((name) => forms.includes(folded(name)));
  const there = targets.map((target) => names.get(`${target} ${near}`)).find(Boolean);
  if (!there || there === row || 'several' in there) return '';
  const { Name, FirstName, LastName, UserName } = there.values;
  const person = FirstName && LastName ? `${FirstName} ${LastName}` : UserName;
  const login = person !== UserName && UserName ? ` (${UserName})` : '';
  return `Did you mean ${Name ?? `${person}${login}`}, line ${there.line}?`;
}

/** What a file may mean by a name that no record has. */
function wayOut(
  { member, targets, column, by }: Binding,
  text: string,
  isNear: boolean,
  { projection }: Records,
): string {
  const one = nullHint(text).trim() || (SEVERAL.test(text) ? TAKES_ONE : '');
  if (one !== '' || isGuid(text)) return one || 'Another site has other IDs. Write the name in place of the ID.';
  const top = NO_NAME.test(text) ? `: --top '${shownValue(text)}'` : `, write ${ITSELF}.`;
  const key =
    NUMBERED.test(text) && !by ? `If ${text} stands in another column: --ref '${typed(column)}=<column>'. ` : '';
  if (member === MANAGER) return isNear ? '' : `${key}For somebody at the top${top}`;
  // Several files are read without --make: one of them holds the departments.
  const isMade = member !== 'ParentID' && targets.join() === 'organization' && !projection;
  return isMade ? 'To make it: --make departments' : '';
}

/** No person is called so. Any other word may be a person who is not there yet, and whose reports --top would put at the top. */
const NO_NAME = /^[^\p{L}1-9]*$|\b(?:of|the)\b/iu;
/** The number of a person, which a file of a payroll has in a column of its own. */
const NUMBERED = /^\p{L}{0,3}[-_#]?0*[1-9]\d*$/u;

/** Two names, the first of them a login where a comma parts them: a name may be written with a comma. */
const SEVERAL = /[;|]|[.@][^\s.@,]*,/;
const TAKES_ONE = 'The field takes one of them; further departments of a person are rows of department-members.';

/** Other records of the site that have the name of a row, as a text. */
async function otherOfSite(
  there: RowDraft,
  { targets }: Binding,
  text: string,
  records: Records,
): Promise<string | undefined> {
  if (isKeyOf(there, text.replace(PREFIX, ''))) return undefined;
  try {
    const id = await records.resolve(targets, text, true);
    return sameID(id, there.id) ? undefined : id;
  } catch (error) {
    if (!(error instanceof ServiceError) || isLasting(error) || isStorageError(error)) throw error;
    return error.code === 'ambiguous' ? withCandidates(error) : undefined;
  }
}

/** How to tell rows of one name from each other: departments by their paths, individuals by what the file has of them. */
function otherNames({ several }: Ambiguous, { targets }: Binding, text: string): string {
  const isPath = targets.includes('organization');
  const [member, person] = several[0].values.UserName == null ? ['Email', 'e-mail'] : ['UserName', 'user name'];
  const names = several.map(({ values }) => values[member]).filter((name) => typeof name === 'string');
  const paths = several.flatMap(pathsOf).filter((path) => nameKey(path).endsWith(`/${nameKey(text)}`));
  const [first, second] = new Set(isPath ? paths : names);
  if (first === undefined) return 'Give the ID.';
  const other = second === undefined ? '' : ` or ${second}`;
  return `Give the ${isPath ? 'path' : person}, such as ${first}${other}, or the ID.`;
}

/** One fault for each column. */
function refused(
  row: RowDraft,
  { column }: Binding,
  text: string,
  message: string,
  advice: Pick<FileFault, 'cause'> & Advice = {},
): undefined {
  if (row.faults.some((fault) => fault.column === column)) return undefined;
  row.faults.push({ line: row.line, column, value: cellValue(text), message, ...advice });
  return undefined;
}
