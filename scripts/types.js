// Checks the types of src and test, and that they are no harder than their budget: one run of the compiler tells both.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The compiler's own measure of how hard types are; one thread, so that it is the same on every machine. Most of it are
 * the types of the web server, 50,000 those of the protocol for agents, 9,000 those of zod, 2,000 those of
 * PostgreSQL's client, and 1,000 those of threads.
 */
const INSTANTIATIONS = 495_000;

const PASSED = `error: the types cost the compiler more than their budget
hint: A new resource costs about 500: raise INSTANTIATIONS in scripts/types.js by that, in the same commit. For more than that,
      npx tsc --noEmit --generateTrace <folder> shows which types cost most; mostly one literal is inferred that could be named.`;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const words = [tsc, '--noEmit', '--singleThreaded', '--extendedDiagnostics'];
const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
const instantiations = Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1]);

if (status !== 0) process.stdout.write(stdout);
process.stderr.write(stderr);
const isWithin = instantiations <= INSTANTIATIONS;
console.log(`${instantiations} instantiations of types; the budget is ${INSTANTIATIONS}`);
if (!isWithin) console.error(PASSED);
process.exitCode = status || (isWithin ? 0 : 1);
