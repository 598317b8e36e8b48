// A list as text in pieces: refused before its first byte or not at all, and never held whole.
import type { Row } from '../contract/resource.ts';
import type { Writer } from '../wire/members.ts';

/** Characters of one piece. */
const PIECE = 64 * 1024;

/** The whole text where it fits into one piece, else its pieces. Throws what the list throws at its beginning. */
export async function listText(writer: Writer, rows: AsyncIterable<Row>): Promise<string | AsyncIterable<string>> {
  const pieces = piecesOf(writer, rows);
  const first = await pieces.next();
  return first.done ? first.value : resumed(first.value, pieces);
}

type Pieces = AsyncGenerator<string, string>;

/** Yields full pieces and returns the last one. */
async function* piecesOf(writer: Writer, rows: AsyncIterable<Row>): Pieces {
  let text = writer.opening;
  let between = '';
  for await (const row of rows) {
    text += between + writer.member(row);
    between = writer.between;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  return text + writer.closing;
}

/** By hand, since a generator that never began could not end the list, which would keep its connection. */
function resumed(first: string, pieces: Pieces): AsyncIterable<string> {
  let waiting: string | undefined = first;
  let isOver = false;
  const next = async (): Promise<IteratorResult<string, undefined>> => {
    if (isOver) return { done: true, value: undefined };
    const value = waiting;
    waiting = undefined;
    if (value !== undefined) return { done: false, value };
    const piece = await pieces.next();
    isOver = piece.done === true;
    return { done: false, value: piece.value };
  };
  const end = async (): Promise<IteratorResult<string, undefined>> => {
    isOver = true;
    await pieces.return('');
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}
