// Windows-1252, the encoding of Western spreadsheets: the platform does not write it, and some versions misread it.

/** The characters of the bytes 80 to 9F. Five of them stand for themselves, as the WHATWG standard has it. */
const SPECIAL = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';
const BYTES: ReadonlyMap<string, number> = new Map([...SPECIAL].map((sign, at) => [sign, 0x80 + at]));

/** The text in those bytes: each is a character. */
export const decodeWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\x80-\x9f]/g, (sign) => SPECIAL[sign.charCodeAt(0) - 0x80] ?? sign);

/** The bytes of a text; undefined where a character has none. */
export function encodeWindows1252(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isLatin = code < 0x80 || (code >= 0xa0 && code <= 0xff);
    const byte = isLatin ? code : BYTES.get(text[at] ?? '');
    if (byte === undefined) return undefined;
    bytes[at] = byte;
  }
  return bytes;
}
