// Reads a folder of site files: each mapping becomes a row of its resource, which names the record in whose file it stands by its place.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LineCounter, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { shownValue } from '../../changes/files/bad-file.ts';
import type { Cell, FileFault, InputFile } from '../../changes/files/input.ts';
import { SITE } from '../../changes/rows/cells.ts';
import { meantAmong, plain } from '../../changes/rows/column-synonyms.ts';
import { WAS } from '../../changes/rows/row-draft.ts';
import { mayBelongToSite } from '../../contract/field.ts';
import { plural, type Resource } from '../../contract/resource.ts';
import { PRIMARY } from '../../contract/resources/primary.ts';
import { valueAt } from '../../text/once-per.ts';
import { didYouMean } from '../../text/spelling.ts';
import { aboveMember, declarable, hasFolder, holderMember, listName, listsIn, MEMBERS } from './layout.ts';

/** A file of the folder. */
export interface TreeFile {
  /** From the folder on, with slashes. */
  readonly path: string;
  readonly sha256: string;
}

/** The rows of a resource that say in the same members where they stand. */
export interface TreeTable {
  readonly resource: Resource;
  /** The members that name a record by its place. */
  readonly placed: readonly string[];
  /** Its lines are the numbers of its rows. */
  readonly input: InputFile;
  /** Where the row of this number stands, or its member of this name. */
  placeOf(line: number, member?: string): Place;
}

interface Place {
  /** The number of its file. */
  readonly file: number;
  readonly line: number;
}

export interface Tree {
  readonly files: readonly TreeFile[];
  /** In the order of the references between resources. */
  readonly tables: readonly TreeTable[];
  /** Individuals of security groups, by the names that the files have. */
  readonly members: readonly Member[];
  readonly faults: readonly FileFault[];
}

export interface Member extends Place {
  readonly group: string;
  readonly individual: string;
}

interface TreeOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Members that are no fields are left out. */
  readonly ignoreUnknown: boolean;
}

/** The column in which each row has the name of its place. */
export const PLACE = 'PlaceInFolder';

/** Is it a folder of site files? A folder for persons, departments or projects is the mark. */
export const isTree = (folder: string): boolean =>
  declarable.some(
    (one) => hasFolder(one) && lstatSync(join(folder, one.command), { throwIfNoEntry: false })?.isDirectory(),
  );

/** The resource whose records a file holds, by its path; undefined if it is no site file. */
export function resourceAt(path: string): Resource | undefined {
  const [first = '', ...more] = path.split('/');
  if (more.length === 0) return declarable.find((one) => `${one.command}.yaml` === first);
  return declarable.find((one) => hasFolder(one) && one.command === first && path.endsWith('.yaml'));
}

/** Would it be a site file if its name ended with `.yaml`? */
const isMisnamed = (path: string): boolean =>
  !resourceAt(path) && /\.ya?ml$/i.test(path) && resourceAt(path.replace(/\.\w+$/, '.yaml')) !== undefined;

/** The paths of the site files of a folder, each behind that of the record above it. Links are not followed. */
export function pathsIn(folder: string, isWanted = (path: string) => resourceAt(path) !== undefined) {
  const below = (inner: string): readonly string[] =>
    readdirSync(join(folder, inner), { withFileTypes: true }).flatMap((entry) => {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.name.startsWith('.')) return [];
      if (entry.isDirectory()) return resourceAt(`${path}/.yaml`) ? below(path) : [];
      return entry.isFile() && isWanted(path) ? [path] : [];
    });
  const depth = (path: string): number => path.split('/').length;
  return below('').toSorted((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1));
}

/** The rows of all files. What cannot be read is among the faults, each at its place. Throws errors of the system. */
export async function readTree(folder: string, paths: readonly string[], options: TreeOptions): Promise<Tree> {
  const reader = treeReader(await import('yaml'), options);
  const files = paths.map((path, file) => {
    const bytes = readFileSync(join(folder, path));
    reader.read(file, path, bytes.toString('utf8'));
    return { path, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  for (const path of pathsIn(folder, isMisnamed)) {
    const message = 'is not read: the name of a site file ends with .yaml';
    reader.faults.push({ line: 1, place: `${path}:1`, message, hint: `Rename it, or move it out of ${folder}.` });
  }
  return { files, ...reader };
}

/** One document of one file. */
interface Parsed {
  readonly file: number;
  readonly path: string;
  readonly lines: LineCounter;
}

/** The places around a record: of the one in whose file it stands, and of the one of its kind above it. */
interface Around {
  readonly holder?: string | undefined;
  readonly above?: string | undefined;
}

type Cells = Map<string, Cell>;
/** The lines of the members that stand in a file. */
type Lines = Map<string, number>;
type Members = readonly Pair<Scalar, Node | null>[];

/** Git writes it into a file that two people have changed. */
const MERGE = /^<{7} /m;
const MERGED = 'Decide which lines stay, and take out those that begin with <<<<<<<, ======= and >>>>>>>.';

function treeReader(yaml: typeof import('yaml'), { environment, ignoreUnknown }: TreeOptions) {
  const faults: FileFault[] = [];
  const members: Member[] = [];
  const tables = new Map<string, TreeTable & { add(at: Place, cells: Cells, lines: Lines): void }>();
  /** The places of records with files of their own, by the path without its ending. */
  const places = new Map<string, string>();
  let count = 0;

  const fault = (parsed: Parsed, node: Node | null, message: string, advice: Partial<FileFault> = {}): void => {
    const line = lineOf(parsed, node);
    faults.push({ line, place: `${parsed.path}:${line}`, message, ...advice });
  };

  const read = (file: number, path: string, text: string): void => {
    const begun = MERGE.exec(text);
    if (begun) {
      const line = text.slice(0, begun.index).split('\n').length;
      const message = 'begins what two versions of the file differ in: a merge is not finished';
      faults.push({ line, place: `${path}:${line}`, message, hint: MERGED });
      return;
    }
    const lines = new yaml.LineCounter();
    const parsed = { file, path, lines };
    // Every value is a text, as it is written: its field says how it is read.
    const options = {
      lineCounter: lines,
      schema: 'failsafe',
      strict: true,
      uniqueKeys: true,
      prettyErrors: false,
    } as const;
    const documents = yaml.parseAllDocuments(text, options);
    const [document, second] = Array.isArray(documents) ? documents : [];
    for (const { message, pos } of document?.errors ?? []) {
      const { line } = lines.linePos(pos[0]);
      const what = shownValue(message.split(/ at line \d+|:?\n/, 1)[0]);
      const hint = 'Correct that line.';
      faults.push({ line, place: `${path}:${line}`, message: `is not well-formed YAML: ${what}`, hint });
    }
    if (second) fault(parsed, second.contents, 'begins a second document', { hint: 'Write one document to a file.' });
    const contents = document?.contents;
    const resource = resourceAt(path);
    if (!resource || document?.errors.length) return;
    if (!contents) {
      const hint = 'Write its members, such as Name: Sales; or delete the file.';
      if (path.includes('/')) faults.push({ line: 1, place: `${path}:1`, message: 'holds no record', hint });
      return;
    }
    const items = yaml.isSeq(contents) && !path.includes('/') ? (contents.items as Node[]) : [contents as Node];
    for (const item of items) record(parsed, item, resource, { above: aboveIn(parsed, resource, contents) });
  };

  /** The place of the record in whose folder a file is. */
  const aboveIn = (parsed: Parsed, resource: Resource, contents: Node): string | undefined => {
    const folder = parsed.path.split('/').slice(0, -1).join('/');
    if (!folder.includes('/')) return undefined;
    const member = aboveMember(resource) ?? '';
    const above = places.get(folder);
    if (above === undefined && !(yaml.isMap(contents) && contents.has(member)))
      fault(parsed, contents, `is below ${folder}.yaml, which does not exist`, {
        hint:
          member === '' ? `Move it to ${resource.command}/` : `Add that file, or say what it is below: ${member}: …`,
      });
    return above;
  };

  const record = (parsed: Parsed, node: Node, resource: Resource, around: Around): void => {
    if (!yaml.isMap(node)) {
      fault(parsed, node, 'is not a record', { hint: 'Write its members one below the other, such as Name: Sales' });
      return;
    }
    const place = `#${++count}`;
    if (hasFolder(resource)) places.set(parsed.path.replace(/\.yaml$/, ''), place);
    const cells: Cells = new Map([[PLACE, place]]);
    const lines: Lines = new Map();
    const lists: (readonly [Resource, Node | null])[] = [];
    for (const { key, value } of node.items as Members) {
      lines.set(String(key.value), lineOf(parsed, key));
      const list = listsIn(resource).get(String(key.value));
      if (list) lists.push([list, value]);
      else if (resource.name === 'securityGroup' && String(key.value) === MEMBERS) addMembers(parsed, node, value);
      else if (isKnown(parsed, resource, key)) member(parsed, cells, key, value);
    }
    if (resource.name === 'individual')
      takePrimary(lists, cells, (name, value) => lines.set(name, lineOf(parsed, value)));
    const placed = fillPlaces(resource, around, cells);
    // A right on records of every kind says no kind.
    for (const name of resource.key) if (resource.fields[name]?.nullable && !cells.has(name)) cells.set(name, null);
    tableFor(resource, placed, cells.has('ID')).add({ file: parsed.file, line: lineOf(parsed, node) }, cells, lines);
    for (const [list, value] of lists) {
      if (!yaml.isSeq(value) && !isEmpty(value)) {
        const hint = `Write each record of it below ${listName(list)}, after a hyphen.`;
        fault(parsed, value, 'is not a list', { column: listName(list), hint });
      }
      const below = list === resource ? { holder: around.holder, above: place } : { holder: place };
      if (yaml.isSeq(value)) for (const item of value.items as Node[]) record(parsed, item, list, below);
    }
  };

  const isKnown = (parsed: Parsed, resource: Resource, key: Scalar): boolean => {
    const name = String(key.value);
    if (Object.hasOwn(resource.fields, name) || name === WAS) return true;
    const known = [...Object.keys(resource.fields), ...listsIn(resource).keys()];
    const meant = meantAmong(Object.keys(resource.fields), plain(name)) ?? name;
    const hint = didYouMean(meant, known, `pm explain ${resource.command} names them.`);
    if (!ignoreUnknown) fault(parsed, key, `is not a member of ${plural(resource)}`, { column: name, hint });
    return false;
  };

  const addMembers = (parsed: Parsed, group: YAMLMap, value: Node | null): void => {
    const users = yaml.isSeq(value) ? (value.items as Node[]) : [];
    if (!yaml.isSeq(value) && !isEmpty(value)) fault(parsed, value, 'is not a list', { column: MEMBERS, hint: LISTED });
    for (const user of users) {
      const line = lineOf(parsed, user);
      const names = { group: String(group.get('Group')), individual: String((user as Scalar).value) };
      if (yaml.isScalar(user)) members.push({ ...names, file: parsed.file, line });
      else fault(parsed, user, 'is not a user name', { column: MEMBERS, hint: LISTED });
    }
  };

  const member = (parsed: Parsed, cells: Cells, key: Scalar, value: Node | null): void => {
    const column = String(key.value);
    const texts = yaml.isSeq(value) ? (value.items as Node[]) : [value];
    const read = texts.map((one) => {
      if (one === null || isEmpty(one)) return null;
      if (yaml.isScalar(one)) return filled(parsed, column, one as Scalar<string>);
      fault(parsed, one, 'is neither a text nor a list of texts', { column });
      return null;
    });
    cells.set(column, yaml.isSeq(value) ? read.join(' ') : (read[0] ?? null));
  };

  /** Nothing, `null` and `~` without quotes. */
  const isEmpty = (value: Node | null): boolean =>
    value === null || (yaml.isScalar(value) && value.type === 'PLAIN' && EMPTY.includes(String(value.value)));

  /** The text of a value, with what the environment says in place of `${env:NAME}`. */
  const filled = (parsed: Parsed, column: string, node: Scalar<string>): string => {
    const text = node.value.replaceAll(VARIABLE, (variable, name: string) => {
      const value = environment[name];
      if (value !== undefined) return value;
      fault(parsed, node, `needs ${name}, which is not set`, { column, hint: `Set it in the environment: ${name}=…` });
      return variable;
    });
    if (column === 'Password' && !SECRET.test(node.value))
      fault(parsed, node, 'is written in the file', { column, hint: FROM_OUTSIDE });
    return text;
  };

  const takePrimary = (
    lists: readonly (readonly [Resource, Node | null])[],
    cells: Cells,
    onTaken: (name: string, value: Node | undefined) => void,
  ): void => {
    const memberships = lists.flatMap(([list, value]) =>
      list.name === 'organizationMember' && yaml.isSeq(value) ? value.items.filter((one) => yaml.isMap(one)) : [],
    ) as YAMLMap[];
    const primary = memberships.find((one) => String(one.get('Primary')) === 'true');
    for (const [name, from] of Object.entries(PRIMARY)) {
      const value = primary?.get(from, true);
      if (value === undefined || cells.has(name)) continue;
      cells.set(name, String(value));
      onTaken(name, value);
    }
  };

  const tableFor = (resource: Resource, placed: readonly string[], hasID: boolean) =>
    valueAt(tables, [resource.name, hasID, ...placed].join(' '), () => newTable(resource, placed));

  const order = ({ resource }: TreeTable): number => declarable.indexOf(resource);
  return {
    read,
    faults,
    members,
    get tables(): readonly TreeTable[] {
      return [...tables.values()].toSorted((one, other) => order(one) - order(other));
    },
  };
}

const lineOf = ({ lines }: Parsed, node: Node | null | undefined): number => lines.linePos(node?.range?.[0] ?? 0).line;

/** In a folder that is kept in git no secret stands. */
const FROM_OUTSIDE = 'Take it from the environment: Password: $'.concat('{env:NAME}');
const LISTED = 'Write their user names one below the other, each after a hyphen.';
const EMPTY: readonly string[] = ['', 'null', '~'];
const VARIABLE = /\$\{env:(\w+)\}/g;
const SECRET = /^\$\{env:\w+\}$/;

/** Fills the members that the place of a record says, unless it says them itself. Answers those that name a place. */
function fillPlaces(resource: Resource, { holder, above }: Around, cells: Cells): readonly string[] {
  const members = [
    [holderMember(resource), holder],
    [aboveMember(resource), above],
  ] as const;
  return members.flatMap(([member, place]) => {
    if (member === undefined || cells.has(member)) return [];
    const field = resource.fields[member];
    if (place !== undefined) cells.set(member, place);
    else if (field && mayBelongToSite(field)) cells.set(member, SITE);
    return place === undefined ? [] : [member];
  });
}

function newTable(resource: Resource, placed: readonly string[]) {
  const rows: { readonly at: Place; readonly cells: Cells; readonly lines: Lines }[] = [];
  const input: InputFile = {
    dialect: { form: 'yaml', encoding: 'utf-8' },
    columns: undefined,
    others: [],
    hidden: [],
    remarks: () => [],
    describe: () => 'YAML',
    async *rows() {
      for (const [index, { cells }] of rows.entries())
        yield { line: index + 1, names: [...cells.keys()], cells: [...cells.values()] };
    },
    hash: async () =>
      createHash('sha256')
        .update(JSON.stringify(rows.map(({ cells }) => [...cells])))
        .digest('hex'),
    close: async () => undefined,
  };
  const placeOf = (row: number, member = ''): Place => {
    const { at = { file: 0, line: 1 }, lines } = rows[row - 1] ?? {};
    return { file: at.file, line: lines?.get(member) ?? at.line };
  };
  const add = (at: Place, cells: Cells, lines: Lines): void => void rows.push({ at, cells, lines });
  return { resource, placed, input, placeOf, add };
}
