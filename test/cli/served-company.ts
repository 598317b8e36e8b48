// The small company on a service: what pm serve answers, and a profile `prod` of its administrator.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, onTestFinished } from 'vitest';
import { openServing } from '../../src/cli/serving.ts';
import { openServer } from '../../src/server/index.ts';
import { NOW, usingPm } from '../support/pm.ts';
import { company } from './company.ts';

const PASSWORD = 'Correct-horse-1';

/** Answers the database of `pm` by an endpoint until the test ends, and adds the profile `prod` of its administrator. */
export async function serve(pm: ReturnType<typeof usingPm>): Promise<void> {
  const serving = await openServing({ home: pm.home, owner: 'admin', clock: () => NOW });
  const served = await openServer({ backend: serving.backend, clock: () => NOW, log: () => undefined });
  onTestFinished(async () => {
    await served.close();
    await serving.close();
  });
  await pm(`profiles add prod --url ${served.url} --user admin`).says('Added');
}

/** `pm` is on the database itself, `remote` asks the service; `file` writes lines into the home. */
export function usingServedCompany() {
  const pm = usingPm(async (one) => {
    await company(one);
    await one('passwd --new-password-stdin', { stdin: PASSWORD }).says('is set');
  });
  beforeEach(() => serve(pm));
  return {
    pm,
    remote: (line: string) => pm(`-p prod ${line}`, { env: { PM_PASSWORD: PASSWORD } }),
    file: (name: string, ...lines: readonly string[]): void =>
      writeFileSync(join(pm.home, name), `${lines.join('\n')}\n`),
  };
}
