// How many character cells of a terminal a text takes.

const ASCII = /^[\x20-\x7e]*$/;
const NOTHING = /\p{Mn}|\p{Me}|\p{Cf}/u;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** The cells of a sanitised line: wide letters and pictures take two, combining marks none. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let cells = 0;
  for (const char of text) cells += NOTHING.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return cells;
}
