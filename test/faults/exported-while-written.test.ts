// A site that is exported while other programs write to it: each export is one state of it. The floor: 3 exports of each
// kind; the long run: 60.
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inLong } from '../support/long.ts';
import { pmIn } from '../support/pm.ts';
import { programIn } from '../support/program.ts';
import { filesIn } from '../support/site-folder.ts';
import { spawnPm } from '../support/terminal.ts';
import { listening } from './acknowledging.ts';
import { usingGround } from './ground.ts';

const EXPORTS = inLong(3, 60);
const ground = usingGround();

/** Makes a department, a metric of it and an accountability of the caller, each three in one transaction, and says the name. */
const PROGRAM = `
  import { contract, resources } from './src/contract/index.ts';
  import { computedFields, openEngine } from './src/engine/index.ts';
  import { openSqlite } from './src/engine/store/sqlite/store.ts';
  const [file = ''] = process.argv.slice(2);
  const parts = { clock: () => new Date(), newID: () => crypto.randomUUID(), owner: 'admin' };
  const store = await openSqlite({ file, resources, computed: computedFields });
  const session = await openEngine({ ...parts, store }).open({ user: 'admin' });
  for (let n = 0; ; n++) {
    const Name = 'new ' + process.pid + ' ' + n;
    await session.local!.transaction(async (inner) => {
      const make = (resource, body) => inner.call(contract[resource].operations.create, { body: { Rank: 1, Name, ...body } });
      const { ID } = await make('organization', { ParentID: session.me.site });
      await make('metric', { AncestorID: ID, Description: 'x' });
      await make('accountability', { AncestorID: session.me.id, Description: 'x' });
    });
    process.stdout.write(Name + '\\n');
    // Each export is of more records: a site that grows too fast would never be exported sixty times.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
`;

const namesIn = (text: string): readonly string[] => [...text.matchAll(/new \d+ \d+/g)].map(([name]) => name).sort();

it(`each of ${EXPORTS} exports of a whole site holds what was acknowledged before it began, and nothing by half`, async () => {
  const home = ground.home();
  const writer = listening(await programIn(ground.root, PROGRAM), join(home, 'local.db'));
  await writer.heard(3);
  for (let turn = 0; turn < EXPORTS; turn++) {
    const before = [...writer.said];
    const folder = join(mkdtempSync(join(ground.root, 'export-')), 'site');
    const { exit, err } = await spawnPm(['export', '--dir', folder], home);
    expect({ exit, err: err.includes('error') }).toEqual({ exit: 0, err: false });
    const files = Object.entries(filesIn(folder)).filter(([path]) => path.startsWith('departments/'));
    const departments = namesIn(files.map(([, text]) => /^Name: .*$/m.exec(text)?.[0]).join('\n'));
    const metrics = namesIn(files.map(([, text]) => /^Metrics:[\s\S]*$/m.exec(text)?.[0]).join('\n'));
    const accountabilities = namesIn(readFileSync(join(folder, 'individuals', 'admin.yaml'), 'utf8'));
    expect({ metrics, accountabilities }).toEqual({ metrics: departments, accountabilities: departments });
    expect(before.length).toBeGreaterThan(0);
    expect(before.filter((name) => !departments.includes(name))).toEqual([]);
    expect(writer.child.exitCode).toBeNull();
    await writer.heard(1);
  }
  await writer.kill();
  await pmIn(() => home)('doctor').prints();
});
