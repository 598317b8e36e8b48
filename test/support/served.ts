// The database of a test, served on this machine, and the profile prod that leads there.
import { beforeEach } from 'vitest';
import { openServing } from '../../src/cli/serving.ts';
import { openServer } from '../../src/server/index.ts';
import { NOW, type Pm } from './pm.ts';

/** Serves it during each test. The user is admin, whose password has to be set before. */
export const servedAsProd = (pm: Pm): void =>
  beforeEach(async () => {
    const serving = await openServing({ home: pm.home, owner: 'admin', clock: () => NOW });
    const served = await openServer({ backend: serving.backend, clock: () => NOW, log: () => undefined });
    await pm(`profiles add prod --url ${served.url} --user admin`).says('Added');
    return async () => {
      await served.close();
      await serving.close();
    };
  });
