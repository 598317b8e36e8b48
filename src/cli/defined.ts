// Objects without undefined members: an optional member may be missing, but not undefined.

export type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The same object without its undefined members. */
export const defined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
