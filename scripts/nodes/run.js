// npm run test:nodes: what must work on every version of Node that pm names, with the built program, on each of them.
// npx brings the versions. One that cannot be had is a failure.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executable } from './executable.js';
import { smoke } from './smoke.js';

const VERSIONS = ['22', '24', '26'];
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
/** Node tells the end of a connection differently in each version. */
const LAW = ['node_modules/vitest/vitest.mjs', 'run', 'test/laws/leaving.test.ts'];

function keepsLaw(node) {
  const { status, stdout, stderr } = spawnSync(node, LAW, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${LAW.at(-1)} failed:\n${stdout}${stderr}`);
}

let failed = 0;
for (const version of VERSIONS) {
  try {
    const node = executable(version);
    await smoke(node.path);
    keepsLaw(node.path);
    console.log(`ok      Node ${node.version}`);
  } catch (error) {
    failed += 1;
    console.log(`failed  Node ${version}: ${error.message}`);
  }
}
console.log(`${VERSIONS.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
