// Answers the records of a list on a store that is a round trip away: what the records of a page name is read together.
import type { Resource, Row } from '../../contract/resource.ts';
import { chunks } from '../../text/batches.ts';
import { gatheredReads } from '../batch/gathered-reads.ts';
import { type Context, lookupsIn } from '../context.ts';
import type { Stored } from '../store/port.ts';
import { answer } from './answer.ts';

/** The records that are answered together. */
const PAGE = 200;

export async function* answeredInPages(
  context: Context,
  resource: Resource,
  rows: AsyncIterable<Stored>,
): AsyncGenerator<Row> {
  const { reader, together, forget } = gatheredReads(context.store);
  const gathered: Context = { ...context, store: reader, ...lookupsIn(reader, context.site) };
  for await (const page of chunks(rows, PAGE)) {
    yield* await together(() => Promise.all(page.map((row) => answer(gathered, resource, row, 'list'))));
    // The lookups of the context keep what many records name.
    forget();
  }
}
