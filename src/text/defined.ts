// Leaves out undefined members: plain data has none, in memory as in JSON.

/** Members may be undefined, also required ones: telling them apart would cost the compiler a condition for each member. */
export type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };

/** The members that are not undefined, in their order. The type is the expected one. */
export function defined<T extends object>(members: NoInfer<Loose<T>>): T {
  const found: Partial<T> = {};
  for (const name in members as T) if ((members as T)[name] !== undefined) found[name] = (members as T)[name];
  return found as T;
}

/** The object; undefined if it has no members. */
export const nonEmpty = <T extends object>(members: T): T | undefined =>
  Object.keys(members).length > 0 ? members : undefined;

/** An object with members, and no list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
