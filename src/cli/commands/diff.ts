// pm diff: what differs between two sites, in names; and the plan that makes one like the other.
import { type Command, Option } from 'commander';
import type { Change } from '../../changes/plan/change.ts';
import { writePlanFile } from '../../changes/plan/plan-file.ts';
import { planner } from '../../changes/plan/planner.ts';
import { EXIT, orNone, ServiceError } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import { idKey } from '../../contract/kinds.ts';
import { nameOf, type Resource, type Row, type Value } from '../../contract/resource.ts';
import { type Chosen, compare, type Difference, type Wish } from '../../sites/state/compare.ts';
import { comparable, DIARIES } from '../../sites/state/layout.ts';
import { changesOf } from '../../sites/state/plan.ts';
import { type State, seesAll } from '../../sites/state/state.ts';
import { collect } from '../../text/batches.ts';
import { defined } from '../../text/defined.ts';
import { quoted } from '../../text/escape.ts';
import { counted, spaced } from '../../text/thousands.ts';
import { planCommand, planHeader, runCommand } from '../changes/journal.ts';
import { withoutSecrets } from '../changes/plan-out.ts';
import { actionOf, collectValues, type Run, reading } from '../command.ts';
import { type Context, clockOf, formatOf } from '../context.ts';
import type { Declaration, Piece } from '../folders/folder-changes.ts';
import type { GlobalValues } from '../globals.ts';
import { outputOf } from '../input/files.ts';
import { resourceCalled } from '../names.ts';
import { valueInWords } from '../output/formats/cells.ts';
import { isForPeople, type NameOf, type Shape, shapeFrom, texts } from '../output/result.ts';
import { ownerName } from '../search/record-names.ts';
import { type ReferenceNames, referenceNames } from '../selectors/reference-names.ts';
import { notFound, resolve } from '../selectors/selectors.ts';
import { wordsIn } from '../settings.ts';
import { isDeclaration, type OpenState, standsNow, withState } from '../states/open.ts';

interface Options extends GlobalValues {
  readonly exitCode?: boolean;
  readonly resource?: readonly string[];
  readonly only?: readonly string[];
  readonly with?: string;
  readonly out?: string;
  readonly prune?: readonly string[];
  readonly within?: readonly string[];
}

export function build(run: Run): Command {
  const many = (flags: string, doc: string): Option => new Option(flags, doc).argParser(collectValues);
  return reading('diff', 'What differs between two sites, and the plan that makes one like the other.')
    .argument(
      '<wanted>',
      'how it is to be: a folder or file of rows, a profile, local@-7d as it was then, or a file such as trial.db',
    )
    .argument('[there]', 'what is compared with it, and is changed by the plan: by default the profile in use')
    .option('--exit-code', 'end with 11 where they differ')
    .addOption(many('--resource <name>', 'only these: departments, individuals'))
    .addOption(many('--only <ref>', 'only this person or department, and what belongs to it'))
    .option('--with <names>', 'compare comments and dialogs, too')
    .option('--out <file>', 'write the plan that makes <there> like <wanted>')
    .addOption(
      many(
        '--prune <resource>',
        'delete those of this resource that are only there: with --out; of a folder also show them, or all',
      ),
    )
    .addOption(many('--within <filter>', "of a file: also who is only there, where Department = 'Sales'; or all"))
    .addHelpText('after', HELP)
    .action(actionOf(run, diff));
}

const HELP = `
Records of one site are matched by their IDs. Those of different sites by their
GUIDs, else by what names them: a department by its name and the one above it,
a person by the user name. Where two records have one name, nobody can tell
which is meant: that is unclear, as is what the caller may not see. It is
listed, and no plan touches it. Comments and dialogs are compared on demand.

A folder, a workbook or a table such as people.csv is compared by what it
declares: what it does not name is no difference, but with --prune, and for a
table in the part of the site that --within says. pm apply makes the site so.

What a request cannot set is no difference: IDs, times, passwords, archives.
A plan deletes nothing without --prune. Members of security groups are not
compared.

local@2026-11-01, local@-7d and local@3f2a are the site at that moment, or just
before that job, as --at shows it.`;

const COLUMNS = ['Difference', 'Resource', 'Record', 'Field', 'There', 'Wanted'];
const SHAPE: Shape = { ...shapeFrom('Difference', texts(...COLUMNS, 'Of', 'ID'), COLUMNS), whole: COLUMNS };
/** For people the two sides stand as they are typed: before, and now. */
const AS_TYPED = [...COLUMNS.slice(0, 4), 'Wanted', 'There'];

async function diff(
  context: Context,
  wantedText: string,
  thereText: string | undefined,
  options: Options,
): Promise<number> {
  if (options.out !== undefined && thereText !== undefined && !standsNow(thereText)) throw unchangeable(thereText);
  await context.checkPrint(SHAPE);
  const resources = options.resource?.map((name) => compared(name).name);
  const besides = wordsIn(options.with ?? '').flatMap((name) => onDemand(name));
  if (isDeclaration(context, wantedText))
    return withState(context, thereText, options, (there) => diffOfFiles(context, wantedText, there, options));
  if (options.within)
    throw new ServiceError('usage', '--within is for a file of rows, and two sites are compared', {
      hint: 'Leave it out; --only compares one person or department.',
    });
  const prune = (options.prune ?? []).map((name) => pruned(name, options).name);
  return withState(context, wantedText, options, (wanted) =>
    withState(context, thereText, options, async (there) => {
      const only = options.only && (await Promise.all(options.only.map((text) => chosenIn(wanted, there, text))));
      const wish = defined<Wish>({ resources, only, besides, newID: () => crypto.randomUUID() });
      const differences = await collect(compare(wanted, there, wish));
      return shown(context, wanted, there, differences, {
        options,
        title: `diff ${wantedText}`,
        areSites: true,
        changes: () => changesOf(there.session, differences, prune),
      });
    }),
  );
}

export const unchangeable = (name: string): ServiceError =>
  new ServiceError('usage', `only a profile can be changed, and ${name} is not one`, {
    hint: 'Name one, such as local, or make one: pm profiles add <name> --url <address>. A database as a file: pm backup',
  });

/** A folder is compared by planning it, so that a record or member that it leaves out is no difference. */
async function diffOfFiles(context: Context, folder: string, there: OpenState, options: Options): Promise<number> {
  const { declarationIn, folderChanges } = await import('../folders/folder-changes.ts');
  if (options.with !== undefined)
    throw new ServiceError('usage', `--with ${options.with}: no folder holds comments and dialogs`);
  const inside: Context = { ...there.context, note: context.note, session: async () => there.session };
  const { prune = [], within } = options;
  const declaration = await declarationIn(inside, folder, { ...options, isSingle: true });
  const pieces = within ? declaration.pieces.map((piece) => insideOf(piece, within, declaration)) : declaration.pieces;
  const wanted = options.resource?.map((name) => compared(name).name);
  // What is in that part and not in the file is shown; only --prune plans its deletion.
  const looked = pieces.flatMap(({ resource, flags }) => (flags.within ? [resource] : []));
  const shownOnly = prune.includes('all')
    ? []
    : looked.filter((resource) => !prune.some((name) => resourceCalled(name) === resource));
  const hidden: Difference[] = [];
  const flags = {
    ...{ ...options, prune: [...prune, ...shownOnly.map(({ command }) => command)], quiet: true },
    onHidden: ({ name }: Resource) => void hidden.push({ kind: 'unclear', resource: name, why: 'hidden' }),
  };
  const all = await collect(folderChanges(inside, { ...declaration, pieces }, flags).changes());
  const changes = all.filter(({ resource }) => !wanted || wanted.includes(resource));
  const sees = await seesAll(there);
  const differences = changes
    .map(differenceOf)
    .map((one): Difference => (one.kind === 'added' && !sees ? { ...one, kind: 'unclear', why: 'hidden' } : one));
  const isShownOnly = ({ resource, operation }: Change): boolean =>
    (operation === 'delete' && shownOnly.some(({ name }) => name === resource)) || (operation === 'create' && !sees);
  return shown(context, { ...there, name: folder }, there, [...differences, ...hidden], {
    options,
    title: `apply ${folder}`,
    changes: async () => changes.filter((change) => !isShownOnly(change)),
  });
}

/** Throws `usage` for a part of the site where several files are compared. */
function insideOf(piece: Piece, within: readonly string[], { name, pieces }: Declaration): Piece {
  if (pieces.length === 1) return { ...piece, flags: { ...piece.flags, within } };
  throw new ServiceError('usage', `--within is for a single file, and ${name} has several`, {
    hint: 'Keep it in the recipe beside the file: within: …',
  });
}

function differenceOf({ resource, operation, id, body = {}, patch, now }: Change): Difference {
  const { fields, operations } = resourceNamed(resource);
  const verb = operations[operation]?.verb;
  // A password is never shown, and can be compared with none.
  const asShown = ([name, value]: readonly [string, Value]) => [name, fields[name]?.writeOnly ? '(secret)' : value];
  const members: Row = Object.fromEntries(Object.entries((patch ?? body) as Row).map(asShown));
  const both = defined<Partial<Difference>>({ id: id ?? (body.Group as string | undefined), there: now });
  if (verb === 'delete') return { kind: 'removed', resource, ...both };
  if (verb === 'undelete') return { kind: 'restored', resource, ...both, ...(now && { wanted: now }) };
  if (verb === 'create') return { kind: 'added', resource, ...both, wanted: members, members };
  return { kind: 'changed', resource, ...both, wanted: { ...now, ...members }, members };
}

interface Showing {
  readonly options: Options;
  readonly title: string;
  /** Two sites or moments, by whose names people call the columns: what is wanted in a file, they know. */
  readonly areSites?: boolean;
  /** The changes that make the one like the other. */
  changes(): Promise<readonly Change[]>;
}

async function shown(
  context: Context,
  wanted: State,
  there: OpenState,
  differences: readonly Difference[],
  { options, title, areSites, changes }: Showing,
): Promise<number> {
  for (const line of summaryOf(wanted, there, differences)) context.note(line);
  const isRead = isForPeople(formatOf(context));
  const names = namesFor(wanted, there, differences, isRead);
  if (options.out !== undefined) await writePlan(context, there, await changes(), options.out, title);
  const titles = { There: there.name, Wanted: wanted.name };
  const shape = areSites && isRead ? { ...SHAPE, columns: AS_TYPED, titles } : SHAPE;
  const clock = await clockOf(context);
  const nameOf: NameOf = async (row, column) => {
    const { Difference: word, Resource: command, Field } = row;
    if (column === 'Difference') return areSites && word === WORDS.removed ? `only in ${there.name}` : undefined;
    if (!Object.hasOwn(titles, column)) return undefined;
    return valueInWords(resourceCalled(String(command)).fields[String(Field)], row[column] ?? null, clock);
  };
  await context.print({ shape, rows: rowsOf(differences, names), nameOf });
  return options.exitCode && differences.length > 0 ? EXIT.different : 0;
}

/** The resource that is called so. Throws `usage` for one that is no part of a comparison. */
export function compared(name: string): Resource {
  const resource = resourceCalled(name);
  if (comparable.includes(resource)) return resource;
  throw new ServiceError('usage', `pm does not compare ${resource.command}: nothing can be set in them`, {
    hint: `It compares ${comparable.map(({ command }) => command).join(', ')}`,
  });
}

function pruned(name: string, { out }: Options): Resource {
  const resource = compared(name);
  if (out === undefined)
    throw new ServiceError('usage', '--prune goes into a plan, and no plan is written', {
      hint: 'Write it: --out back.plan',
    });
  if (resource.operations.delete) return resource;
  throw new ServiceError('usage', `--prune ${name}: the service deletes no ${resource.command}`);
}

function onDemand(name: string): readonly string[] {
  const resource = resourceCalled(name);
  if (resource.name === 'dialog') return ['dialog', 'basicRoleDialog'];
  if (DIARIES.includes(resource.name)) return [resource.name];
  throw new ServiceError('usage', `--with ${name}: ${resource.command} are compared anyway`, {
    hint: 'It is for comments and dialogs: --with comments,dialogs',
  });
}

/** The record in each state; it may be deleted in one, or not be there. Throws `not_found` where neither knows it. */
async function chosenIn(wanted: State, there: State, text: string): Promise<Chosen> {
  for (const resource of ['individual', 'organization']) {
    const find = ({ session }: State) =>
      orNone(resolve(session, text, { targets: [resource], deleted: 2 }), ['not_found']);
    const chosen = { resource, wanted: await find(wanted), there: await find(there) };
    if (chosen.wanted !== undefined || chosen.there !== undefined) return chosen;
  }
  throw await notFound(wanted.session, text, { targets: ['individual'], deleted: 2 });
}

/** Such as: prod → local: 3 to add, 2 to change, 1 only in local; and what is probably renamed. */
export function summaryOf(wanted: State, there: State, differences: readonly Difference[]): readonly string[] {
  const count = (kind: Difference['kind'], words: string): readonly string[] => {
    const { length } = differences.filter((one) => one.kind === kind);
    return length === 0 ? [] : [`${spaced(length)} ${words}`];
  };
  const parts = [
    ...count('added', 'to add'),
    ...count('changed', 'to change'),
    ...count('restored', 'to undelete'),
    ...count('removed', `only in ${there.name}`),
    ...count('unclear', 'unclear'),
  ];
  const renames = differences.flatMap(({ like, wanted, resource: name }) => {
    const resource = resourceNamed(name);
    const [before, now] = [like && nameOf(resource, like), nameOf(resource, wanted)];
    return like ? [`Perhaps renamed, of ${resource.command}: ${quoted(before ?? '')} to ${quoted(now ?? '')}.`] : [];
  });
  return [`${wanted.name} → ${there.name}: ${parts.join(', ') || 'they do not differ'}`, ...renames];
}

interface Names {
  readonly wanted: ReferenceNames;
  readonly there: ReferenceNames;
  /** A table shows the owner beside the name. */
  readonly isTable: boolean;
}

/** The names of records in both states; a record that is to be made has its name already. */
function namesFor(wanted: State, there: State, differences: readonly Difference[], isTable: boolean): Names {
  const made = new Map(
    differences.flatMap(({ kind, resource, id, wanted: row }) => {
      const name = kind === 'added' && row && nameOf(resourceNamed(resource), row);
      return id !== undefined && name ? [[idKey(id), name] as const] : [];
    }),
  );
  const known = referenceNames(wanted.session);
  const of: ReferenceNames['of'] = async (field, value) => made.get(idKey(value)) ?? known.of(field, value);
  return { wanted: { ...known, of }, there: referenceNames(there.session), isTable };
}

/** Differences that stay because they are unclear: records, or whole kinds that are hidden. The first ones are named. */
export async function leftOut(wanted: State, there: State, all: readonly Difference[]): Promise<readonly string[]> {
  const unclear = all.filter((one) => one.kind === 'unclear' && (one.wanted || !one.there));
  const rows = await collect(rowsOf(unclear.slice(0, MOST_NAMED), namesFor(wanted, there, all, true)));
  const lines = rows.map((row) => `  Left out: ${[row.Resource, row.Record ?? ''].join(' ').trim()}: ${row.Wanted}`);
  return unclear.length > MOST_NAMED ? [...lines, `  and ${spaced(unclear.length - MOST_NAMED)} more`] : lines;
}
const MOST_NAMED = 10;

async function* rowsOf(differences: readonly Difference[], names: Names): AsyncGenerator<Row> {
  for (const one of differences) yield* await rowsFor(one, names);
}

async function rowsFor(one: Difference, names: Names): Promise<readonly Row[]> {
  const resource = resourceNamed(one.resource);
  const [record, of] = one.wanted ? [one.wanted, names.wanted] : [one.there ?? {}, names.there];
  const name = await recordName(resource, record, of);
  const Of = resource.identity.length > 0 ? null : await ownerName(of, resource, record);
  const Record = names.isTable && Of !== null ? `${name} (${Of})` : name;
  const first = { Difference: WORDS[one.kind], Resource: resource.command, Record, Of, ID: one.id ?? null };
  const blank = { Field: null, There: null, Wanted: null };
  if (one.why) return [{ ...first, ...blank, Wanted: WHY[one.why] }];
  const members = one.kind === 'added' ? [] : Object.keys(one.members ?? {});
  if (members.length === 0) return [{ ...first, ...blank }];
  const shown = async (member: string, row: Row | undefined, by: ReferenceNames): Promise<string | null> => {
    const value: Value = row?.[member] ?? null;
    return (await by.of(resource.fields[member], value)) ?? (value === null ? null : String(value));
  };
  const rows: Row[] = [];
  for (const Field of members)
    rows.push({
      ...{ ...first, Field },
      There: await shown(Field, one.there, names.there),
      Wanted: await shown(Field, one.wanted, names.wanted),
    });
  return rows;
}

const WORDS: Readonly<Record<Difference['kind'], string>> = {
  added: 'add',
  changed: 'change',
  restored: 'undelete',
  removed: 'only there',
  unclear: 'unclear',
};

const WHY: Readonly<Record<NonNullable<Difference['why']>, string>> = {
  ambiguous: 'several records have this name',
  hidden: 'not everything may be read',
  owner: 'what it belongs to is unclear, or not compared',
};

/** Its own name, else the names of its ends. */
async function recordName(resource: Resource, row: Row, names: ReferenceNames): Promise<string | null> {
  const own = resource.identity.length === 0 ? nameOf(resource, row) : undefined;
  if (own !== undefined) return own;
  const key =
    resource.identity.length > 0 ? resource.identity : resource.key.filter((name) => !resource.fields[name]?.owner);
  const parts: string[] = [];
  for (const name of key) {
    const value = row[name] ?? null;
    if (value !== null) parts.push((await names.of(resource.fields[name], value)) ?? String(value));
  }
  return parts.join(' / ') || null;
}

async function writePlan(
  context: Context,
  there: OpenState,
  changes: readonly Change[],
  out: string,
  title: string,
): Promise<void> {
  const { plan, unchanged } = planner(() => crypto.randomUUID());
  const rows = withoutSecrets(changes.flatMap((change) => plan(change) ?? []));
  const header = planHeader(there.context, there.session, title);
  const written = await writePlanFile(outputOf(context, '--out', out), header, rows, unchanged);
  const next = `Look: ${planCommand(there.context, ['plan', 'show', out])}. Run: ${runCommand(there.context, out, written)}`;
  context.note(
    `${out}: ${counted(written.rows, 'change')}. ${context.settings.dryRun ? 'Not written: this is a dry run.' : next}`,
  );
}
