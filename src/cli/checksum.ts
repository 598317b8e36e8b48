// A checksum of megabytes within a millisecond. Those of Node are in modules that take four of them to load, and a loop in JavaScript
// is as slow until V8 has compiled it.

/**
 * (module
 *   (memory (export "page") 1)
 *   (func (export "sum") (param $end i32) (param $sum i64) (result i64) (local $at i32)
 *     (loop $next
 *       (local.set $sum (i64.mul (i64.xor (local.get $sum) (i64.load (local.get $at))) (i64.const 0x9e3779b97f4a7c15)))
 *       (local.set $sum (i64.xor (local.get $sum) (i64.shr_u (local.get $sum) (i64.const 32))))
 *       (local.set $at (i32.add (local.get $at) (i32.const 8)))
 *       (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
 *     (local.get $sum)))
 */
const MODULE =
  'AGFzbQEAAAABBwFgAn9+AX4DAgEABQMBAAEHDgIEcGFnZQIAA3N1bQAACjUBMwEBfwNAIAEgAikDAIVClfip+pe33puef34iASABQiCIhSEBIAJBCGoiAiAASQ0ACyABCw==';

/** The types of Node 20 do not have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
};

interface Exports {
  readonly page: { readonly buffer: ArrayBuffer };
  /** Of the first bytes of the page, so many, rounded up to eight. */
  sum(end: number, before: bigint): bigint;
}

let exports: Exports | undefined;

/** Of 64 bits, which every change within eight bytes changes. `before`: the checksum of what stands before the bytes. */
export function checksum(bytes: Uint8Array, before = 0n): bigint {
  exports ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(MODULE, 'base64'))).exports;
  const page = new Uint8Array(exports.page.buffer);
  let sum = before ^ BigInt(bytes.length);
  for (let at = 0; at < bytes.length; at += page.length) {
    const part = bytes.subarray(at, at + page.length);
    page.fill(0, part.length);
    page.set(part);
    sum = exports.sum(part.length, sum);
  }
  return BigInt.asUintN(64, sum);
}
