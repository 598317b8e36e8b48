// The code of an error of the system.

/** `ENOENT`, `EPIPE` and the like; undefined for an error without one. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
