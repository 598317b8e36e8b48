// P17: a file imported into a service that answers after 50 ms, as many rows at once as pm finds out, against the best fixed
// number of those that it chooses among.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverProcess } from '../support/server-process.ts';
import { type Line, rateLine } from './line.ts';
import { pm, processTime } from './processes.ts';
import { onServer, PASSWORD } from './served.ts';
import { makeIndividuals } from './site.ts';
import { writeTable } from './table-file.ts';

const COUNT = 5000;
const LATENCY_MS = 50;
const GOAL = 0.8;

export const adaptiveImports = (root: string): Promise<Line> =>
  onServer(root, async ({ server: { url }, site }) => {
    const home = mkdtempSync(join(tmpdir(), 'pm-bench-adaptive-'));
    const slow = await serverProcess([join(root, 'test/bench/slow-service.js'), new URL(url).port, String(LATENCY_MS)]);
    try {
      const file = join(home, 'accountabilities.csv');
      const { user } = site;
      // Each time of another individual, of whom none is there already.
      const owners = [...(await makeIndividuals(site, 3))];
      const env = { PM_URL: slow.url, PM_USER: user, PM_PASSWORD: PASSWORD };
      const imported = (flags = ''): Promise<number> => {
        writeTable(file, owners.splice(0, 1), COUNT);
        const args = pm(root, `import accountabilities ${file} --mode create --yes${flags}`);
        return processTime({ root, home, user, env, args });
      };
      // Each takes minutes, nearly all of them latency: once is enough.
      const ours = await imported();
      const four = await imported(' --concurrency 4');
      const eight = await imported(' --concurrency 8');
      const what = `import, ${COUNT.toLocaleString('en')} rows, ${LATENCY_MS} ms of latency`;
      return rateLine({
        row: 'P17',
        what,
        count: COUNT,
        goal: GOAL,
        ours,
        limit: Math.min(four, eight),
      });
    } finally {
      await slow.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true });
    }
  });
