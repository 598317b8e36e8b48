// The words of an unfinished command line as bash passes it, and how a completed word is written back into it.

export interface OpenWord {
  /** What it means so far. */
  readonly text: string;
  /** As it is written; behind an opening quote, from there. */
  readonly raw: string;
  /** How much of `text` stands in front of `raw`. */
  readonly before: number;
  /** The quote that is open at the cursor. */
  readonly quote: '' | '"' | "'";
}

/** A command line up to the cursor: its whole words, and the one that is being written. */
export interface OpenLine {
  readonly words: readonly string[];
  readonly open: OpenWord;
}

const NO_WORD: OpenWord = { text: '', raw: '', before: 0, quote: '' };

/** A sign behind a backslash, what is in quotes, which may be open at the end, blanks, what ends a command, and the rest. */
const PARTS =
  /\\(?<escaped>.)|'(?<single>[^']*)(?<end>'?)|"(?<double>(?:\\.|[^"\\])*)(?<close>"?)|(?<blank>[ \t]+)|(?<separator>[|&;()\n])|[^\s\\'"|&;()]+/gsu;

type Parts = NonNullable<RegExpMatchArray['groups']>;

/** Reads the last command of a line that ends at the cursor. */
export function openLineOf(line: string): OpenLine {
  let words: string[] = [];
  let open: OpenWord | undefined;
  for (const { 0: part, groups = {} } of line.matchAll(PARTS)) {
    if (groups.blank === undefined && groups.separator === undefined) {
      open = joined(open ?? NO_WORD, wordOf(part, groups));
      continue;
    }
    if (open) words.push(open.text);
    if (groups.separator !== undefined) words = [];
    open = undefined;
  }
  return { words, open: open ?? NO_WORD };
}

function wordOf(part: string, { escaped, single, end, double, close }: Parts): OpenWord {
  if (escaped !== undefined) return { ...NO_WORD, text: escaped, raw: part };
  if (single !== undefined) return quotedWord(single, part, end === '' ? "'" : '');
  if (double !== undefined) return quotedWord(double.replaceAll(/\\(["\\$`])/g, '$1'), part, close === '' ? '"' : '');
  return { ...NO_WORD, text: part, raw: part };
}

const quotedWord = (text: string, part: string, quote: OpenWord['quote']): OpenWord => ({
  ...NO_WORD,
  text,
  raw: quote === '' ? part : part.slice(1),
  quote,
});

const joined = (first: OpenWord, second: OpenWord): OpenWord =>
  second.quote === ''
    ? { ...second, text: first.text + second.text, raw: first.raw + second.raw }
    : { ...second, text: first.text + second.text, before: first.text.length };

/** What readline puts in the place of its own word, which begins at an open quote or behind one of the `breaks`. */
export function inReadline(candidate: string, { raw, before, quote }: OpenWord, breaks: string): string {
  if (quote === "'") return candidate.slice(before).replaceAll("'", "'\\''");
  if (quote === '"') return candidate.slice(before).replaceAll(/["\\$`]/g, '\\$&');
  return candidate.slice(brokenAt(raw, breaks)).replaceAll(/[^\p{L}\p{M}\p{N}_@%+=:,./^-]/gu, '\\$&');
}

/** Readline's own word begins with these breaks themselves, and behind all others. */
const KEPT = ['@', '$'];

/** How much of the meant text stands in front of readline's own word: up to the last break that is not escaped. */
function brokenAt(raw: string, breaks: string): number {
  const signs = [...raw.matchAll(/\\.|[^\\]/gsu)].map(([sign]) => sign);
  const last = signs.findLastIndex((sign) => sign.length === 1 && breaks.includes(sign));
  return signs
    .slice(0, KEPT.includes(signs[last] ?? '') ? last : last + 1)
    .join('')
    .replaceAll(/\\(.)/gsu, '$1').length;
}
