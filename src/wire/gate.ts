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

export const malformed = (message: string, cause?: unknown): ServiceError =>
  new ServiceError('invalid', message, cause === undefined ? {} : { cause });

/** Reads a body to its end. Throws `too_large` after `limit` bytes, without reading on. */
export async function readBytes(chunks: Chunks, limit: number = LIMITS.body): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > limit)
      throw new ServiceError('too_large', `the body is larger than ${limit} bytes, the most that is read`, {
        hint: 'Send one record at a time.',
      });
    parts.push(chunk);
  }
  return Buffer.concat(parts, size);
}

/** Decodes UTF-8 without a leading BOM. Throws `invalid`. */
export const decodeUtf8 = (bytes: Uint8Array): string => decode(newDecoder(), bytes);

/** The same for bytes in chunks. */
export async function* decodeChunks(chunks: Chunks): AsyncGenerator<string> {
  const decoder = newDecoder();
  for await (const chunk of chunks) {
    const text = decode(decoder, chunk, true);
    if (text !== '') yield text;
  }
  const rest = decode(decoder);
  if (rest !== '') yield rest;
}

const newDecoder = () => new TextDecoder('utf-8', { fatal: true });

function decode(decoder: ReturnType<typeof newDecoder>, bytes?: Uint8Array, stream = false): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (cause) {
    throw malformed('the text is not well-formed UTF-8', cause);
  }
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
