// One walk through the program on one Node: seed, list, import, undo, serve, and an import that is killed and resumed.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PM = fileURLToPath(new URL('../../bin/pm.js', import.meta.url));
const PASSWORD = 'A long one, 4 smoke';
const FEWEST = 20_000;
const MOST = 160_000;
const MOMENT = 10;

/** Runs it all with this executable, in a folder that is gone afterwards. Throws where something is not as it should be. */
export async function smoke(node) {
  const home = mkdtempSync(join(tmpdir(), 'pm-nodes-'));
  const env = { ...process.env, PM_HOME: home, PM_PROFILE: 'local', USER: 'ann' };
  const begin = (args) => spawn(node, [PM, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const pm = (line, input = '') => {
    const { status, signal, stdout, stderr } = spawnSync(node, [PM, ...line.split(' ')], {
      env,
      input,
      encoding: 'utf8',
    });
    assert.equal(status, 0, `pm ${line} ended with ${status ?? signal}: ${stderr}`);
    return stdout;
  };
  try {
    seedAndList(pm);
    importAndUndo(pm, home);
    await serve(pm, begin);
    await killAndResume(pm, begin, home, FEWEST);
    assert.doesNotMatch(pm('doctor'), /\tfault\t/);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function seedAndList(pm) {
  pm('seed --sample small');
  assert(JSON.parse(pm('individuals list -o json')).length > 50);
}

function importAndUndo(pm, home) {
  const title = () => pm('individuals get klara.svoboda -o json --jmespath PrimaryTitle');
  const before = title();
  const file = join(home, 'titles.csv');
  writeFileSync(file, 'UserName,PrimaryTitle\nklara.svoboda,Captain\n');
  pm(`import individuals ${file} --key UserName --yes`);
  assert.match(title(), /Captain/);
  pm('undo --yes');
  assert.equal(title(), before);
}

async function serve(pm, begin) {
  pm('passwd --new-password-stdin', PASSWORD);
  const server = begin(['serve', '--port', '0']);
  const gone = once(server, 'exit');
  try {
    const authorization = `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}`;
    const url = `${await addressOf(server)}/v4/me`;
    const answer = await fetch(url, { headers: { authorization, accept: 'application/json' } });
    assert.equal(answer.status, 200);
    assert.equal((await answer.json()).UserName, 'ann');
  } finally {
    server.kill('SIGTERM');
    await gone;
  }
}

async function addressOf({ stdout }) {
  let said = '';
  for await (const part of stdout) {
    said += part;
    const url = /^Serving (\S+)/m.exec(said)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`pm serve ended: ${said}`);
}

/** Kills an import as soon as some of its rows are done. One that is faster than the look at it gets more rows. */
async function killAndResume(pm, begin, home, rows) {
  const before = count(pm);
  const file = join(home, `${rows}.csv`);
  const lines = Array.from({ length: rows }, (_, at) => `Color ${rows} ${at},${at + 1},00ff00`);
  writeFileSync(file, `Name,Rank,Code\n${lines.join('\n')}\n`);
  const importing = begin(['import', 'colors', file, '--mode', 'create', '--yes']);
  const ended = once(importing, 'exit');
  const job = await whenUnderWay(pm, importing, `${rows}.csv`).finally(() => importing.kill('SIGKILL'));
  await ended;
  if (job.State === 'ended') {
    assert(rows < MOST, `an import of ${rows} rows ended before it could be killed`);
    return killAndResume(pm, begin, home, rows * 2);
  }
  pm(`jobs resume ${job.ID} --yes`);
  assert.equal(count(pm), before + rows);
}

const count = (pm) => pm('colors list -o id').trim().split('\n').length;

/** The import's job, once it has done rows. Throws where the import ends without any. */
async function whenUnderWay(pm, importing, file) {
  for (;;) {
    await setTimeout(MOMENT);
    const { exitCode, signalCode } = importing;
    const job = JSON.parse(pm('jobs list -o json')).find(({ Title }) => Title.includes(file));
    if (job !== undefined && job.Done > 0) return job;
    assert.equal(exitCode ?? signalCode, null, `pm import ended with ${exitCode ?? signalCode}`);
  }
}
