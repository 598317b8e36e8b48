// Builds dist/: the program in a few files, the pages and topics of help, and the notices of the packages inside.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The library of the page at /docs; it is no part of the bundle, since the browser loads it. */
const DOCS = 'swagger-ui-dist';

// Built beside it and put in its place whole: a build that fails leaves the last good one.
const fresh = join(root, `.dist-${process.pid}`);
const inputs = await bundle({ root, dist: fresh, define: { 'process.env.PM_VERSION': JSON.stringify(version) } });
writeFileSync(join(fresh, 'package.json'), '{ "type": "commonjs" }\n');
cpSync(join(root, 'src/cli/help'), join(fresh, 'help'), { recursive: true });
copyDocs(join(fresh, 'docs'));
await writeDerived();
writeFileSync(join(fresh, 'NOTICES.txt'), notices([...inputs, `node_modules/${DOCS}/`]));
rmSync(dist, { recursive: true, force: true });
renameSync(fresh, dist);

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

/** The licence of every package that went into the bundle. */
function notices(files) {
  const packages = new Set(
    files.map((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean),
  );
  return [...packages].sort().map(notice).join('\n\n');
}

function notice(name) {
  const folder = join(root, 'node_modules', name);
  const { version: used, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE', 'license.md', 'LICENSE-MIT.txt'];
  const text = files.map((file) => read(join(folder, file))).find((found) => found !== undefined);
  return `${name} ${used} (${license})\n\n${text ?? `Licensed under ${license}.`}`;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
