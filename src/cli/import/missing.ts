// Who is missing: the records in a part of the site that a file does not name, listed or deleted behind its rows.
import type { Change } from '../../changes/plan/change.ts';
import { deletionsOf, type Unnamed, unnamedRecords } from '../../changes/plan/unnamed.ts';
import { ServiceError } from '../../contract/errors.ts';
import { nameOf, type Resource, type Row, singular } from '../../contract/resource.ts';
import { spaced } from '../../text/thousands.ts';
import type { ImportFlags } from '../changes/flags.ts';
import { nameIn } from '../changes/planned-changes.ts';
import { type Context, referIn } from '../context.ts';
import { compileWithNames } from '../output/where.ts';

/** The word for the whole site. */
const ALL = 'all';

export interface Missing {
  /** Takes the records that the rows name. */
  readonly named: Set<string>;
  /** These changes, and the deletions of what is missing, where they are asked for. */
  behind(changes: AsyncIterable<Change>): AsyncGenerator<Change>;
  /** What is listed, as rows of a rehearsal; known after the last change. */
  rows(): readonly Row[];
}

/** Undefined if it is not asked. Throws `usage` for flags that do not go together, and as `insideTest`. */
export async function missingIn(
  context: Context,
  resource: Resource,
  file: string,
  flags: ImportFlags,
): Promise<Missing | undefined> {
  const { missing, within = [] } = flags;
  checkFlags(context, resource, flags);
  if (missing === undefined) return undefined;
  const isInside = await insideTest(context, resource, within);
  const isDeleting = missing === 'delete';
  const named = new Set<string>();
  let unnamed: Unnamed = { rows: [], kept: [], total: 0 };
  const listed = (row: Row): Row => ({
    Line: null,
    Operation: 'missing',
    Name: nameIn(resource, row),
    Field: null,
    Before: null,
    After: null,
    Resource: resource.command,
    ID: row.ID ?? null,
  });
  return {
    named,
    async *behind(changes) {
      yield* changes;
      unnamed = await unnamedRecords(await context.session(), resource, named, isInside);
      if (isDeleting && unnamed.total > 0 && unnamed.rows.length === unnamed.total) throw noneNamed(resource, file);
      for (const line of inWords(resource, file, within, unnamed, isDeleting)) context.note(line);
      // A plan prints no rows, in which they would stand.
      if (!isDeleting && context.settings.output === 'none' && unnamed.rows.length > 0)
        context.note(`  ${unnamed.rows.map((row) => nameIn(resource, row) ?? String(row.ID)).join(', ')}`);
      if (isDeleting) yield* deletionsOf(resource, unnamed);
    },
    rows: () => (isDeleting ? [] : unnamed.rows.map(listed)),
  };
}

function checkFlags({ settings }: Context, resource: Resource, flags: ImportFlags): void {
  const { missing, within, mode = 'upsert', recipe, saveRecipe } = flags;
  const refuse = (message: string, hint?: string): never => {
    throw new ServiceError('usage', message, { hint });
  };
  const isKept = recipe !== undefined || saveRecipe !== undefined;
  if (missing === undefined && within && !isKept)
    refuse('--within says where missing records are looked for', 'Write --missing list beside it.');
  if (missing === undefined) return;
  if (!['upsert', 'update', 'skip'].includes(mode))
    refuse(`--missing is for rows of records that stay, and not for --mode ${mode}`, 'Leave one of the two out.');
  if (!resource.operations.list) refuse(`--missing: there is no list of ${resource.command}`);
  if (missing === 'list' && !settings.dryRun)
    refuse('--missing list is a question, and changes nothing', 'Write -n beside it.');
  if (missing === 'list') return;
  if (!resource.operations.delete) refuse(`--missing delete: the service deletes no ${resource.command}`);
  if (!within)
    refuse(
      '--missing delete needs the part of the site that the file is about',
      `Such as --within "${exampleFor(resource)}"; for the whole site: --within ${ALL}`,
    );
}

/** A filter that fits the resource. */
const exampleFor = ({ fields, names }: Resource): string =>
  'PrimaryOrganizationID' in fields ? "Department = 'Sales'" : `${names[0] ?? 'ID'} ~ '^S'`;

/** The test of --within. Throws `usage` as a filter, and for a name that no record has. */
export async function insideTest(
  context: Context,
  { fields }: Resource,
  within: readonly string[],
): Promise<(row: Row) => boolean> {
  const filters = within.filter((text) => text !== ALL);
  return compileWithNames(filters, fields, context.io.now(), await context.zone(), referIn(context));
}

function inWords(
  resource: Resource,
  file: string,
  within: readonly string[],
  { rows, kept, total }: Unnamed,
  isDeleting: boolean,
): readonly string[] {
  const filters = within.filter((text) => text !== ALL);
  const part = filters.length > 0 ? ` within ${filters.join(' and ')}` : '';
  const said = `${spaced(rows.length)} of ${spaced(total)} ${resource.command}${part}`;
  const names = kept.map((row) => nameOf(resource, row)).join(', ');
  return [
    rows.length === 0 ? `${file} names all ${spaced(total)} ${resource.command}${part}` : `Not in ${file}: ${said}`,
    ...(isDeleting && kept.length > 0 ? [`Not deleted, though ${file} does not name them: ${names}`] : []),
  ];
}

/** A wrong key would make all anew, and delete those that are there. */
const noneNamed = (resource: Resource, file: string): ServiceError =>
  new ServiceError(
    'conflict',
    `${file} names no existing ${singular(resource)}, so --missing delete would delete all of them`,
    { hint: 'Look at them first: --missing list -n' },
  );
