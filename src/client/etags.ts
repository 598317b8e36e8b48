// The ETags of the records that were read, to be sent with their next update (D10).

export interface Etags {
  /** Keeps the one of an answer; forgets the old one where the answer has none that can be sent back. */
  keep(path: string, etag: string | undefined): void;
  get(path: string): string | undefined;
  /** The service makes them as the contract does, as far as is known. */
  areOurs: boolean;
}

const MOST = 10_000;

export function etagMemory(): Etags {
  const known = new Map<string, string>();
  return {
    keep(path, etag) {
      known.delete(path);
      // A weak one (W/"…") is no match for If-Match.
      if (etag === undefined || !/^"[^"]*"$/.test(etag)) return;
      known.set(path, etag);
      for (const oldest of known.keys()) {
        if (known.size <= MOST) break;
        known.delete(oldest);
      }
    },
    get: (path) => known.get(path),
    areOurs: false,
  };
}
