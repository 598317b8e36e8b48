// The gate in front of both codecs: how much is read, that it is UTF-8, and how deep and wide it may be.
import { ServiceError } from '../contract/errors.ts';

export const LIMITS = {
  /** Bytes of one body. */
  body: 1 << 20,
  /** Characters of one record in a list that arrives. */
  record: 1 << 26,
  depth: 32,
  /** Values of one body: members, elements, attributes. */
  nodes: 10_000,
} as const;

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The error for bytes that are not what they claim to be. */
export const malformed = (message: string, cause?: unknown): ServiceError =>
  new ServiceError('invalid', message, cause === undefined ? {} : { cause });

/** Reads a body to its end; throws `too_large` as soon as it passes `limit` bytes, without reading on. */
export async function readBytes(chunks: Chunks, limit: number = LIMITS.body): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    parts.push(chunk);
  }
  return Buffer.concat(parts, size);
}

const tooLarge = (limit: number): ServiceError =>
  new ServiceError('too_large', `the body is larger than ${limit} bytes, the most that is read`, {
    hint: 'Send one record at a time.',
  });

/** The text of these bytes, without one leading BOM. Throws `invalid` where they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  const decoder = utf8();
  return decoder.part(bytes) + decoder.end();
}

/** The same for bytes that arrive in pieces. */
export async function* decodeChunks(chunks: Chunks): AsyncGenerator<string> {
  const decoder = utf8();
  for await (const chunk of chunks) {
    const text = decoder.part(chunk);
    if (text !== '') yield text;
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

function utf8(): { part(bytes: Uint8Array): string; end(): string } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const guarded = (decode: () => string): string => {
    try {
      return decode();
    } catch (cause) {
      throw malformed('the text is not well-formed UTF-8', cause);
    }
  };
  return {
    part: (bytes) => guarded(() => decoder.decode(bytes, { stream: true })),
    end: () => guarded(() => decoder.decode()),
  };
}

/** Counts the values of one body; throws `invalid` where it is too deep or has too many. */
export function meter(nodes: number = LIMITS.nodes): { enter(): void; leave(): void; count(more?: number): void } {
  let depth = 0;
  let counted = 0;
  return {
    enter() {
      if (++depth > LIMITS.depth) throw malformed(`the text is nested more than ${LIMITS.depth} deep`);
    },
    leave() {
      depth--;
    },
    count(more = 1) {
      counted += more;
      if (counted > nodes) throw malformed(`the text holds more than ${nodes} values`);
    },
  };
}

/** Throws `invalid` where so many characters of an answer went by without the end of a record. */
export function checkRecordSize(size: number): void {
  if (size > LIMITS.record) throw malformed(`the answer has no end of a record within ${LIMITS.record} characters`);
}
