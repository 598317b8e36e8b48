// `--limit`: stops reading as soon as enough is read.
import type { Row } from '../../contract/resource.ts';

/** The first `count` rows; `whenCut` is told if there was one more. The source is closed at once. */
export async function* limited(rows: AsyncIterable<Row>, count: number, whenCut: () => void): AsyncGenerator<Row> {
  let left = count;
  for await (const row of rows) {
    if (left === 0) return whenCut();
    left--;
    yield row;
  }
}
