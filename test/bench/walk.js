// How far one value walks: the source files with a function that runs for each row of an import, each list and each GET, and how
// many calls that takes. node test/bench/walk.js counts what the built program has run; its compiled code must not be kept.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const program = join(root, 'bin/pm.js');
/** Values that take the walk; a function that runs as often is on it. */
const TIMES = 600;
const PASSWORD = 'Correct-horse-1';
const home = mkdtempSync(join(tmpdir(), 'pm-walk-'));
const environment = { ...process.env, PM_HOME: home, USER: 'admin', NODE_OPTIONS: '' };

function pm(args, { env = {}, input = '' } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env: { ...environment, ...env },
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`pm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** The source files that ran as often, and the calls of each value in them. */
function walked(folder) {
  const files = new Map();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const { url, functions } of result) {
      if (!url.includes('/dist/') || url.includes('/packages/')) continue;
      const script = join(root, 'dist', basename(url));
      const text = readFileSync(script, 'utf8');
      const map = new SourceMap(JSON.parse(readFileSync(`${script}.map`, 'utf8')));
      const lines = lineStarts(text);
      for (const { ranges } of functions) {
        const [{ startOffset, count }] = ranges;
        if (count < TIMES) continue;
        const line = lines.findLastIndex((start) => start <= startOffset);
        const { originalSource } = map.findEntry(line, startOffset - lines[line]);
        if (originalSource) files.set(originalSource, (files.get(originalSource) ?? 0) + Math.round(count / TIMES));
      }
    }
  }
  return files;
}

function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function tell(what, files) {
  const calls = [...files.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${what}: ${files.size} files, ${calls} calls`);
  if (process.argv.includes('--files')) for (const file of [...files.keys()].sort()) console.log(`  ${file}`);
}

async function served(folder, path) {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    env: { ...environment, NODE_V8_COVERAGE: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = await once(child.stdout, 'data');
  const url = /Serving (\S+)/.exec(String(said))[1];
  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  for (let n = 0; n < TIMES; n++) {
    const answer = await fetch(`${url}${path}`, { headers: { authorization, accept: 'application/json' } });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    await answer.text();
  }
  child.kill('SIGTERM');
  await once(child, 'exit');
  return walked(folder);
}

try {
  pm(['passwd', '--new-password-stdin'], { input: PASSWORD });
  const [{ ID }] = JSON.parse(pm(['individuals', 'list', '-o', 'json']));
  pm(['accountabilities', 'create', '--individual', 'admin', '--rank', '1', '--name', 'One', '--description', 'x']);
  const coverage = (name) => join(home, name);
  tell('a list', await served(coverage('list'), '/v4/me/accountabilities'));
  tell('a GET', await served(coverage('get'), `/v4/individuals/${ID}`));
  const rows = Array.from({ length: TIMES }, (_, n) => `${ID},${n},Name ${n},Some words\n`);
  writeFileSync(join(home, 'rows.csv'), `AncestorID,Rank,Name,Description\n${rows.join('')}`);
  const line = ['import', 'accountabilities', join(home, 'rows.csv'), '--mode', 'create', '--yes'];
  pm(line, { env: { NODE_V8_COVERAGE: coverage('row') } });
  tell('a row of an import', walked(coverage('row')));
} finally {
  rmSync(home, { recursive: true, force: true });
}
