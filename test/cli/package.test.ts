// What is packed is what runs: the tarball holds the program and nothing of the workshop.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driverFor } from '../../src/engine/store/sqlite/driver.ts';
import { isLong } from '../support/long.ts';

const ROOT = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
/** The version, and the commit that it was built from. */
const BUILT = new RegExp(`^${version}( \\([0-9a-f]{8}(, changed)?\\))?\\n$`);
const work = mkdtempSync(join(tmpdir(), 'pm-pack-'));
let tarball = '';

const ENV = { ...process.env, PM_HOME: join(work, 'home'), USER: 'ann', CI: '' };
const run = (file: string, args: readonly string[], cwd: string): string =>
  execFileSync(file, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: ENV,
  });

beforeAll(() => {
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', work], ROOT);
  tarball = join(work, readdirSync(work).find((name) => name.endsWith('.tgz')) ?? '');
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe('the tarball', () => {
  beforeAll(() => {
    run('tar', ['-xzf', tarball], work);
  });

  it('holds the program, its help, its sample, its licence and the notices of what is bundled', () => {
    const files = run('tar', ['-tzf', tarball], work).split('\n');
    for (const file of [
      'bin/pm.js',
      'dist/main.js',
      'dist/help/where.md',
      'dist/samples/small.jsonl',
      'dist/pages/pm individuals list.txt',
      'dist/NOTICES.txt',
      'dist/sbom.cdx.json',
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
    ]) {
      expect(files).toContain(`package/${file}`);
    }
    expect(files.filter((file) => /^package\/(src|test|scripts|node_modules)\//.test(file))).toEqual([]);
  });

  it('does nothing when it is installed, and its README names no file that is left out', () => {
    const { scripts } = JSON.parse(readFileSync(join(work, 'package/package.json'), 'utf8')) as { scripts: object };
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
    const readme = readFileSync(join(work, 'package/README.md'), 'utf8');
    expect([...readme.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, link]) => link)).toEqual([]);
    expect(readme).toContain(`npm install -g ./${basename(tarball)}`);
  });

  it('brings one package, and none for an older Node', () => {
    const packed = JSON.parse(readFileSync(join(work, 'package/package.json'), 'utf8')) as { [member: string]: object };
    expect(Object.keys(packed.dependencies ?? {})).toEqual(['better-sqlite3']);
    expect(packed.optionalDependencies).toBeUndefined();
  });

  it('offers nothing to import but its package.json', () => {
    mkdirSync(join(work, 'project/node_modules'), { recursive: true });
    symlinkSync(join(work, 'package'), join(work, 'project/node_modules/pm-admin'));
    const imported = (name: string): string =>
      run(
        process.execPath,
        ['-e', `try { console.log(require('${name}').version) } catch ({ code }) { console.log(code) }`],
        join(work, 'project'),
      ).trim();
    expect(imported('pm-admin/package.json')).toBe(version);
    for (const name of ['pm-admin', 'pm-admin/dist/program.js', 'pm-admin/bin/pm.js'])
      expect(imported(name)).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  it('holds commander within the program, and the packages that few commands need beside it', () => {
    const packages = readdirSync(join(work, 'package/dist/packages'));
    for (const name of ['undici.js', 'fastify.js', 'zod-mini.js', 'saxes.js']) expect(packages).toContain(name);
    expect(packages).not.toContain('commander.js');
    // That of --edit: commander's is left out.
    const files = readdirSync(join(work, 'package/dist')).filter((name) => name.endsWith('.js'));
    const texts = files.map((name) => readFileSync(join(work, 'package/dist', name), 'utf8'));
    expect(texts.flatMap((text) => text.match(/\("node:child_process"\)/g) ?? [])).toHaveLength(1);
  });

  it('runs from anywhere once its one dependency is beside it', () => {
    symlinkSync(join(ROOT, 'node_modules'), join(work, 'package/node_modules'));
    const pm = (...args: string[]): string =>
      run(process.execPath, [join(work, 'package/bin/pm.js'), ...args], tmpdir());
    expect(pm('--version')).toMatch(BUILT);
    expect(pm('individuals', 'list', '-o', 'ndjson', '--fields', 'UserName')).toBe('{"UserName":"ann"}\n');
    expect(pm('help', 'where')).toContain('WHERE: ');
    const file = join(work, 'password');
    writeFileSync(file, 'Correct-horse-1\n', { mode: 0o600 });
    expect(pm('passwd', 'ann', '--new-password-file', file, '-y')).toBe('');
  });
});

describe('a checkout', () => {
  it('that was not built says how to build it', () => {
    cpSync(join(ROOT, 'bin'), join(work, 'checkout/bin'), { recursive: true });
    const { status, stderr } = spawnSync(process.execPath, [join(work, 'checkout/bin/pm.js'), '--version']);
    expect(String(stderr)).toBe('error: pm is not built yet\nhint: npm run build\n');
    expect(status).toBe(70);
  });
});

describe.runIf(isLong)('the tarball, installed into an empty prefix', () => {
  it('gives a working pm, on an older Node with the one command that pm names', () => {
    const prefix = join(work, 'prefix');
    run('npm', ['install', '--global', '--prefix', prefix, tarball], work);
    const packages = readdirSync(join(prefix, 'lib/node_modules/pm-admin/node_modules'));
    expect(packages.filter((name) => !name.startsWith('.'))).toEqual(['better-sqlite3', 'node-addon-api']);
    const pm = (...args: string[]): string => run(join(prefix, 'bin/pm'), args, '/');
    expect(pm('--version')).toMatch(BUILT);
    const { stderr } = spawnSync(join(prefix, 'bin/pm'), ['whoami'], { encoding: 'utf8', env: ENV });
    const command = /^hint: (npm install .*?);/m.exec(stderr)?.[1];
    if (driverFor(process.versions) !== 'better-sqlite3') run('sh', ['-c', command ?? 'false'], work);
    expect(pm('individuals', 'get', 'me', '-o', 'json', '--fields', 'UserName')).toContain('"ann"');
  });
});
