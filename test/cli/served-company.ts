// The small company on a service: what pm serve answers, and a profile `prod` of its administrator.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Pm, usingPm } from '../support/pm.ts';
import { servedAsProd } from '../support/served.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';

/**
 * `pm` is on the database itself, `remote` asks the service; `file` writes lines into the home. `more` adds to the
 * company, and `log` hears of each request.
 */
export function usingServedCompany(more?: (pm: Pm) => Promise<unknown>, log?: (line: string) => void) {
  const pm = usingPm(async (one) => {
    await company(one);
    await more?.(one);
    await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
  });
  servedAsProd(pm, log && { log });
  return {
    pm,
    remote: (line: string | readonly string[]) =>
      pm(typeof line === 'string' ? `-p prod ${line}` : ['-p', 'prod', ...line], { env: { PM_PASSWORD: PASSWORD } }),
    file: (name: string, ...lines: readonly string[]): void =>
      writeFileSync(join(pm.home, name), `${lines.join('\n')}\n`),
  };
}
