// A folder that pm serve can serve as a process of its own: in its database the administrator, admin, has a password.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pmIn } from './pm.ts';

export const PASSWORD = 'Correct-horse-1';

let known: Buffer | undefined;

/** Makes such a folder. Its database is made once in each process of tests; to copy it takes less time. */
export async function servedHome(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'pm-served-'));
  const file = join(home, 'local.db');
  if (known) writeFileSync(file, known, { mode: 0o600 });
  else await pmIn(() => home)('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
  known ??= readFileSync(file);
  return home;
}
