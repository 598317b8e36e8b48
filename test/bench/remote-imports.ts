// P10: a file imported into pm serve, every row journaled before it is sent, against undici that posts the same rows.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Line, rateLine } from './line.ts';
import { type Program, pm, processTime } from './processes.ts';
import { onServer, PASSWORD, PATH } from './served.ts';
import { makeIndividuals } from './site.ts';
import { writeTable } from './table-file.ts';
import { medians } from './timing.ts';

const COUNT = 20_000;
const ROUNDS = 3;
const CONNECTIONS = 16;
const GOAL = 0.65;

/** Imports so many accountabilities of one individual as new ones, each time of another one: none is there already. */
export const remoteImports = (root: string): Promise<Line> =>
  onServer(root, async ({ server: { url }, authorization, site }) => {
    const home = mkdtempSync(join(tmpdir(), 'pm-bench-remote-'));
    try {
      const file = join(home, 'accountabilities.csv');
      const owners = [...(await makeIndividuals(site, 2 * (ROUNDS + 1)))];
      const anew = (program: Program): Promise<number> => {
        writeTable(file, owners.splice(0, 1), COUNT);
        return processTime(program);
      };
      const { user } = site;
      const line = `import accountabilities ${file} --mode create --yes --concurrency ${CONNECTIONS}`;
      const env = { PM_URL: url, PM_USER: user, PM_PASSWORD: PASSWORD };
      const ours: Program = { root, home, user, args: pm(root, line), env };
      const bare: Program = {
        ...ours,
        args: [join(root, 'test/bench/bare-posts.js'), `${url}${PATH}`, file, String(CONNECTIONS), authorization],
      };
      const time = await medians(ROUNDS, { ours: () => anew(ours), limit: () => anew(bare) });
      const what = `import into pm serve, ${COUNT.toLocaleString('en')} rows, ${CONNECTIONS} connections`;
      return rateLine({ row: 'P10', what, count: COUNT, goal: GOAL, ...time });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
