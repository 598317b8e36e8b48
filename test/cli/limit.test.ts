// --limit stops reading as soon as enough is found, also behind a filter.
import { describe, expect, it } from 'vitest';
import { write } from '../../src/cli/output/index.ts';
import type { Row } from '../../src/contract/resource.ts';
import { item, OPTIONS, printed, SHAPE, streams } from './output-printed.ts';

/** A list that never ends; it tells how far it was read, and that it was closed. */
function endless(): { rows: AsyncGenerator<Row>; read: () => number; closed: () => boolean } {
  let count = 0;
  let closed = false;
  async function* rows(): AsyncGenerator<Row> {
    try {
      for (;;) yield item({ Rank: count++ });
    } finally {
      closed = true;
    }
  }
  return { rows: rows(), read: () => count, closed: () => closed };
}

describe('--limit', () => {
  it('reads one record more than it shows, to know whether it cut', async () => {
    const list = endless();
    const report = await write({ shape: SHAPE, rows: list.rows, one: false }, { ...OPTIONS, limit: 3 }, streams());
    expect({ ...report, read: list.read(), closed: list.closed() }).toEqual({
      written: 3,
      cut: true,
      read: 4,
      closed: true,
    });
  });

  it('stops behind a filter too', async () => {
    const list = endless();
    const options = { ...OPTIONS, limit: 2, where: ['Rank >= 10'] };
    await write({ shape: SHAPE, rows: list.rows, one: false }, options, streams());
    expect({ read: list.read(), closed: list.closed() }).toEqual({ read: 13, closed: true });
  });

  it('says nothing where it did not cut', async () => {
    const { report } = await printed([item(), item()], { limit: 2 });
    expect(report).toEqual({ written: 2, cut: false });
  });
});
