// What a folder or a workbook declares, and the changes that make a site so: those of all its files, as one job.
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BadFile, type FileFault, formByName, type InputFile } from '../../changes/files/index.ts';
import { type Change, changeBy } from '../../changes/plan/change.ts';
import { deletionsOf, unnamedRecords, wordOf } from '../../changes/plan/unnamed.ts';
import type { Binding } from '../../changes/rows/columns.ts';
import { byKey, keyText } from '../../changes/rows/keys.ts';
import { projectedRecords } from '../../changes/rows/projected-records.ts';
import { type IntakeCounts, newCounts } from '../../changes/rows/reader.ts';
import { type Records, WAS } from '../../changes/rows/row-draft.ts';
import type { Session } from '../../contract/call.ts';
import { isUnanswered, orNone, ServiceError } from '../../contract/errors.ts';
import { contract, resourceNamed } from '../../contract/index.ts';
import type { NewJob } from '../../contract/jobs.ts';
import { idKey } from '../../contract/kinds.ts';
import { nameOf, type Resource, type Row } from '../../contract/resource.ts';
import { PRIMARY } from '../../contract/resources/primary.ts';
import { comparable, declarable, holderMember, MEMBERS } from '../../sites/state/layout.ts';
import { withReferences } from '../../sites/state/scope.ts';
import { isTree, PLACE, pathsIn, readTree, resourceAt, type Tree } from '../../sites/state/tree-reader.ts';
import { collect } from '../../text/batches.ts';
import { defined } from '../../text/defined.ts';
import { quoted } from '../../text/escape.ts';
import { oncePerText } from '../../text/once-per.ts';
import { systemCode } from '../../text/system-code.ts';
import { counted, spaced } from '../../text/thousands.ts';
import type { ImportFlags } from '../changes/flags.ts';
import { inputSource, type Source } from '../changes/journal.ts';
import { fileChanges, openFile, openRecords, shortenFaults } from '../changes/open-input.ts';
import type { Context } from '../context.ts';
import { insideTest } from '../import/missing.ts';
import { resourceCalled } from '../names.ts';
import { asTyped } from '../output/calling.ts';
import { servedResource } from '../selectors/state-numbers.ts';
import { CALLED, flatFiles, namesIn } from './flat-files.ts';

export interface FolderFlags {
  /** Files and sheets with names that say no resource are left out. */
  readonly ignoreUnknown?: boolean;
  /** These files of a tree alone, and those of the records above them: `klara.svoboda`, `departments/engineering`. */
  readonly only?: readonly string[];
  /** Records of these resources that no file has are deleted; `all` are those that the files declare. */
  readonly prune?: readonly string[];
  /** A single table will do. */
  readonly isSingle?: boolean;
}

/** A part of a folder: rows of one resource. */
export interface Piece {
  readonly resource: Resource;
  readonly name: string;
  /** Of a table. */
  readonly path?: string;
  readonly flags: ImportFlags;
  open(): Promise<InputFile>;
  /** The number of the source of a row, its line there, or that of its column, and both for people. */
  placeOf(line: number, column?: string): { readonly source: number; readonly line: number; readonly shown: string };
}

export interface Declaration {
  /** As it was named. */
  readonly name: string;
  readonly settings: NewJob['settings'] & { readonly sources: readonly Source[] };
  /** Each comes after those with records that its own name. */
  readonly pieces: readonly Piece[];
  readonly members: Tree['members'];
  readonly faults: readonly FileFault[];
}

/** Reads a folder or a workbook. Throws `usage` for what is neither, and for one that holds no rows. */
export async function declarationIn(context: Context, place: string, flags: FolderFlags): Promise<Declaration> {
  const path = resolve(context.io.cwd, place);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found)
    throw new ServiceError('usage', `there is no ${place}`, { hint: 'Name a folder, or a workbook: people.xlsx' });
  const isFolder = found.isDirectory();
  if (!isFolder && formByName(place) !== 'xlsx' && !flags.isSingle)
    throw new ServiceError('usage', `${place} is not a plan of pm, no folder and no workbook`, {
      hint: `Name a folder of files, or people.xlsx. A single file: pm import <resource> ${place}`,
    });
  const folder = isFolder ? path : dirname(path);
  try {
    const isOfTree = isFolder && isTree(folder);
    const tree = isOfTree ? await treeIn(context, folder, flags) : NO_TREE;
    const names = isFolder ? namesIn(folder) : [basename(path)];
    const others = names.filter((name) => !isOfTree || !(resourceAt(name) || resourceAt(`${name}/.yaml`)));
    const flat = flags.only ? [] : await flatFiles(context, folder, others, flags);
    const sources = flat.map((file) => inputSource(context, file.resource, file.path, file.sha256, file.flags));
    const tables = flat.map((file, at): Piece => {
      const source = tree.sources.length + at;
      const open = () => openFile(context, file.path, file.flags, file.resource);
      const flags = { ...file.flags, ref: [...(file.flags.ref ?? []), `${WAS}=${WAS}`] };
      return { ...file, flags, open, placeOf: (line) => ({ source, line, shown: `${file.name}:${line}` }) };
    });
    const pieces = inOrderOfReference([...tree.pieces, ...tables]);
    if (pieces.length + tree.faults.length === 0)
      throw new ServiceError('usage', `${place} holds no rows that pm can read`, { hint: CALLED });
    return { ...tree, name: place, settings: { sources: [...tree.sources, ...sources] }, pieces };
  } catch (error) {
    if (error instanceof ServiceError || systemCode(error) === undefined) throw error;
    throw new ServiceError('usage', `${place} cannot be read: ${systemCode(error)}`, { cause: error });
  }
}

type TreePart = Pick<Declaration, 'pieces' | 'members' | 'faults'> & { readonly sources: readonly Source[] };
const NO_TREE: TreePart = { pieces: [], members: [], faults: [], sources: [] };

async function treeIn(
  context: Context,
  folder: string,
  { only, ignoreUnknown = false }: FolderFlags,
): Promise<TreePart> {
  const paths = pathsIn(folder);
  const wanted = only ? chosenPaths(paths, only) : paths;
  const { files, tables, members, faults } = await readTree(folder, wanted, {
    environment: context.io.env,
    ignoreUnknown,
  });
  return {
    members,
    faults,
    sources: files.map(({ path, sha256 }) =>
      inputSource(context, resourceAt(path) as Resource, join(folder, path), sha256, {}),
    ),
    pieces: tables.map(({ resource, placed, input, placeOf }) => ({
      resource,
      name: resource.command,
      flags: {
        ref: [...[PLACE, ...placed].map((member) => `${member}=${PLACE}`), `${WAS}=${WAS}`],
        onDeleted: 'undelete',
      },
      open: async () => input,
      placeOf(row, member) {
        const { file, line } = placeOf(row, member);
        return { source: file, line, shown: `${files[file]?.path}:${line}` };
      },
    })),
  };
}

/** The paths of these records, and of those above them. Throws `usage` for one that has no file. */
function chosenPaths(paths: readonly string[], only: readonly string[]): readonly string[] {
  const stem = (path: string): string => path.replace(/\.yaml$/, '');
  const chosen = only.flatMap((word) => {
    const named = paths.filter((path) => stem(path) === stem(word) || stem(path).endsWith(`/${stem(word)}`));
    if (named.length > 0) return named;
    throw new ServiceError('usage', `--only ${word}: the folder has no file of this name`, {
      hint: 'Name a file without its ending: --only individuals/ann.lee',
    });
  });
  return paths.filter((path) => chosen.some((one) => one === path || one.startsWith(`${stem(path)}/`)));
}

/** Sorts the parts so that each comes after those with records that its own name. */
function inOrderOfReference(pieces: readonly Piece[]): readonly Piece[] {
  const order = withReferences(comparable);
  return pieces.toSorted((one, other) => order.indexOf(one.resource) - order.indexOf(other.resource));
}

export interface FolderChanges {
  /** Throws `BadFile` with the faults of all files after the last change. */
  changes(): AsyncGenerator<Change>;
  counts(): IntakeCounts;
}

interface Reading {
  readonly quiet?: boolean;
  /** The site was made for the folder, and has no records but its own. */
  readonly isCheck?: boolean;
  /** Called for rows of a kind that the caller may not see; without it they are an error. */
  readonly onHidden?: (resource: Resource) => void;
}

const SUMMED = ['rows', 'clears', 'skipped', 'repeated', 'headers', 'trimmed', 'unchanged'] as const;
const HIDDEN = 'Let an administrator apply the folder, or take these records out of its files.';

/** Throws `usage` for what cannot be pruned. */
export function folderChanges(
  context: Context,
  { name, pieces, members, settings, faults: ofFiles }: Declaration,
  { ignoreUnknown = false, only, prune = [], quiet = false, isCheck = false, onHidden }: FolderFlags & Reading,
): FolderChanges {
  if (only && prune.length > 0)
    throw new ServiceError('usage', '--prune looks at all files of a folder, and --only reads a few of them', {
      hint: 'Leave one of the two out.',
    });
  const all: IntakeCounts[] = [];
  const pruned = new Set(prune.flatMap((word) => (word === 'all' ? declaredBy(pieces) : prunable(word))));
  return {
    counts() {
      const sums = newCounts();
      for (const counts of all) for (const of of SUMMED) sums[of] += counts[of];
      return { ...sums, trimmedIn: new Set(all.flatMap(({ trimmedIn }) => [...trimmedIn])) };
    },
    async *changes() {
      const named = new Set<string>();
      const open = shownByAll(await openRecords(context), await context.session());
      const unknown = isCheck
        ? `No file of ${name} has it; pm apply ${asTyped(name, context.io)} -n looks at your site, too.`
        : undefined;
      const records = { ...projectedRecords(open, () => crypto.randomUUID()), named, unknown };
      const faults: FileFault[] = [...ofFiles];
      const cells: Cells = new Map();
      for (const piece of pieces) {
        let opened: InputFile | undefined;
        try {
          opened = await piece.open();
          const input = { ...opened, shownPlace: (line: number) => piece.placeOf(line).shown };
          const served = await servedResource(context, piece.resource);
          const flags = ignoreUnknown ? { ...piece.flags, ignoreUnknown } : piece.flags;
          const onNamed = (row: number, { column, targets }: Binding, id: string): void => {
            const { line, shown: place } = piece.placeOf(row, column);
            for (const target of pruned.size > 0 ? targets : []) cells.set(wordOf(target, id), { line, place, column });
          };
          const { counts, changes } = await fileChanges(context, { ...records, onNamed }, served, input, {
            file: piece.name,
            flags,
            quiet: true,
          });
          all.push(counts);
          for await (const change of changes()) yield placed(change, piece);
          if (!quiet && counts.unchanged < counts.rows) context.note(fileSummary(piece.name, counts));
        } catch (error) {
          if (error instanceof BadFile) faults.push(...faultsAt(piece, error, context));
          else if (!isUnanswered(error)) throw error;
          else if (onHidden) onHidden(piece.resource);
          else throw new ServiceError(error.code, error.message, { cause: error, hint: HIDDEN });
        } finally {
          await opened?.close();
        }
      }
      const joining = await joined(context, records, members, (file, line, message) => {
        const place = `${basename(settings.sources[file]?.file ?? '')}:${line}`;
        faults.push({ line, place, column: MEMBERS, message });
      });
      const deletions: Change[] = [];
      for (const resource of faults.length > 0 ? [] : pruned) {
        const within = pieces.flatMap((piece) => (piece.resource === resource ? (piece.flags.within ?? []) : []));
        deletions.push(...(await unnamed(context, resource, named, await insideTest(context, resource, within))));
      }
      faults.push(...namedStill(deletions, cells));
      if (faults.length > 0) throw shortenFaults(context, name, new BadFile(name, withoutRepeats(faults)));
      yield* joining;
      yield* deletions;
    },
  };
}

/** The records; what no list of one owner shows is looked for among all of its kind, which are read once. */
function shownByAll(records: Records, { find: { all } }: Session): Records {
  const { find } = records;
  const read = oncePerText(async (by) => {
    const [name = '', ...key] = by.split(' ');
    return byKey(resourceNamed(name), key, await collect(all(name, 2)));
  });
  const byMembers: typeof find.byMembers = async (name, members) => {
    const shown = await find.byMembers(name, members);
    if (shown) return shown;
    const key = Object.keys(members);
    const groups = await read([name, ...key].join(' '));
    return groups.get(keyText(resourceNamed(name).fields, key, members)) ?? [];
  };
  return { ...records, find: { ...find, byMembers } };
}

/** The changes that put individuals into security groups to which they do not belong. */
async function joined(
  context: Context,
  { resolve }: Records,
  members: Tree['members'],
  refuse: (file: number, line: number, message: string) => void,
): Promise<readonly Change[]> {
  const { local, list } = await context.session();
  if (!local && members.length > 0)
    context.note('Left out: members of security groups, for which a service has no request');
  const operations = contract.securityGroup.operations;
  const there = oncePerText(async (group) => {
    const users = await orNone(collect(list(operations.members, { body: { Group: group } })), ['not_found']);
    return new Set(users?.map(({ ID }) => idKey(ID)));
  });
  const changes: Change[] = [];
  for (const { group, individual, file, line } of local ? members : []) {
    try {
      const [Group, Individual] = [await resolve(['securityGroup'], group), await resolve(['individual'], individual)];
      if ((await there(Group)).has(idKey(Individual))) continue;
      changes.push({ ...changeBy(operations.addMember, { body: { Group, Individual } }), source: file, line });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      refuse(file, line, `cannot be used: ${error.message}`);
    }
  }
  return changes;
}

function placed(change: Change, { placeOf }: Piece): Change {
  if (change.line === undefined) return change;
  const { source, line } = placeOf(change.line);
  return { ...change, source, line };
}

/** The faults of a part at their places. That the record around one has a fault is said there. */
function faultsAt(
  { placeOf, path, resource, flags: { ref = [] } }: Piece,
  { found }: BadFile,
  { io }: Context,
): readonly FileFault[] {
  const isPlace = (column: string | undefined): boolean => ref.includes(`${column}=${PLACE}`);
  return found
    .filter(({ column }) => !isPlace(column))
    .map(({ hint, ...fault }) => {
      const { line, shown: place } = placeOf(fault.line, fault.column);
      const way = hint?.includes('--') ? hintFor(hint, resource, path, io) : hint;
      return defined({ ...fault, line, place, hint: way });
    });
}

/** Without those of a person that the primary membership has, too. */
const withoutRepeats = (faults: readonly FileFault[]): readonly FileFault[] => [
  ...new Map(
    faults.map((one) => [[one.place, PRIMARY[one.column ?? ''] ?? one.column, one.message].join('\n'), one]),
  ).values(),
];

/** Flags of an import stand in the recipe beside a table; in a tree nothing is to be explained. */
const hintFor = (hint: string, { command }: Resource, path: string | undefined, io: Context['io']): string =>
  path === undefined
    ? 'Write it as pm export --dir does.'
    : `${hint} Find the flags with pm import ${command} ${asTyped(path, io)} -n, and keep them for the folder: --save-recipe ${asTyped(path.replace(/\.\w+$/, '.pm'), io)}`;

/** The resources of the files that can be deleted. The files of a tree hold those that belong to their records, too; a table does not. */
function declaredBy(pieces: readonly Piece[]): readonly Resource[] {
  const inTrees = pieces.filter(({ path }) => path === undefined).map(({ resource }) => resource.name);
  return declarable.filter((resource) => {
    const holders = resource.fields[holderMember(resource) ?? '']?.to ?? [];
    const isDeclared =
      pieces.some((piece) => piece.resource === resource) || holders.some((name) => inTrees.includes(name));
    return resource.operations.delete && isDeclared;
  });
}

function prunable(word: string): Resource {
  const resource = resourceCalled(word);
  if (declarable.includes(resource) && resource.operations.delete) return resource;
  throw new ServiceError('usage', `--prune ${word}: a folder does not list them`, {
    hint: 'Such as --prune accountabilities, or --prune all',
  });
}

/**
 * Deletions of the records that no file has. Of what stands in the files of others, those alone count whose owner is in the
 * folder, and of a table those in the part of the site that its recipe says: the rest is not declared. The caller stays, and so does the last administrator.
 */
async function unnamed(
  context: Context,
  resource: Resource,
  named: ReadonlySet<string>,
  isInside: (row: Row) => boolean,
): Promise<readonly Change[]> {
  const holder = holderMember(resource);
  const isBelow = (row: Row): boolean =>
    holder === undefined ||
    row[holder] == null ||
    (resource.fields[holder]?.to ?? []).some((target) => named.has(wordOf(target, row[holder])));
  const isDeclared = (row: Row): boolean => isBelow(row) && isInside(row);
  const missing = await unnamedRecords(await context.session(), resource, named, isDeclared);
  if (missing.kept.length > 0)
    context.note(
      `Not deleted, though no file has them: ${missing.kept.map((row) => nameOf(resource, row)).join(', ')}`,
    );
  return deletionsOf(resource, missing);
}

/** The cells of the files that name records, by these. */
type Cells = Map<string, Pick<FileFault, 'line' | 'place' | 'column'>>;

/** What is named and deleted would not be found by the next run. */
const namedStill = (deletions: readonly Change[], cells: Cells): readonly FileFault[] =>
  deletions.flatMap(({ resource, id, now = {} }) => {
    const cell = cells.get(wordOf(resource, id)) ?? cells.get(wordOf('principal', now.UserID));
    const message = `names ${quoted(nameOf(resourceNamed(resource), now) ?? String(id))}, which no file has and --prune would delete`;
    return cell ? [{ ...cell, message, hint: 'Name another one there, or add its file.' }] : [];
  });

function fileSummary(name: string, counts: IntakeCounts): string {
  const { rows, creates, updates, undeletes, unchanged, skipped, awaited } = counts;
  const parts = [
    creates > 0 && counted(creates, 'create'),
    updates > 0 && counted(updates, 'update'),
    undeletes > 0 && counted(undeletes, 'undelete'),
    unchanged > 0 && `${spaced(unchanged)} unchanged`,
    skipped > 0 && `${spaced(skipped)} skipped`,
    awaited > 0 && `${spaced(awaited)} left for a second apply, since what it belongs to comes back first`,
  ];
  return [`${name}: ${counted(rows, 'row')}`, ...parts.filter(Boolean)].join(', ');
}
