// A text without what is another one at every run: IDs, places and ports. Widths stay, so that tables do.

/** `places` are parts of the text, such as folders, each with what to write instead. */
export function normalised(text: string, places: Readonly<Record<string, string>> = {}): string {
  let result = text;
  for (const [place, name] of Object.entries(places)) result = result.replaceAll(place, name);
  return withNumberedIDs(result)
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>');
}

/** An ID, or the eight signs by which a job is called. */
const ID = /\b[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b/g;

/** Each begin of an ID becomes a number, in the order of appearance; what is one ID stays one. */
function withNumberedIDs(text: string): string {
  const numbers = new Map<string, string>();
  return text.replace(ID, (id) => {
    const begin = id.slice(0, 8);
    const number = numbers.get(begin) ?? `id${String(numbers.size + 1).padStart(6, '0')}`;
    numbers.set(begin, number);
    return `${number}${id.slice(8).replaceAll(/[0-9a-f]/g, '0')}`;
  });
}
