// npm run bench: bundles the benchmarks, since Node 20 reads no TypeScript, and runs them. --full adds those that take minutes.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { executable } from '../../scripts/nodes/executable.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const outfile = join(root, 'node_modules/.cache/pm-bench/main.js');
await build({
  entryPoints: [join(root, 'test/bench/main.ts')],
  outfile,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
const { main } = await import(pathToFileURL(outfile).href);
await main({
  root,
  recent: executable('24'),
  full: process.argv.includes('--full'),
  only: process.argv.filter((word) => /^P\d+$/.test(word)),
});
