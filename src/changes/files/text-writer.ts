// Writes text to a stream in the encoding of a dialect, and never loses a character to it.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { encodeWindows1252 } from './windows-1252.ts';

export interface TextWriter {
  add(text: string): Promise<void>;
  /** Writes what is left; the stream stays open. Answers a note where another encoding had to be taken. */
  end(): Promise<string | undefined>;
}

/**
 * A writer in that encoding. What cannot tell beforehand whether all will fit holds up to 16 MiB, and becomes
 * `utf-8-bom` if it does not fit or grows longer.
 */
export function textWriter(stream: Writable, encoding: string): TextWriter {
  const encode = ENCODERS[encoding];
  if (!encode) return hopeful(stream, encoding);
  let isFirst = true;
  return {
    async add(text) {
      const mark = isFirst && MARKED.has(encoding) ? '\uFEFF' : '';
      isFirst = false;
      await send(stream, encode(mark + text));
    },
    end: async () => undefined,
  };
}

const ENCODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8-bom': (text) => Buffer.from(text),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
};
const MARKED = new Set(['utf-8-bom', 'utf-16le', 'utf-16be']);
const MOST_WAITING = 16 << 20;

async function send(stream: Writable, bytes: Buffer): Promise<void> {
  if (!stream.write(bytes)) await once(stream, 'drain');
}

function hopeful(stream: Writable, encoding: string): TextWriter {
  let waiting: string[] = [];
  let length = 0;
  let instead: TextWriter | undefined;
  const giveUp = async (): Promise<TextWriter> => {
    const writer = textWriter(stream, 'utf-8-bom');
    for (const text of waiting) await writer.add(text);
    waiting = [];
    return writer;
  };
  return {
    async add(text) {
      if (instead) return instead.add(text);
      waiting.push(text);
      length += text.length;
      if (length > MOST_WAITING) instead = await giveUp();
    },
    async end() {
      const bytes = instead || encoding !== 'windows-1252' ? undefined : encodeWindows1252(waiting.join(''));
      if (bytes) await send(stream, bytes);
      else instead ??= await giveUp();
      return bytes
        ? undefined
        : `The file is written in UTF-8 with a mark, not in ${encoding}, so that no character is lost.`;
    },
  };
}
