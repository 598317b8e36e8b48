// Strips the end of a text. A pattern would take the square of the length of a run that ends elsewhere.

/** The text without this character at its end, however often it stands there. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
