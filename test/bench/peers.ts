// What others do in the time of P8 and P9: json-server, which is installed for it and gone afterwards.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, serverProcess } from '../support/server-process.ts';
import { type Line, peerLine } from './line.ts';
import { bytesOf, load } from './load.ts';
import { accountability } from './site.ts';
import { medians } from './timing.ts';

const PEER = 'json-server@0.17.4';
const CONNECTIONS = 32;
const ROUNDS = 5;
const GETS = 4000;
/** It writes its whole file anew for each. */
const POSTS = 200;
const PATH = '/accountabilities';
const JSON_TYPE = { 'content-type': 'application/json' };

/** No lines, and a notice, where it cannot be had. */
export async function peers(root: string): Promise<readonly Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pm-peer-'));
  try {
    if (!isInstalled(folder)) return [];
    const server = await serverProcess([join(root, 'test/bench/peer-server.js'), folder]);
    try {
      return await measured(server);
    } finally {
      await server.kill('SIGKILL');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isInstalled(folder: string): boolean {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  try {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', PEER], {
      cwd: folder,
      stdio: 'pipe',
    });
    return true;
  } catch {
    process.stderr.write(`${PEER} cannot be installed here: its figures are left out\n`);
    return false;
  }
}

async function measured({ url }: ServerProcess): Promise<readonly Line[]> {
  const create = (n: number): Buffer => {
    const body = JSON.stringify({ id: randomUUID(), ...accountability(randomUUID(), n) });
    return bytesOf(url, { method: 'POST', path: PATH, headers: JSON_TYPE, body });
  };
  const creates = () =>
    load(
      url,
      Array.from({ length: POSTS }, (_, n) => create(n)),
      CONNECTIONS,
    );
  const { posts } = await medians(ROUNDS, { posts: creates });
  const [one] = (await (await fetch(`${url}${PATH}`)).json()) as readonly { id: string }[];
  const get = bytesOf(url, { method: 'GET', path: `${PATH}/${one?.id}`, headers: {} });
  const { gets } = await medians(ROUNDS, { gets: () => load(url, Array<Buffer>(GETS).fill(get), CONNECTIONS) });
  return [
    peerLine({ row: 'P8', what: `${PEER}: GET one record, ${CONNECTIONS} connections`, count: GETS, time: gets }),
    peerLine({ row: 'P9', what: `${PEER}: POST create, ${CONNECTIONS} connections`, count: POSTS, time: posts }),
  ];
}
