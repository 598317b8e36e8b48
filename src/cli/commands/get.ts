// pm <resource> get: one record as an object, several as a list.
import type { Resource, Row } from '../../contract/resource.ts';
import { reportFailures } from '../changes/failures.ts';
import type { Context } from '../context.ts';
import { shapeOf } from '../output/shape.ts';
import { ownersGiven, recordByFlags } from '../selectors/owner-flags.ts';
import { idOf, readOne, textsOf } from '../selectors/records.ts';

type Given = Readonly<Record<string, unknown>>;

export async function get(
  context: Context,
  resource: Resource,
  given: readonly string[],
  options: Given,
): Promise<number> {
  const session = await context.session();
  const shape = shapeOf(resource);
  const { deleted = 0 } = context.settings;
  if (given.length === 0) {
    const row = await recordByFlags(session, resource, options, `${resource.command} get`, context.settings);
    return context.print({ shape, rows: [row], one: true });
  }
  const within = await ownersGiven(session, resource, options, deleted);
  const read = async (text: string): Promise<Row> =>
    readOne(context, session, resource, await idOf(session, resource, text, { deleted, within }), within);
  const [only] = given;
  if (given.length === 1 && only !== undefined && only !== '-')
    return context.print({ shape, rows: [await read(only)], one: true });
  const texts = await textsOf(context, given);
  const failures: unknown[] = [];
  await context.print({ shape, rows: each(texts, read, failures) });
  return reportFailures(context, failures, texts.length);
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
