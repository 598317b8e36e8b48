// Memory for files that need a checksum as soon as they are read: half a millisecond for a megabyte and a half. The checksums of
// Node are in modules that take four to load, and a loop in JavaScript takes as long until V8 has compiled it.

/**
 * A module of WebAssembly: `room`, its memory, of a mebibyte at first; and `sum(end, before)`, of the bytes up to `end`:
 *
 *   mix(x) = y ^ (y >>> 32), where y = x * 0x9e3779b97f4a7c15
 *   a = b = c = d = before
 *   for each four words of eight bytes: a = mix(a ^ first), b = mix(b ^ second), c = mix(c ^ third), d = mix(d ^ fourth)
 *   sum = mix(a ^ mix(b ^ mix(c ^ mix(d))))
 */
const MODULE =
  'AGFzbQEAAAABBwFgAn9+AX4DAgEABQMBABAHDgIEcm9vbQIAA3N1bQAACssBAcgBAgF/BH5Clfip+pe33puefyEGIAEiAyIEIQUDQCABIAIpAwCFIAZ+IgEgAUIgiIUhASADIAIpAwiFIAZ+IgMgA0IgiIUhAyAEIAIpAxCFIAZ+IgQgBEIgiIUhBCAFIAIpAxiFIAZ+IgUgBUIgiIUhBSACQSBqIgIgAEkNAAsgBUIAhSAGfiIFIAVCIIiFIQUgBCAFhSAGfiIEIARCIIiFIQQgAyAEhSAGfiIDIANCIIiFIQMgASADhSAGfiIBIAFCIIiFIQEgAQs=';

/** The types of Node 20 do not have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
};

interface Exports {
  readonly room: { readonly buffer: ArrayBuffer; grow(pages: number): void };
  sum(end: number, before: bigint): bigint;
}

const PAGE = 65_536;
/** How many bytes are summed up at once. */
const STEP = 32;

let loaded: Exports | undefined;

function exports(): Exports {
  loaded ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(MODULE, 'base64'))).exports;
  return loaded;
}

/** The one memory, with room for so many bytes. Where it has to grow, an earlier room cannot be used any more. */
export function room(size: number): Buffer {
  const memory = exports().room;
  const missing = size + STEP - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return Buffer.from(memory.buffer);
}

/**
 * The checksum of the first bytes of the room, of 64 bits; one other byte always makes another one. Up to 31 bytes behind them are
 * lost. `before` is the checksum of the source that the bytes belong to.
 */
export function checksum(size: number, before = 0n): bigint {
  const end = Math.ceil(size / STEP) * STEP;
  room(size).fill(0, size, end);
  return BigInt.asUintN(64, exports().sum(end, before ^ BigInt(size)));
}
