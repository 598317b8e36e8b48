// Detects the encoding of a file, decodes it, and finds bytes that cannot be decoded.
import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../../contract/errors.ts';
import { type FaultList, shownValue } from './bad-file.ts';
import type { Source, Survey } from './source.ts';

const BOMS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8-bom', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * The encoding of a text file: the mark at its beginning, UTF-8 where all of it is, UTF-16 by its pattern of zeros,
 * else what the bytes look most like, and windows-1252 where that is not certain. `wanted` wins over all but the mark, which pm
 * sets itself in the rows that a file left. Throws `usage` for an encoding that nothing here can read.
 */
export async function encodingOf(survey: Survey, wanted?: string): Promise<string> {
  const marked = BOMS.find(([, bom]) => bom.every((byte, at) => survey.head[at] === byte))?.[0];
  const said = wanted === undefined ? undefined : knownEncoding(wanted);
  const known = marked ?? said;
  if (known !== undefined) return known;
  const wide = wideOf(survey.head);
  if (wide) return wide;
  if (survey.isUtf8 || isDamagedUtf8(survey.foreign)) return 'utf-8';
  const guess = await guessed(survey.foreign);
  return guess === WINDOWS && UTF8_BESIDE.test(survey.foreign.toString('latin1')) ? 'utf-8' : guess;
}

/** A small letter in UTF-8, in a file that has other bytes, too: Western text hardly ever holds `Ã©`. */
const UTF8_BESIDE = /(?<![\x80-\xff])\xc3[\xa0-\xbf](?![\x80-\xff])/;
const WINDOWS = 'windows-1252';
const isUtf8Name = (encoding: string): boolean => encoding === 'utf-8' || encoding === 'utf-8-bom';

function knownEncoding(wanted: string): string {
  if (wanted.toLowerCase() === 'utf-8-bom') return 'utf-8-bom';
  try {
    return new TextDecoder(wanted).encoding;
  } catch {
    throw new ServiceError('usage', `${shownValue(wanted)} is not an encoding that pm reads`, {
      hint: 'Common ones are utf-8, utf-16le, utf-16be and windows-1252.',
    });
  }
}

/** UTF-16 without a mark: Western text has a zero in every other byte. */
function wideOf(head: Buffer): string | undefined {
  const zeros = [0, 0];
  for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = head.length / 5;
  if (odd > many && even < odd / 10) return 'utf-16le';
  if (even > many && odd < even / 10) return 'utf-16be';
  return undefined;
}

const RUNS = /[\x80-\xff]+/g;

/** Is this UTF-8 that was spoilt here and there? In other encodings runs of foreign bytes are hardly ever good UTF-8. */
function isDamagedUtf8(bytes: Buffer): boolean {
  const runs = bytes.toString('latin1').match(RUNS) ?? [];
  const good = runs.filter((run) => isUtf8(Buffer.from(run, 'latin1'))).length;
  return good > runs.length / 2;
}

const CERTAIN = 30;
const CLEARLY = 20;
/** Fewer bytes beyond ASCII are not enough for a guess. */
const ENOUGH = 16;
const WESTERN = /^(?:ISO-8859-(?:1|2|9|15)|windows-125[024]|UTF-|ASCII)/i;

/** Most tables that are no UTF-8 are Western; another encoding must be both likely and much likelier than that. */
async function guessed(bytes: Buffer): Promise<string> {
  if (bytes.filter((byte) => byte >= 0x80).length < ENOUGH) return WINDOWS;
  const { analyse } = await import('chardet');
  const candidates = analyse(bytes);
  const [best] = candidates;
  const western = candidates.find(({ name }) => WESTERN.test(name))?.confidence ?? 0;
  if (!best || best.confidence < CERTAIN || best.confidence - western < CLEARLY) return WINDOWS;
  try {
    return new TextDecoder(best.name).encoding;
  } catch {
    return WINDOWS;
  }
}

/** The text of a file in pieces, without the mark at its beginning. Bytes that are no character become U+FFFD. */
export async function* textOf(source: Source, encoding: string): AsyncGenerator<string> {
  const decode = decoderOf(encoding);
  for await (const piece of source.chunks()) yield decode(piece);
  yield decode();
}

/** How a file begins, as far as these bytes hold whole characters. */
export const beginningOf = (head: Buffer, encoding: string): string => decoderOf(encoding)(head);

/** A decoder of one piece after another; without a piece it gives what is left. */
function decoderOf(encoding: string): (piece?: Buffer) => string {
  if (encoding === WINDOWS) return (piece) => (piece ? decodeWindows1252(piece) : '');
  const decoder = new TextDecoder(isUtf8Name(encoding) ? 'utf-8' : encoding);
  return (piece) => decoder.decode(piece, { stream: piece !== undefined });
}

/** The text of a file as UTF-8 bytes, without the mark at its beginning. */
export async function* utf8Of(source: Source, encoding: string): AsyncGenerator<Buffer> {
  if (!isUtf8Name(encoding)) {
    for await (const text of textOf(source, encoding)) if (text !== '') yield Buffer.from(text);
    return;
  }
  let isFirst = true;
  for await (const piece of source.chunks()) {
    yield isFirst && encoding === 'utf-8-bom' ? piece.subarray(3) : piece;
    isFirst = false;
  }
}

/** Adds a fault for each line that holds bytes which are no characters of the encoding. */
export async function findUndecodable(source: Source, encoding: string, faults: FaultList): Promise<void> {
  let line = 1;
  let before = '';
  let lastReported = 0;
  for await (const text of textOf(source, encoding)) {
    const all = before + text;
    const end = Math.max(all.lastIndexOf('\n') + 1, all.length - LONG);
    for (const one of all.slice(0, end).matchAll(/(\n|\r(?!\n))|\uFFFD/g)) {
      if (one[1]) line++;
      else if (line !== lastReported) {
        faults.add(undecodable(line, encoding, all, one.index));
        lastReported = line;
      }
    }
    before = all.slice(end);
  }
  if (before.includes('\uFFFD') && line !== lastReported)
    faults.add(undecodable(line, encoding, before, before.indexOf('\uFFFD')));
}

/** How much of a line without end is looked at together. */
const LONG = 1 << 16;

function undecodable(line: number, encoding: string, text: string, at: number) {
  const around = text.slice(Math.max(0, at - 30), at + 30).split(/[\r\n]/);
  return {
    line,
    value: shownValue(around.find((part) => part.includes('\uFFFD'))),
    message: `holds bytes that are not ${encoding}`,
    hint: 'Save the file as UTF-8, or name its encoding: --encoding windows-1252.',
  };
}

/** Must the file be looked at for bytes that are no characters? */
export const mayBeUndecodable = (survey: Survey, encoding: string): boolean =>
  isUtf8Name(encoding) ? !survey.isUtf8 : encoding !== WINDOWS;

/** The characters of the bytes 80 to 9F. Five of them stand for themselves, as the WHATWG standard has it. */
const SPECIAL = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

/** The text in those bytes: each is a character. */
const decodeWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\x80-\x9f]/g, (sign) => SPECIAL[sign.charCodeAt(0) - 0x80] ?? sign);
