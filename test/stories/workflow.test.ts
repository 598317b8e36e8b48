// The job of CI that pm help ci shows: its steps run by a shell in an environment that has nothing but its variables.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { serveProcess } from '../support/server-process.ts';
import { PM } from '../support/terminal.ts';

interface Step {
  readonly name: string;
  readonly run: string;
  /** It is run whatever failed before. */
  readonly if?: 'always';
}

const FILES = join(import.meta.dirname, 'ci');
const text = readFileSync(join(FILES, 'workflow.yaml'), 'utf8');
const { env, secrets, steps } = parse(text) as {
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly steps: readonly Step[];
};
const SECRET = 'Correct-horse-1';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder with the files of the site, and a pm that notes how it is called. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pm-workflow-'));
  folders.push(folder);
  cpSync(join(FILES, 'site'), join(folder, 'site'), { recursive: true });
  const pm = join(folder, 'pm');
  writeFileSync(pm, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${folder}/called'\nexec '${process.execPath}' '${PM}' "$@"\n`);
  chmodSync(pm, 0o700);
  return folder;
}

/** Runs the steps as CI does; answers those that were run, with all that they wrote. */
function job(folder: string) {
  const PATH = `${folder}:/usr/local/bin:/usr/bin:/bin`;
  const variables = { PATH, TMPDIR: folder, ...env, ...Object.fromEntries(secrets.map((name) => [name, SECRET])) };
  const done: { readonly name: string; readonly exit: number | null; readonly written: string }[] = [];
  for (const step of steps) {
    if (done.some(({ exit }) => exit !== 0) && step.if !== 'always') continue;
    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', step.run], {
      ...{ cwd: folder, env: variables, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    });
    done.push({ name: step.name, exit: status, written: `${stdout}${stderr}` });
  }
  return done;
}

const homes = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('tmp.'));

describe('the job', () => {
  let folder = '';
  let done: ReturnType<typeof job> = [];
  beforeAll(() => {
    folder = checkout();
    done = job(folder);
  });

  it('makes a throw-away site, checks it, sees what was changed by hand, and stops', () => {
    expect(done.map(({ name, exit }) => [name, exit])).toEqual(steps.map(({ name }) => [name, 0]));
    const [, made, looked, changed] = done.map(({ written }) => written);
    expect(made).toContain('site: 7 records, and no fault.');
    expect(made).toContain('5 creates');
    expect(looked).toContain('site → environment: they do not differ');
    expect(changed).toContain('| change | individuals | Ömer Çelik | PrimaryTitle | Driver | Fitter |');
    expect(changed).toContain('site → environment: 1 to change');
    expect(readFileSync(join(folder, 'job.env'), 'utf8')).toContain(`PM_HOME='${folder}/tmp.`);
    expect(homes(folder)).toEqual([]);
    const log = readFileSync(join(folder, 'serve.log'), 'utf8');
    expect(log).toContain('Stopping: pm finishes the running requests first.');
  });

  it('tells its secret to nobody: neither in a line, nor in a file or what it writes', () => {
    const files = ['called', 'serve.log', 'job.env'].map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(files[0]).toContain('passwd --new-password-stdin');
    expect([text, ...files, ...done.map(({ written }) => written)].join('')).not.toContain(SECRET);
  });

  it('fails where the site does not become as the files say, and stops all the same', () => {
    const faulty = checkout();
    const file = join(faulty, 'site', 'individuals', 'omer.celik.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('OrganizationID: Track', 'OrganizationID: Trak'));
    const [begun, made, ...others] = job(faulty);
    expect(begun?.exit).toBe(0);
    expect(made?.written).toMatch(/individuals\/omer\.celik\.yaml:6, column OrganizationID .*"Trak"/);
    expect([made?.exit, others.map(({ name, exit }) => [name, exit])]).toEqual([7, [['Stop it', 0]]]);
    expect(homes(faulty)).toEqual([]);
  });

  it('is the one that pm help ci shows', () => {
    const topic = readFileSync(join(import.meta.dirname, '../../src/cli/help/ci.md'), 'utf8');
    expect(topic).toContain(`\n\n${text}`);
  });
});

describe('the job of the README, without its container', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, command = '', steps = ''] = /^(docker run .*) sh -ec '\n([^']*)'$/m.exec(readme) ?? [];

  it('keeps a served site as its files say, again and again', async () => {
    const folder = checkout();
    const home = join(folder, 'home');
    const onHome = { PATH: process.env.PATH, PM_HOME: home, USER: 'ci' };
    const local = (input: string, ...args: string[]) => {
      const done = spawnSync(process.execPath, [PM, ...args], { cwd: folder, env: onHome, input, encoding: 'utf8' });
      expect(done).toMatchObject({ status: 0 });
    };
    local('', 'apply', 'site', '--yes');
    rmSync(join(folder, 'site'), { recursive: true });
    local(`${SECRET}\n`, 'passwd', '--new-password-stdin');
    const server = await serveProcess(PM, home, 'ci');
    onTestFinished(() => server.kill('SIGTERM'));
    // The package is installed in test/cli/package.test.ts.
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\nprintf 'npm %s\\n' "$*" >> '${folder}/called'\n`, { mode: 0o700 });
    const env = { PATH: `${folder}:/usr/local/bin:/usr/bin:/bin`, PM_HOME: join(folder, 'own'), CI: 'true' };
    const login = { PM_URL: server.url, PM_USER: 'ci', PM_PASSWORD: SECRET };
    expect([...command.matchAll(/ -e (\w+)/g)].map(([, name]) => name)).toEqual(['CI', ...Object.keys(login)]);
    const run = () => spawnSync('sh', ['-ec', steps], { cwd: folder, env: { ...env, ...login }, encoding: 'utf8' });
    expect(run()).toMatchObject({ status: 0, stderr: expect.stringContaining('Nothing to change.') });
    const file = join(folder, 'site/individuals/omer.celik.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('FirstName: Ömer', 'FirstName: Ömür'));
    expect(run()).toMatchObject({ status: 0, stdout: expect.stringContaining('Ömür') });
    expect(readFileSync(join(folder, 'called'), 'utf8')).toContain('npm install -g ./pm-admin-');
    expect(spawnSync('sh', ['-ec', steps], { cwd: folder, env, encoding: 'utf8' }).status).not.toBe(0);
  });
});
