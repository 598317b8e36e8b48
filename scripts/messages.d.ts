/** A text or a comment, and the line where it begins. */
export interface Words {
  readonly line: number;
  readonly text: string;
}

interface WordsOfSource {
  readonly texts: readonly Words[];
  readonly comments: readonly Words[];
}

export function wordsIn(source: string): WordsOfSource;
export function wordsOfSources(): readonly (WordsOfSource & { readonly file: string })[];
