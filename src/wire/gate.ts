// The limits of everything that is read: size, UTF-8, depth and the number of values.
import { ServiceError } from '../contract/errors.ts';

export const LIMITS = {
  /** Bytes of one body. */
  body: 1 << 20,
  /** Characters of one record in an answer. */
  record: 1 << 26,
  depth: 32,
  /** Values of one body: members, elements, attributes. */
  nodes: 10_000,
} as const;

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The error for malformed input. */
export const malformed = (message: string, cause?: unknown): ServiceError =>
  new ServiceError('invalid', message, cause === undefined ? {} : { cause });

/** Reads a body to its end. Throws `too_large` after `limit` bytes, without reading on. */
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

/** Decodes UTF-8 without a leading BOM. Throws `invalid`. */
export function decodeUtf8(bytes: Uint8Array): string {
  const decoder = utf8();
  return decoder.part(bytes) + decoder.end();
}

/** The same for bytes in chunks. */
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

/** Counts the depth and the values of one body. Throws `invalid` at the limit. */
export function meter(nodes: number = LIMITS.nodes): { enter(): void; leave(): void; count(): void } {
  let depth = 0;
  let counted = 0;
  return {
    enter() {
      if (++depth > LIMITS.depth) throw malformed(`the text is nested more than ${LIMITS.depth} deep`);
    },
    leave() {
      depth--;
    },
    count() {
      if (++counted > nodes) throw malformed(`the text holds more than ${nodes} values`);
    },
  };
}

/** Throws `invalid` for a record that is too long. */
export function checkRecordSize(size: number): void {
  if (size > LIMITS.record) throw malformed(`the answer has no end of a record within ${LIMITS.record} characters`);
}
