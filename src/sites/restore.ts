// The changes that restore an exported site in a new one: each record comes with its ID, its author and its times (D37).
import { type FaultList, faultList } from '../changes/files/bad-file.ts';
import type { InputFile } from '../changes/files/input.ts';
import type { Change } from '../changes/plan/change.ts';
import { namesOfRow } from '../changes/rows/named-records.ts';
import { type IntakeCounts, newCounts, rowReader } from '../changes/rows/reader.ts';
import { memberFault, type RowDraft } from '../changes/rows/row-draft.ts';
import type { Session } from '../contract/call.ts';
import { ServiceError } from '../contract/errors.ts';
import { resourceNamed } from '../contract/index.ts';
import { idKey, isGuid } from '../contract/kinds.ts';
import type { Resource, Row, Value } from '../contract/resource.ts';
import { checkImage, imageAt, imageFields, isOfSite, keptMembers } from '../files/image.ts';
import { textKey } from '../text/text-key.ts';

interface ExportedFile {
  readonly resource: Resource;
  readonly name: string;
  open(): Promise<InputFile>;
}

interface Restoring {
  readonly session: Session;
  /** Each comes after those that its records name. */
  readonly files: readonly ExportedFile[];
  /** The images of the records of the new site, by resource. */
  readonly instead: ReadonlyMap<string, readonly Row[]>;
  /** Called with the name and the counts of a file after its last row. */
  onFile(name: string, counts: IntakeCounts): void;
}

/** The changes, in an order in which no record names a later one as its owner. Throws `BadFile`; nothing was changed then. */
export async function* restoringChanges(restoring: Restoring): AsyncGenerator<Change> {
  const { session, files, instead, onFile } = restoring;
  const names = await namesOfFiles(session, files);
  const gives = givingWay(instead, names);
  for (const name of FIRST) for (const image of gives(name)) yield exchange(name, undefined, image);
  for (const [source, file] of files.entries()) {
    const counts = newCounts();
    const faults = faultList(file.name);
    const drafts = draftsOf(session, file, counts, faults);
    const above = file.resource.name === 'individual' ? 'PrimaryReportsTo' : 'ParentID';
    for await (const draft of above in file.resource.fields ? upperFirst(drafts, above) : drafts) {
      const image = imageIn(draft, file.resource, names, session.me.site, faults);
      counts.trimmed += draft.written.size;
      if (!image) continue;
      const before = isOfSite(file.resource) ? instead.get(file.resource.name)?.[0] : undefined;
      const isThere = before !== undefined && isSame(image, before);
      counts[isThere ? 'unchanged' : before ? 'updates' : 'creates']++;
      const given = before ?? replacedBy({ instead, names }, file.resource, image);
      if (!isThere) yield { ...exchange(file.resource.name, image, given), source, line: draft.line };
    }
    // The administrator of the new site belongs to its department as long as it is there.
    if (file.resource.name === 'individual')
      for (const image of gives('organization')) yield exchange('organization', undefined, image);
    faults.throwIfAny();
    onFile(file.name, counts);
  }
}

/** Records of a new site that nothing names, or only those before them. */
const FIRST = ['organizationMember', 'securityGroup', 'color', 'phase', 'status', 'period'];

/**
 * Answers the records of a kind that go. Where no individual takes the place of the administrator, that one stays with the
 * organization it belongs to.
 */
function givingWay(instead: ReadonlyMap<string, readonly Row[]>, names: Names): (name: string) => readonly Row[] {
  const [administrator] = instead.get('individual') ?? [];
  const isReplaced =
    isIn(names, 'individual', administrator) || names.id('principal', String(administrator?.UserName)) !== undefined;
  const staying = isReplaced ? [] : ['organization', 'organizationMember'];
  return (name) => {
    const images = staying.includes(name) ? [] : (instead.get(name) ?? []);
    return name === 'organization' ? images.filter((image) => !isIn(names, name, image)) : images;
  };
}

const isIn = (names: Names, name: string, image: Row | undefined): boolean =>
  names.resolve([name], String(image?.ID)) !== undefined;

function exchange(name: string, record: Row | undefined, instead: Row | undefined): Change {
  const body = { Type: name, Record: textOf(record), Instead: textOf(instead) };
  return { resource: 'site', operation: 'restore', body };
}

const textOf = (image: Row | undefined): string | null => (image ? JSON.stringify(image) : null);

/**
 * A record takes the place of this one of the new site in one step: the one with its ID, or the administrator of the same
 * user name, since a site is never without one.
 */
function replacedBy(
  { instead, names }: { readonly instead: ReadonlyMap<string, readonly Row[]>; readonly names: Names },
  resource: Resource,
  { ID, UserName }: Row,
): Row | undefined {
  if (FIRST.includes(resource.name)) return undefined;
  const images = instead.get(resource.name) ?? [];
  const same = images.find((one) => one.ID === ID);
  if (same || resource.name !== 'individual') return same;
  const [administrator] = images.filter((image) => !isIn(names, resource.name, image));
  return textKey(String(UserName)) === textKey(String(administrator?.UserName)) ? administrator : undefined;
}

const isSame = (one: Row, other: Row): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (name) => (one[name] ?? null) === (other[name] ?? null),
  );

/** The rows of a file; its columns fill the members of images. */
async function* draftsOf(
  session: Session,
  file: ExportedFile,
  counts: IntakeCounts,
  faults: FaultList,
): AsyncGenerator<RowDraft> {
  const input = await file.open();
  try {
    const options = {
      ...{
        resource: { ...file.resource, fields: imageFields(file.resource) },
        file: file.name,
        key: [],
        map: new Map(),
      },
      ...({ mode: 'create', blank: 'leave', onDeleted: 'error', dates: undefined, zone: undefined } as const),
      takesDeleted: true as const,
      newID: () => '',
    };
    const records = { me: session.me, find: session.find, resolve: async () => '' };
    const reader = rowReader({ input, options, counts, faults, records, sha256: '' });
    for await (const rows of reader.batches(TOGETHER)) for (const row of rows) yield row;
  } finally {
    await input.close();
  }
}

/** Rows that are read together. */
const TOGETHER = 1_000;

/** Rows that name each other in a member, each after the one that it names. */
async function* upperFirst(drafts: AsyncIterable<RowDraft>, member: string): AsyncGenerator<RowDraft> {
  const byID = new Map<Value | undefined, RowDraft>();
  for await (const draft of drafts) byID.set(draft.values.ID, draft);
  const done = new Set<RowDraft>();
  for (const start of byID.values()) {
    const path: RowDraft[] = [];
    for (let at: RowDraft | undefined = start; at && !done.has(at); at = byID.get(namedIn(at, member))) {
      done.add(at);
      path.push(at);
    }
    yield* path.reverse();
  }
}

const namedIn = ({ references }: RowDraft, member: string): string | undefined =>
  references.find(({ binding }) => binding.member === member)?.texts[0];

/** The image of a row; undefined where it has faults, which are added. */
function imageIn(draft: RowDraft, resource: Resource, names: Names, site: string, faults: FaultList): Row | undefined {
  const image: Record<string, Value> = { ...draft.values };
  const kept = keptMembers(resource);
  for (const { binding, texts } of draft.references) {
    const { member, field } = binding;
    const ids = texts.map((text) => (kept.includes(member) ? text : names.resolve(binding.targets, text)));
    const unknown = texts.find((_, at) => ids[at] === undefined);
    if (unknown !== undefined)
      draft.faults.push(memberFault(draft, member, `names ${unknown}, which no file has`, ALL));
    else image[member] = field.kind === 'integer' ? Number(ids[0]) : ids.join(' ');
  }
  if (kept.includes('ID') && image.ID === undefined) draft.faults.push(memberFault(draft, 'ID', 'is missing', ALL));
  if (draft.faults.length === 0) addFaults(draft, () => checkImage(resource, imageAt(site, resource, image), site, ''));
  for (const fault of draft.faults) faults.add(fault);
  return draft.faults.length === 0 ? imageAt(site, resource, image) : undefined;
}

const ALL = 'Export the whole site, deleted records too.';

function addFaults(draft: RowDraft, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    for (const { field, message, hint } of error.faults) draft.faults.push(memberFault(draft, field, message, hint));
  }
}

interface Names {
  /** The ID of a record of a kind by its name; of a principal the UserID. */
  id(target: string, name: string): string | undefined;
  /** The ID that a cell names; undefined where no file has the record. */
  resolve(targets: readonly string[], text: string): string | undefined;
}

/** Reads all files once. */
async function namesOfFiles(session: Session, files: readonly ExportedFile[]): Promise<Names> {
  const ids = new Set<string>();
  const named = new Map<string, string>();
  for (const file of files) {
    for await (const draft of draftsOf(session, file, newCounts(), faultList(file.name))) {
      for (const [target, id] of idsOf(file.resource, draft)) {
        ids.add(`${target} ${idKey(id)}`);
        if (draft.values.Deleted === true || !isNamed(target)) continue;
        for (const name of namesIn(file.resource, draft)) named.set(`${target} ${textKey(name)}`, id);
      }
    }
  }
  const id: Names['id'] = (target, name) => named.get(`${target} ${textKey(name)}`);
  return {
    id,
    resolve(targets, text) {
      const bare = text.replace(/^name:/, '');
      const isID = bare === text && targets.some((target) => ids.has(`${target} ${idKey(text)}`));
      if (isID) return isGuid(text) ? text.toLowerCase() : text;
      return targets.map((target) => id(target, bare)).find((found) => found !== undefined);
    },
  };
}

const idsOf = ({ name }: Resource, { values }: RowDraft): readonly (readonly [string, string])[] => [
  ...(values.ID == null ? [] : [[name, String(values.ID)] as const]),
  ...(name === 'individual' && values.UserID != null ? [['principal', String(values.UserID)] as const] : []),
];

/** As they are exported: a user by the user name alone. */
const namesIn = (resource: Resource, draft: RowDraft): readonly string[] =>
  resource.name === 'individual' ? [String(draft.values.UserName)] : namesOfRow(resource, draft);

/** Are records of this kind named by a name in other files? */
const isNamed = (target: string): boolean => target === 'principal' || resourceNamed(target).id === 'integer';
