// The code of an error of the system, and its meaning for a file and for the storage.

/** `ENOENT`, `EPIPE` and the like; undefined for an error without one. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** The answer of the system about its user; undefined for a user without an entry, who is a number alone. */
export function ofUser<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (systemCode(error) !== 'ERR_SYSTEM_ERROR') throw error;
    return undefined;
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
};

/** Why a file cannot be read, in words; of an error that is none of the usual ones its code. */
export function whyUnreadable(error: unknown): string {
  const code = systemCode(error) ?? String(error);
  return UNREADABLE[code] ?? code;
}

const STORAGE: Readonly<Record<string, 'disk_full' | 'storage'>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EFBIG: 'disk_full',
  EIO: 'storage',
};

/** Is the storage full, or does it fail? Undefined for an error of something else. */
export const storageFault = (error: unknown): 'disk_full' | 'storage' | undefined => STORAGE[systemCode(error) ?? ''];
