// What is read off the contract is read once: it does not change while the program runs.

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
