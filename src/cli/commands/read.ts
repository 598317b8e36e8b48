// pm <resource> list and get, and the other commands that read records that their arguments and flags name.
import type { Input, Session } from '../../contract/call.ts';
import { ServiceError } from '../../contract/errors.ts';
import { idKey } from '../../contract/kinds.ts';
import type { Operation } from '../../contract/operation.ts';
import { plural, type Resource, type Row } from '../../contract/resource.ts';
import { collect, grouped } from '../../text/batches.ts';
import { compareText } from '../../text/text-key.ts';
import type { Context } from '../context.ts';
import { toFile } from '../input/files.ts';
import { camel, kebab } from '../names.ts';
import { FORMATS, type Shape, shapeOf } from '../output/result.ts';
import {
  type AddressFlag,
  checkDeleted,
  choosePlan,
  givenFlags,
  listsDeleted,
  plansOf,
  zoneIn,
} from '../selectors/addresses.ts';
import { inputFor, ownersGiven, recordByFlags } from '../selectors/owner-flags.ts';
import { readOne, textsOf, withDeleted } from '../selectors/records.ts';
import { enoughFor } from '../settings.ts';

type Given = Readonly<Record<string, unknown>>;

/** Prints the list that an operation answers, or the one record. Answers the exit code. */
export async function read(to: Context, resource: Resource, operation: Operation, given: Given): Promise<number> {
  checkBelow(given);
  const context = printingWhere(to, given);
  const { deleted } = context.settings;
  const command = `${resource.command} ${operation.name}`;
  const plans = plansOf(resource, operation);
  const flags = givenFlags(plans, given);
  const shape: Shape = { ...shapeOf(resource, operation), open: true };
  const none = noneOf(resource, operation, given);
  if (deleted && flags.size === 0 && operation.verb === 'list' && listsDeleted(resource, true))
    return context.print({ shape, rows: withDeleted(await context.session(), resource, deleted), none });
  const plan = choosePlan(plans, flags, command);
  checkDeleted(context.settings, plan, command);
  const session = await context.session();
  const { query, ...place } = await inputFor(session, plans, plan, given, deleted ?? 0);
  const which = deleted === undefined ? {} : { deleted };
  const input = { ...place, query: { ...query, ...which, ...zoneIn(context.settings, plan) } };
  if (!operation.many) return context.print({ shape, rows: [await session.call(operation, input)], one: true });
  const want = enoughFor(context.settings);
  const rows = given.below ? withThoseBelow(session, operation, input) : session.list(operation, input, want);
  return context.print({ shape, rows, none });
}

/** Throws `usage` for --below without the department that it is about. */
function checkBelow({ below, department }: Given): void {
  if (!below || typeof department === 'string') return;
  throw new ServiceError('usage', '--below needs a department', { hint: 'Name it: --department <ref> --below' });
}

/** The note where there are no records. */
function noneOf(resource: Resource, operation: Operation, { below, department }: Given): string {
  const none = `No ${listName(resource, operation)}.`;
  const isNarrow = resource.name === 'individual' && typeof department === 'string' && !below;
  return isNarrow ? `${none} --below lists those of the departments below it, too.` : none;
}

/** The individuals of a department and of all below it, each once, in their order (D16). */
async function* withThoseBelow(session: Session, operation: Operation, input: Input): AsyncGenerator<Row> {
  const [[param, top] = ['', '']] = Object.entries(input.params ?? {});
  const found = new Map<string, Row>();
  for (const id of await departmentsBelow(session, top)) {
    const rows = session.list(operation, { ...input, params: { [param]: id } });
    for await (const row of rows) found.set(idKey(row.ID), row);
  }
  const nameOf = ({ FullOrderedName = null }: Row): string => String(FullOrderedName);
  yield* [...found.values()].sort((one, other) => compareText(nameOf(one), nameOf(other)));
}

async function departmentsBelow(session: Session, top: string): Promise<readonly string[]> {
  const below = grouped(await collect(session.find.all('organization', 0)), ({ ParentID }) => idKey(ParentID));
  const found = new Set([top]);
  for (const id of found) for (const { ID } of below.get(idKey(id)) ?? []) found.add(String(ID));
  return [...found];
}

/** The name of a list in words. One that answers other records is called after them: active projects. */
function listName(resource: Resource, { name, answers }: Operation): string {
  if (answers === undefined || !name.endsWith('s')) return plural(resource);
  return kebab(name)
    .replaceAll('-', ' ')
    .replace(/^dept /, 'department ');
}

/** To the file of --out, in the form that its name says unless -o says another; else to stdout. */
function printingWhere(context: Context, { out }: Given): Context {
  if (typeof out !== 'string') return context;
  return { ...context, print: (result) => toFile(context, out, FORMATS, (file) => file.print(result)) };
}

export async function get(to: Context, resource: Resource, given: readonly string[], options: Given): Promise<number> {
  const context = printingWhere(to, options);
  const session = await context.session();
  const shape: Shape = { ...shapeOf(resource), open: true };
  const { deleted = 0 } = context.settings;
  if (given.length === 0) {
    const row = await recordByFlags(session, resource, options, `${resource.command} get`, context.settings);
    return context.print({ shape, rows: [row], one: true });
  }
  const within = await ownersGiven(session, resource, options, { deleted });
  const below = await inputBelowOwner(session, resource, options);
  const read = async (text: string): Promise<Row> => readOne(context, resource, text, { within, below });
  const [only] = given;
  if (given.length === 1 && only !== undefined && only !== '-')
    return context.print({ shape, rows: [await read(only)], one: true });
  const texts = await textsOf(context, given);
  const failures: unknown[] = [];
  await context.print({ shape, rows: each(texts, read, failures) });
  const { reportFailures } = await import('../changes/failures.ts');
  return reportFailures(context, failures, texts.length);
}

/** The input at the address that has the owner of the flags before the record; undefined without such flags. */
async function inputBelowOwner(session: Session, resource: Resource, given: Given): Promise<Input | undefined> {
  const { get: operation } = resource.operations;
  const plans = (operation ? plansOf(resource, operation) : []).filter(({ own }) => own !== undefined);
  const isFilled = ({ flag, place }: AddressFlag): boolean => place === 'path' && given[camel(flag)] !== undefined;
  const plan = plans.find(({ flags }) => flags.length > 0 && flags.every(isFilled));
  return plan && inputFor(session, [plan], plan, given, 0);
}

/** Prints records as they arrive; failures are printed at the end. */
async function* each(
  texts: readonly string[],
  read: (text: string) => Promise<Row>,
  failures: unknown[],
): AsyncGenerator<Row> {
  for (const text of texts) {
    try {
      yield await read(text);
    } catch (error) {
      failures.push(error);
    }
  }
}
