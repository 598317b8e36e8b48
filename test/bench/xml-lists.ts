// P18: a list that a service answers in XML, read by the client, against the same list in JSON.
import { contract } from '../../src/contract/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { readList, writerOf } from '../../src/wire/codec.ts';
import type { MediaType, Syntax } from '../../src/wire/media.ts';
import { bodyShape } from '../../src/wire/shape.ts';
import { type Line, timesLine } from './line.ts';
import { newSite } from './site.ts';
import { medians, timed } from './timing.ts';

const COUNT = 20_000;
const ROUNDS = 7;
const GOAL = 2;
const CHUNK = 1 << 16;

const shape = bodyShape(contract.individual);

export async function xmlLists(): Promise<Line> {
  const { session, end } = await newSite();
  try {
    const row = await session.call(contract.individual.operations.get, { params: { id: session.me.id } });
    const [xml, json] = [listOf('text/xml', row), listOf('text/json', row)];
    const time = await medians(ROUNDS, {
      ours: () => timed(() => readAll('xml', xml)),
      limit: () => timed(() => readAll('json', json)),
    });
    return timesLine({
      row: 'P18',
      what: `reading a list of ${COUNT.toLocaleString('en')} in XML`,
      goal: GOAL,
      ...time,
    });
  } finally {
    await end();
  }
}

/** The bytes as they arrive. */
function listOf(media: MediaType, row: Row): readonly Uint8Array[] {
  const { opening, member, between, closing } = writerOf(media, shape);
  const rows = Array.from({ length: COUNT }, (_, n) =>
    member({ ...row, UserName: `user${n}`, Email: `${n}@example.com` }),
  );
  const bytes = Buffer.from(opening + rows.join(between) + closing);
  return Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, n) => bytes.subarray(n * CHUNK, (n + 1) * CHUNK));
}

async function readAll(syntax: Syntax, chunks: readonly Uint8Array[]): Promise<void> {
  let count = 0;
  for await (const _row of readList(syntax, shape, chunks)) count++;
  if (count !== COUNT) throw new Error(`${count} of ${COUNT} were read`);
}
