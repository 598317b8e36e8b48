// Builds dist/: the program in a few files, the pages and topics of help, and what tells of the packages inside.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';
import { billOfMaterials, notices, packagesOf } from './inside.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The library of the page at /docs; it is no part of the bundle, since the browser loads it. */
const DOCS = 'swagger-ui-dist';

// Built beside it and put in its place whole: a build that fails leaves the last good one.
const fresh = join(root, `.dist-${process.pid}`);
const inputs = await bundle({
  root,
  dist: fresh,
  define: { 'process.env.PM_VERSION': JSON.stringify(builtVersion()) },
});
writeFileSync(join(fresh, 'package.json'), '{ "type": "commonjs" }\n');
cpSync(join(root, 'src/cli/help'), join(fresh, 'help'), { recursive: true });
mkdirSync(join(fresh, 'samples'));
cpSync(join(root, 'src/sites/samples/small.jsonl'), join(fresh, 'samples/small.jsonl'));
copyDocs(join(fresh, 'docs'));
await writeDerived();
const packages = packagesOf(root, [
  ...inputs,
  ...[DOCS, ...Object.keys(ours.dependencies)].map((name) => `node_modules/${name}/`),
]);
writeFileSync(join(fresh, 'NOTICES.txt'), notices(packages));
writeFileSync(join(fresh, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(ours, packages), null, 2)}\n`);
rmSync(dist, { recursive: true, force: true });
renameSync(fresh, dist);

/** The version, and in a checkout the commit; `changed` where what goes into the build differs from it. */
function builtVersion() {
  const git = (...words) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    // The folder may lie in the checkout of something else.
    if (git('rev-parse', '--show-prefix') !== '') return ours.version;
    const changes = git('status', '--porcelain', '--', 'bin', 'src', 'scripts', 'package.json', 'package-lock.json');
    return `${ours.version} (${git('rev-parse', 'HEAD').slice(0, 8)}${changes === '' ? '' : ', changed'})`;
  } catch {
    return ours.version;
  }
}

/** What completion knows of every command, and the pages of help; the programs that make them are not shipped. */
async function writeDerived() {
  const made = createRequire(join(fresh, 'build.js'));
  const table = await made('./complete-table.js').makeTable(join(fresh, 'help'));
  writeFileSync(join(fresh, 'complete.json'), JSON.stringify(table));
  mkdirSync(join(fresh, 'pages'));
  for (const [file, page] of await made('./make-pages.js').makePages()) writeFileSync(join(fresh, 'pages', file), page);
  for (const name of ['complete-table', 'make-pages'])
    for (const end of ['js', 'js.map']) rmSync(join(fresh, `${name}.${end}`));
}

/** What the page loads, and the licences of what is inside. */
function copyDocs(folder) {
  const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'];
  for (const file of files) cpSync(join(root, 'node_modules', DOCS, file), join(folder, file), { dereference: true });
}
