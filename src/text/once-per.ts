// Answers that are kept: the contract does not change while the program runs, and the last question often comes again.

/** The same function, which works out its answer for each object once. */
export function oncePer<K extends object, T>(find: (of: K) => T): (of: K) => T {
  const found = new WeakMap<K, T>();
  return (of) => {
    const known = found.get(of);
    if (known !== undefined) return known;
    const made = find(of);
    found.set(of, made);
    return made;
  };
}

/** The same function, which works out its answer for each text once. */
export function oncePerText<T>(find: (of: string) => T): (of: string) => T {
  const found = new Map<string, T>();
  return (of) => valueAt(found, of, find);
}

/** What the map holds under this key; where it holds nothing yet, that is made and kept in it. */
export function valueAt<K, T>(map: Map<K, T>, key: K, make: (key: K) => NoInfer<T>): T {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make(key);
  map.set(key, made);
  return made;
}

/** The same function, which works out its answer once. */
export function once<T>(find: () => T): () => T {
  let found: { readonly answer: T } | undefined;
  return () => {
    found ??= { answer: find() };
    return found.answer;
  };
}

/** The same function, which keeps its latest answer. */
export function keepingLatest<K, T>(find: (of: K) => T): (of: K) => T {
  let latest: { readonly of: K; readonly found: T } | undefined;
  return (of) => {
    if (latest?.of !== of) latest = { of, found: find(of) };
    return latest.found;
  };
}
