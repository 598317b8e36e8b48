// npm run test:nodes: what must work on every version of Node that pm names, with the built program, on each of them.
// npx brings the versions. One that cannot be had is a failure.
import { executable } from './executable.js';
import { smoke } from './smoke.js';

const VERSIONS = ['22', '24', '26'];

let failed = 0;
for (const version of VERSIONS) {
  try {
    const node = executable(version);
    await smoke(node.path);
    console.log(`ok      Node ${node.version}`);
  } catch (error) {
    failed += 1;
    console.log(`failed  Node ${version}: ${error.message}`);
  }
}
console.log(`${VERSIONS.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
