// Words of another server, made fit to be shown: at most 300 characters, on one line, none that steers a terminal.

const MOST = 300;
/** Controls, marks that turn the direction of writing, characters without width, halves of pairs. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu;

/** The text on one line, without what could harm; what is longer is cut. */
export function clean(text: string): string {
  const line = text
    .slice(0, MOST * 20)
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length > MOST ? `${characters.slice(0, MOST - 1).join('')}…` : line;
}
