// Detects how a table is spelled: its delimiter, its line ends, and a line that names the delimiter.
import type { Dialect, Newline } from '../input.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const SEP = /^sep=(.)(?:\r\n|\n|\r|$)/i;
const LINES = 20;

type TableDialect = Required<Pick<Dialect, 'delimiter' | 'newline'>> & Pick<Dialect, 'sep'>;

/** The dialect by the beginning of a text. A `sep=` line wins over counted separators; `wanted` wins over both. */
export function tableDialect(text: string, wanted?: string): TableDialect {
  const sep = SEP.exec(text)?.[1];
  return {
    delimiter: wanted ?? sep ?? likeliest(text),
    newline: newlineOf(text),
    ...(sep !== undefined && { sep: true }),
  };
}

/** How many bytes of UTF-8 the `sep=` line takes. */
export const sepLength = (text: string): number => Buffer.byteLength(SEP.exec(text)?.[0] ?? '');

/** The delimiter that gives most of the first lines as many cells as the header; of several, the one with the most cells. */
function likeliest(text: string): string {
  const lines = bareLines(text);
  const scored = DELIMITERS.map((delimiter) => {
    const [header = 0, ...counts] = lines.map((line) => line.split(delimiter).length - 1);
    const alike = counts.filter((count) => count === header).length;
    return { delimiter, header, alike: counts.length === 0 ? 1 : alike / counts.length };
  });
  const [best] = scored
    .filter(({ header }) => header > 0)
    .sort((one, other) => other.alike - one.alike || other.header - one.header);
  return best?.delimiter ?? ',';
}

/** The first lines without their quoted parts; the last one may be cut, and does not count. */
function bareLines(text: string): readonly string[] {
  const bare = text.replace(/"(?:[^"]|"")*(?:"|$)/g, '');
  const lines = bare.split(/\r\n|\n|\r/).filter((line) => line !== '');
  return (lines.length > LINES ? lines : /[\r\n]$/.test(bare) ? lines : withoutCut(lines, text)).slice(0, LINES);
}

const withoutCut = (lines: readonly string[], text: string): readonly string[] =>
  lines.length > 1 && text.length > WHOLE ? lines.slice(0, -1) : lines;

/** A beginning that is shorter is the whole file. */
const WHOLE = 1 << 14;

function newlineOf(text: string): Newline {
  const found = /\r\n|\n|\r/.exec(text.replace(/"(?:[^"]|"")*(?:"|$)/g, ''))?.[0];
  return found === '\r\n' ? 'CRLF' : found === '\r' ? 'CR' : 'LF';
}
