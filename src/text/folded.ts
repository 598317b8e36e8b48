// Folded texts: how people look for a word. Marks, case and apostrophes do not count, and letters that many keyboards lack
// are spelled out. Names are unique and sorted by text-key.ts, not by this.
import { once } from './once-per.ts';

const PLAIN = /^[\u0000-\u007f]*$/;
const PLAIN_SIGNS = /['`\t-\r-]/;
/** Normalization takes the square of the number of marks that follow one letter, so that long texts are taken in pieces. */
const OTHERS = /[^\u0000-\u007f]{1,1024}/gu;
/** Marks, signs without width, apostrophes, and the letters that are written like them. Made when it is first used. */
const ignored = (): RegExp => /[\p{M}\p{Cf}ʹʺʻʼʽʾʿˈ‘’‚‛′]/gu;
const blanks = (): RegExp => /[\s\p{Pd}]/gu;
/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', đ: 'd', ł: 'l', ø: 'o', ı: 'i' },
  ...{ ħ: 'h', ŧ: 't', ŋ: 'n', ɓ: 'b', ɗ: 'd', ƒ: 'f', ς: 'σ' },
};
const SPELLED = /[ßæœþðđłøıħŧŋɓɗƒς]/g;

/**
 * The text without marks, case and apostrophes, ß as ss, ł as l and the like, dashes and line ends as blanks. The fold of
 * two texts together is that of the one and then of the other, so that it takes linear time.
 */
export function folded(text: string): string {
  const lower = (PLAIN.test(text) ? text : text.replace(OTHERS, foldedPiece)).toLowerCase();
  return PLAIN_SIGNS.test(lower) ? lower.replace(/['`]/g, '').replace(/[\t-\r-]/g, ' ') : lower;
}

/** An acute accent by itself is taken apart into a blank and a mark. */
const foldedPiece = (piece: string): string =>
  piece
    .replaceAll('´', '')
    .normalize('NFKD')
    .replace(ignored(), '')
    .toLowerCase()
    .replace(SPELLED, (letter) => LETTERS[letter] ?? letter)
    .replace(blanks(), ' ');

/** How well a text fits: 0 it is the wanted one, 1 it begins with it, 2 a word of it does, 3 it has it somewhere. */
type Grade = 0 | 1 | 2 | 3;

export interface Fit {
  readonly grade: Grade;
  /** Where it begins in the folded text. */
  readonly at: number;
}

/** How a text has a wanted one in it; both are folded, and `wanted` is not empty. Undefined if it does not. */
export function fitOf(text: string, wanted: string): Fit | undefined {
  if (text.startsWith(wanted)) return { grade: text.length === wanted.length ? 0 : 1, at: 0 };
  const first = text.indexOf(wanted);
  if (first < 0) return undefined;
  const word = wordBeginning(text, wanted, first);
  return word < 0 ? { grade: 3, at: first } : { grade: 2, at: word };
}

/** The first place from `from` on where a word begins with `wanted`; -1 without one. */
function wordBeginning(text: string, wanted: string, from: number): number {
  let at = from;
  while (at >= 0 && !isBetweenWords(text.charAt(at - 1))) at = text.indexOf(wanted, nextWord(text, at));
  return at;
}

const betweenWords = once(() => /[^\p{L}\p{N}\p{Cs}]/gu);

const isBetweenWords = (sign: string): boolean => sign.search(betweenWords()) === 0;

function nextWord(text: string, at: number): number {
  const sign = betweenWords();
  sign.lastIndex = at;
  const found = sign.exec(text);
  return found ? found.index + 1 : text.length;
}

/** Where a text, which is not folded, has the folded `wanted` in it: the first unit, and the one behind it. */
export function spanOf(text: string, wanted: string): readonly [start: number, end: number] | undefined {
  const fit = fitOf(folded(text), wanted);
  if (!fit) return undefined;
  let [length, at, start] = [0, 0, 0];
  for (const sign of text) {
    const size = folded(sign).length;
    // Marks behind the last letter are a part of it.
    if (size > 0 && length >= fit.at + wanted.length) break;
    if (size > 0 && length <= fit.at) start = at;
    length += size;
    at += sign.length;
  }
  return [start, at];
}
