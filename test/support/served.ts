// The database of a test, served on this machine, and the profile prod that leads there.
import { beforeEach, onTestFinished } from 'vitest';
import { openServing } from '../../src/cli/serving.ts';
import type { Backend } from '../../src/contract/call.ts';
import { openServer } from '../../src/server/index.ts';
import { NOW, type Pm } from './pm.ts';

/** The user of the profile, where requests are logged, and what stands before the engine. */
interface Manner {
  readonly user?: string;
  readonly log?: (line: string) => void;
  readonly over?: (behind: Backend) => Backend;
}

/** Serves it until the test ends. The user is admin, if none is named; the password has to be set before. */
export async function serve(pm: Pm, { user = 'admin', log = () => undefined, over }: Manner = {}): Promise<void> {
  const serving = await openServing({ home: pm.home, owner: 'admin', clock: () => NOW });
  const backend = over?.(serving.backend) ?? serving.backend;
  const served = await openServer({ backend, clock: () => NOW, log });
  onTestFinished(async () => {
    await served.close();
    await serving.close();
  });
  await pm(`profiles add prod --url ${served.url} --user ${user}`).says('Added');
}

/** Serves it during each test. */
export const servedAsProd = (pm: Pm, manner?: Manner): void => beforeEach(() => serve(pm, manner));
