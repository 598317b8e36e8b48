// The changes that a command with placeholders makes of each row of a file. A value never becomes several words.
import { BadFile, type Cell, type FileFault, type FileRow, type InputFile } from '../../changes/files/index.ts';
import { type Change, findRecord, isFinalDeletion } from '../../changes/plan/change.ts';
import { notFoundError } from '../../changes/plan/current-record.ts';
import { type CellRules, readCell } from '../../changes/rows/cells.ts';
import type { Session } from '../../contract/call.ts';
import { adviceIn, ServiceError, withCandidates } from '../../contract/errors.ts';
import { resourceNamed } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Resource } from '../../contract/resource.ts';
import { defined } from '../../text/defined.ts';
import { trimBlanks } from '../../text/names.ts';
import { counted } from '../../text/thousands.ts';
import { choiceRefused, type Run } from '../command.ts';
import { changesOf } from '../commands/write.ts';
import type { Context } from '../context.ts';
import { filledIn, placeholdersIn, placeOf } from '../import/prepared-rows.ts';
import { camel, fieldFlags, kebab, resourceCalled } from '../names.ts';
import { resourceCommand } from '../resource-command.ts';
import { usageError } from '../usage/usage-error.ts';
import { isRefused } from './failures.ts';

/** The changes of all rows. Throws `BadFile` after the last one, with the faults of all rows. */
export async function* rowChanges(
  context: Context,
  input: InputFile,
  file: string,
  template: Filling,
): AsyncGenerator<Change> {
  const session = await context.session();
  const faults: FileFault[] = [];
  const { resource, operation } = template;
  const sha256 = await input.hash();
  // Other operations, and other values, may be meant several times, in their order.
  const isOnce = ['delete', 'undelete', 'update'].includes(operation.verb);
  /** The latest values that were said of a record. */
  const named = new Map<string, string | undefined>();
  let repeated = 0;
  let checked: readonly string[] | undefined;
  for await (const row of input.rows()) {
    if (checked !== row.names) checkPlaceholders(template, row.names);
    checked = row.names;
    try {
      const { ids, options } = fillTemplate(template, row);
      if (isBlank(template, options)) continue;
      for (const change of await changesOf(context, { resource, operation, given: ids, options })) {
        const said = JSON.stringify(change.patch);
        const isAgain = change.id !== undefined && named.has(change.id);
        if (isAgain && isOnce && named.get(String(change.id)) === said) {
          repeated++;
          continue;
        }
        if (change.id !== undefined) named.set(change.id, said);
        const { now, ...planned } = await withCurrent(session, change, row.line, sha256);
        // A row before it changes the record: it is neither unchanged nor drifted by what is there now.
        yield isAgain && change.patch ? planned : { ...planned, ...(now && { now }) };
      }
    } catch (error) {
      if (!isRefused(error)) throw error;
      faults.push({ line: row.line, message: withCandidates(error), ...adviceIn(error) });
    }
  }
  if (faults.length > 0) throw new BadFile(file, faults);
  if (repeated > 0) context.note(`  ${counted(repeated, 'row')} twice in the file`);
}

/** Adds the current record, so that a later run finds out what has changed meanwhile. */
async function withCurrent(session: Session, change: Change, line: number, sha256: string): Promise<Change> {
  const found = await findRecord(session, change);
  const isUnread = found?.state === 'unseen' && isFinalDeletion(change);
  if (found && (isUnread || (change.patch && found.state !== 'live')))
    throw notFoundError(resourceNamed(change.resource), change.id, found);
  return { ...change, line, sha256, ...(found?.row ? { now: found.row } : {}) };
}

export type Options = Readonly<Record<string, unknown>>;

interface Template {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly ids: readonly string[];
  readonly options: Options;
}

/** Do all cells of the row leave their fields? */
function isBlank({ resource, options: written }: Template, filled: Options): boolean {
  const names = [...fieldFlags(resource).map(({ flag }) => camel(flag)), 'set', 'clear', 'from'];
  return names.some((name) => written[name] !== undefined) && names.every((name) => filled[name] === undefined);
}

interface Filling extends Template {
  readonly rules: CellRules;
}

const VERBS = ['create', 'update', 'delete', 'undelete', 'special'];

/** Parses the words behind `--`. Throws `usage` for a command that changes no records. */
export async function templateOf(words: readonly string[]): Promise<Template> {
  const [name = '', verb = '', ...rest] = words;
  const resource = resourceCalled(name);
  const operation = Object.values(resource.operations).find((one) => kebab(one.name) === verb);
  if (!operation?.writes || !VERBS.includes(operation.verb)) throw notForEach(resource, verb);
  const { ids, options } = await parseTemplate(resource, name, verb, rest);
  refuseFileColumns(resource, options);
  refuseChoice(resource, verb, options);
  return { resource, operation, ids, options };
}

async function parseTemplate(
  resource: Resource,
  name: string,
  verb: string,
  words: readonly string[],
): Promise<Pick<Template, 'ids' | 'options'>> {
  let options: Options = {};
  const run: Run = async (values) => {
    options = values as Options;
  };
  const group = await resourceCommand(resource, name, run, verb);
  const command = group.commands.find((one) => one.name() === verb);
  if (!command) throw notForEach(resource, verb);
  for (const one of [group, command])
    one
      .exitOverride((error) => {
        throw usageError(error, one);
      })
      .configureOutput({ writeErr: () => {} });
  // The value of a placeholder is known only row by row.
  for (const option of command.options) if (option.optional) delete option.parseArg;
  await group.parseAsync([verb, ...words], { from: 'user' });
  return { ids: command.args, options };
}

const notForEach = (resource: Resource, verb: string): ServiceError =>
  new ServiceError('usage', `pm each runs commands that change single records, and not ${resource.command} ${verb}`, {
    hint: `Write one after --: -- ${resource.command} update {ID} --…`,
  });

/** Each row names its own record. */
function refuseChoice(resource: Resource, verb: string, options: Options): void {
  if (options.reassignTo !== undefined)
    throw new ServiceError('usage', '--reassign-to goes over all individuals that leave at once', {
      hint: 'pm individuals delete <who> <who> … --reassign-to <ref>; of a file: pm plan individuals <file> --mode delete --reassign-to <ref> --out <plan>',
    });
  if (options.out !== undefined)
    throw new ServiceError('usage', '--out is for all rows, so write it before --', {
      hint: `pm each <file> -n --out <plan> -- ${resource.command} ${verb} …`,
    });
  const flag = ['where', 'sort', 'limit'].find((name) => options[name] !== undefined);
  if (flag !== undefined)
    throw choiceRefused(`--${flag}`, `${resource.command} ${verb} for each row of a file`, withoutFile);
}

const withoutFile = (flag: string): string => `Without a file: pm <resource> update ${flag} … changes what it chooses.`;

/** Refuses placeholders in file names, and stdin as the source of every row. */
function refuseFileColumns(resource: Resource, options: Options): void {
  const bytes = fieldFlags(resource).flatMap(({ field, flag }) => (field.kind === 'bytes' ? [flag] : []));
  for (const flag of ['from', 'new-password-file', ...bytes]) {
    if (!hasPlaceholder(options[camel(flag)])) continue;
    throw new ServiceError('usage', `--${flag} takes no column: a cell must not choose a file to read`);
  }
  if (options.from === '-' || options.newPasswordStdin === true)
    throw new ServiceError('usage', 'stdin is read once, and not for each row', { hint: 'Put it into a file.' });
}

const hasPlaceholder = (value: unknown): boolean => typeof value === 'string' && placeholdersIn(value).length > 0;

/** Throws `usage` for an unknown column, and for a template without columns. */
function checkPlaceholders({ ids, options }: Template, columns: readonly string[]): void {
  const texts = [...ids, ...Object.values(options).flat()].filter((one) => typeof one === 'string');
  const names = texts.flatMap(placeholdersIn);
  for (const name of names) placeOf(columns, name);
  if (names.length > 0) return;
  throw new ServiceError('usage', 'the command names no column, so each row would do the same', {
    hint: `Write a column in braces: {${columns[0] ?? 'Column'}}`,
  });
}

/**
 * Fills the template with the values of one row. A cell that is all of a field's value is read as an import reads it. Throws
 * `invalid` for a value that would name something else.
 */
function fillTemplate(
  { resource, rules, ...template }: Filling,
  { names, cells, nested }: FileRow,
): Pick<Template, 'ids' | 'options'> {
  const cellOf = (column: string): Cell => cells[placeOf(names, column)] ?? null;
  const textOf = (column: string): string => {
    const text = trimBlanks(String(cellOf(column) ?? ''));
    return rules.isNone?.(text) ? '' : text;
  };
  const ids = template.ids.map((text) => {
    const value = filledIn(text, textOf);
    if (value !== text && (value.trim() === '' || value === '-'))
      throw new ServiceError(
        'invalid',
        `${text} is ${value.trim() === '' ? 'blank' : `"${value}"`}, which names nothing`,
      );
    return value;
  });
  const fillValue = (value: unknown): unknown =>
    typeof value === 'string' ? filledIn(value, textOf) : Array.isArray(value) ? value.map(fillValue) : value;
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(template.options)) options[name] = fillValue(value);
  for (const { flag, name: member, field, targets } of fieldFlags(resource)) {
    const written = template.options[camel(flag)];
    const [column = ''] = typeof written === 'string' ? placeholdersIn(written) : [];
    if (written !== `{${column}}`) continue;
    const isNested = nested?.includes(names[placeOf(names, column)] ?? '');
    const read = readCell({ column, member, field, targets }, cellOf(column), rules, isNested);
    if (read.kind === 'fault')
      throw new ServiceError('invalid', `column ${column} ${read.message}`, defined({ hint: read.hint }));
    const value = read.kind === 'value' ? read.value : read.kind === 'names' ? read.texts.join() : undefined;
    options[camel(flag)] = value == null ? undefined : String(value);
    if (value === null) options.clear = [options.clear ?? [], member].flat();
  }
  return { ids, options };
}
