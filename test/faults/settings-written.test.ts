// config.json and credentials.json are written whole or not at all, for their owner alone, where a link leads; and no signal
// is heard otherwise because they were written.
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openJournal } from '../../src/engine/store/journal/journal.ts';
import { fakeServer, type Handler, ME } from '../support/fake-server.ts';
import { gathered } from '../support/job.ts';
import { pmIn } from '../support/pm.ts';
import { strangeService } from '../support/strange-service.ts';
import { PM, spawned, spawnedWhile, spawnPm } from '../support/terminal.ts';
import { usingGround } from './ground.ts';
import { mountMemory } from './mounts.ts';

const ground = usingGround();
const ADD = ['profiles', 'add', 'eu.prod', '--url', 'https://pm.example.com:8443'];
const ADDED = { url: 'https://pm.example.com:8443' };

const configIn = (home: string): string => join(home, 'config.json');
const draftsIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => /^(config|settings)\.json\./.test(name));
const modeOf = (path: string): number => statSync(path).mode & 0o777;
/** More than one block of a disk. */
const LARGE = { profiles: { old: { url: 'https://old.example.com', habits: ['x'.repeat(6_000)] } } };

function homeWith(config: unknown): string {
  const home = ground.home();
  writeFileSync(configIn(home), typeof config === 'string' ? config : JSON.stringify(config));
  return home;
}

describe('a settings file', () => {
  it('is text that people can read and edit, in which a dot in a name is a dot', async () => {
    const home = ground.home();
    expect((await spawnPm(ADD, home)).exit).toBe(0);
    expect(readFileSync(configIn(home), 'utf8')).toBe(
      `${JSON.stringify({ profiles: { 'eu.prod': ADDED } }, null, 2)}\n`,
    );
    expect(modeOf(configIn(home))).toBe(0o600);
  });

  it.each(['../kept/settings.json', 'absolute'])(
    'at the end of a link is written, and the link stays: %s',
    async (to) => {
      const home = ground.home();
      const kept = join(ground.empty(), 'settings.json');
      writeFileSync(kept, '{}', { mode: 0o644 });
      const target = to === 'absolute' ? kept : join('..', kept.slice(ground.root.length + 1));
      symlinkSync(target, configIn(home));
      expect((await spawnPm([...ADD, '--quiet'], home)).exit).toBe(0);
      expect(lstatSync(configIn(home)).isSymbolicLink()).toBe(true);
      expect(readlinkSync(configIn(home))).toBe(target);
      expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({ profiles: { 'eu.prod': ADDED } });
      expect(modeOf(kept)).toBe(0o600);
      expect(draftsIn(dirname(kept))).toEqual([]);
      expect(draftsIn(home)).toEqual([]);
    },
  );

  it.runIf(process.getuid?.() === 0)('keeps its owner when the administrator of the system writes it', async () => {
    const home = homeWith({ profiles: {} });
    chownSync(configIn(home), 65534, 65534);
    expect((await spawnPm(ADD, home)).exit).toBe(0);
    expect(statSync(configIn(home))).toMatchObject({ uid: 65534, gid: 65534 });
  });

  it('is replaced rather than written over, in a snap too', async () => {
    const home = homeWith({ profiles: {} });
    chmodSync(configIn(home), 0o644);
    const { ino } = statSync(configIn(home));
    const added = await spawned(process.execPath, [PM, ...ADD], home, '', { SNAP: '/snap/terminal/1' });
    expect(added.exit).toBe(0);
    expect(modeOf(configIn(home))).toBe(0o600);
    expect(statSync(configIn(home)).ino).not.toBe(ino);
  });

  it.each(['{"profiles": SECRET', '[]', '', '{"profiles":{},"__internal__":{}}'])(
    'that cannot be understood stays as it is: %s',
    async (text) => {
      const home = homeWith(text);
      const { exit, err } = await spawnPm(ADD, home);
      expect(exit).toBe(2);
      expect(err).toContain('Correct it, or move it away');
      expect(err).not.toContain('SECRET');
      expect(readFileSync(configIn(home), 'utf8')).toBe(text);
    },
  );
});

describe('without room', () => {
  const FULL =
    /^error: .*config\.json cannot be written: E(NOSPC|FBIG)\nhint: Make room, or name a file in another place\.\n/;

  /** The settings stay whole where a part of the new ones would have found room, and nothing is left beside them. */
  async function expectKept(home: string, kept: string, prefix: readonly string[] = []): Promise<void> {
    const text = readFileSync(kept, 'utf8');
    const [command = '', ...words] = [...prefix, process.execPath, PM, ...ADD];
    const { exit, err } = await spawned(command, words, home);
    expect(err).toMatch(FULL);
    expect(exit).toBe(10);
    expect(readFileSync(kept, 'utf8')).toBe(text);
    expect(draftsIn(dirname(kept))).toEqual([]);
  }

  it('on the disk they stay as they were', { tags: 'memory' }, async () => {
    const [home, disk] = [ground.home(), ground.empty()];
    const unmount = mountMemory(disk, 64);
    onTestFinished(unmount);
    const kept = join(disk, 'settings.json');
    writeFileSync(kept, JSON.stringify(LARGE));
    symlinkSync(kept, configIn(home));
    fillBut(join(disk, 'filling'), 4096);
    await expectKept(home, kept);
  });

  it('below a limit of the size of files they stay as they were', { tags: 'limits' }, async () => {
    const home = homeWith(LARGE);
    await expectKept(home, configIn(home), ['prlimit', '--fsize=4096']);
  });
});

/** Fills a disk until so many bytes of room are left. */
function fillBut(file: string, room: number): void {
  const filling = openSync(file, 'w');
  try {
    for (;;) writeSync(filling, Buffer.alloc(4096));
  } catch {
    ftruncateSync(filling, fstatSync(filling).size - room);
  } finally {
    closeSync(filling);
  }
}

/** What a process listens to, and whether it has loaded what writes settings, as it says at its end. */
interface AtEnd {
  readonly listeners: Readonly<Record<string, number>>;
  readonly loaded: boolean;
}

/** Runs pm, and answers what its process says of itself at its end. */
async function atEndOf(line: readonly string[], home: string): Promise<AtEnd> {
  const [file, spy] = [join(home, 'at-end.json'), join(home, 'spy.cjs')];
  writeFileSync(
    spy,
    `const fs = require('node:fs');
    let loaded = false;
    for (const name of ['openSync', 'readFileSync']) {
      const opened = fs[name];
      fs[name] = (path, ...more) => {
        loaded ||= /[\\\\/]dist[\\\\/]packages[\\\\/]conf\\.js$/.test(path);
        return opened(path, ...more);
      };
    }
    process.on('exit', () => fs.writeFileSync(${JSON.stringify(file)}, JSON.stringify({
      listeners: Object.fromEntries(${JSON.stringify(Object.keys(constants.signals))}.map((name) => [name, process.listenerCount(name)])),
      loaded,
    })));`,
  );
  const env = { NODE_OPTIONS: `--require=${spy}` };
  const { exit } = await spawned(process.execPath, [PM, ...line], home, '', env);
  expect(exit).toBe(0);
  return JSON.parse(readFileSync(file, 'utf8')) as AtEnd;
}

/** A row that says the same of each action. */
const rights = (number: number, word: string) =>
  Object.fromEntries(
    ['Create', 'Read', 'Update', 'Delete', 'Delegate'].flatMap((action) => [
      [`${action}State`, number],
      [`${action}Text`, word],
    ]),
  );

async function statesOfRows(home: string): Promise<readonly string[]> {
  const journal = await openJournal(join(home, 'journal.db'));
  const [newest] = await journal.heads('s');
  const rows = newest ? await gathered(journal.rows(newest.id)) : [];
  await journal.close();
  return rows.map(({ state }) => state);
}

describe('a process that has written settings', () => {
  it('listens to the signals that it listened to before', async () => {
    const home = ground.home();
    const reading = await atEndOf(['profiles', 'list'], home);
    const writing = await atEndOf(ADD, home);
    expect(reading.listeners).toMatchObject({ SIGINT: 1, SIGTERM: 1, SIGHUP: 1, SIGXFSZ: 0 });
    expect(writing.listeners).toEqual(reading.listeners);
    expect([reading.loaded, writing.loaded]).toEqual([false, true]);
  });

  it('is interrupted once by one Ctrl-C: a job finishes what is in flight', async () => {
    const home = ground.home();
    const server = await fakeServer();
    onTestFinished(() => server.close());
    const service = strangeService(server, { states: [5, 3, 7] });
    const marks = { SiteID: ME.SiteID, Deleted: false, DeletedByRef: false };
    const department = 'd0000000-0000-4000-8000-00000000000d';
    service.put('departments', { ID: department, ParentID: null, Rank: 1, Name: 'Operations', ...marks });
    service.put('permissions', { ID: 1, RowID: ME.SiteID, PrincipalID: ME.ID, ChildType: null, ...rights(3, 'Allow') });
    await pmIn(() => home)(['profiles', 'add', 's', '--url', server.url, '--user', 'ann']).says('Added');
    const file = join(home, 'rights.csv');
    const kinds = ['organization', 'department', 'project', 'metric', 'dialog'];
    writeFileSync(
      file,
      [
        'RowID,PrincipalID,ChildType,CreateState,ReadState,UpdateState,DeleteState,DelegateState',
        ...kinds.map((kind) => `Operations,ann,${kind},Allow,Allow,Allow,Allow,Allow`),
        '',
      ].join('\n'),
    );
    const usual = server.handler();
    const held: (() => void)[] = [];
    const holding: Handler = (request, response) =>
      request.method === 'POST' ? held.push(() => usual(request, response)) : usual(request, response);
    server.does(holding);
    const line = ['import', 'permissions', file, '--mode', 'create', '--yes', '-p', 's'];
    const told = await spawnedWhile(line, { home, env: { PM_PASSWORD: 'secret' } }, async (child) => {
      while (held.length === 0 && child.exitCode === null) await pause(5);
      expect(JSON.parse(readFileSync(configIn(home), 'utf8'))).toMatchObject({
        profiles: { s: { states: { Allow: 3 } } },
      });
      child.kill('SIGINT');
      await new Promise<void>((resolve) =>
        child.stderr?.on('data', (text: string) => text.includes('Interrupted') && resolve()),
      );
      server.does(usual);
      for (const answer of held) answer();
      await once(child, 'close');
    });
    expect(told.err).toContain('Interrupted: pm finishes the running requests first.');
    expect(told.exit).toBe(130);
    expect(await statesOfRows(home)).toEqual(['done', ...kinds.slice(1).map(() => 'pending')]);
    expect(service.all('permissions')).toHaveLength(1 + 1);
  });
});
