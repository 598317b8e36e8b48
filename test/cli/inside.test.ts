// The notices and the bill of materials name every package whose files are in the built program, each with its licence.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

interface Component {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly 'bom-ref': string;
  readonly licenses: readonly [{ readonly license: { readonly id: string } }];
  readonly hashes: readonly [{ readonly content: string }];
}
interface Inside {
  readonly name: string;
  readonly version: string;
  readonly text: string;
  readonly source: string;
}
type PackagesOf = (root: string, files: readonly string[]) => readonly Inside[];

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** The package that a file is of: the folder below the last `node_modules`, which may be one of a scope. */
function ownerOf(file: string): string {
  const folders = file.split('/');
  const at = folders.lastIndexOf('node_modules') + 1;
  const folder = folders.slice(0, at + (folders[at]?.startsWith('@') ? 2 : 1)).join('/');
  const { name, version } = read(join(ROOT, folder, 'package.json')) as Inside;
  return `${name} ${version}`;
}

describe('every package inside', () => {
  let packages: readonly string[] = [];

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'pm-bundle-'));
    const bundling = `const { bundle } = await import('./scripts/bundle.js');
      console.log(JSON.stringify(await bundle({ root: process.cwd(), dist: process.argv[1], define: {} })));`;
    const words = ['--input-type=module', '-e', bundling, folder];
    const inputs: string[] = JSON.parse(execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' }));
    rmSync(folder, { recursive: true });
    // The page at /docs is copied.
    const files = [...inputs.filter((file) => file.includes('node_modules/')), 'node_modules/swagger-ui-dist'];
    packages = [...new Set(files.map(ownerOf))].sort();
  });

  it('is more than one asks for: those of others, some in two versions', () => {
    for (const name of ['fastify', 'pino', 'atomically', 'better-sqlite3', 'swagger-ui-dist'])
      expect(packages).toContainEqual(expect.stringMatching(new RegExp(`^${name} \\d`)));
    expect(packages.filter((name) => name.startsWith('fast-uri ')).length).toBeGreaterThan(1);
  });

  it('is in the notices, with its licence, the address of its source and the text', () => {
    const notices = readFileSync(join(ROOT, 'dist/NOTICES.txt'), 'utf8');
    const parts = notices.split(/^(?=\S+ \d\S* \([\w.-]+\)\nhttps:\/\/\S+\n\n)/m).slice(1);
    expect(parts.map((part) => part.split(' (')[0])).toEqual(packages);
    const text = /Permission (to use|is hereby granted)|Redistribution and use|Apache License|Mozilla Public License/;
    expect(parts.filter((part) => !text.test(part))).toEqual([]);
    expect(notices).toMatch(
      /^@jmespath-community\/jmespath \S+ \(MPL-2\.0\)\nhttps:\/\/github\.com\/jmespath-community\/typescript-jmespath\n/m,
    );
  });

  it('is in the bill of materials, which has what CycloneDX requires and no time', () => {
    const bill = read(join(ROOT, 'dist/sbom.cdx.json')) as {
      metadata: { component: Component };
      components: readonly Component[];
      dependencies: readonly { ref: string; dependsOn: readonly string[] }[];
    };
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    expect(bill).not.toHaveProperty('serialNumber');
    expect(bill.metadata).toEqual({ component: expect.objectContaining({ type: 'application', name: 'pm-admin' }) });
    expect(bill.components.map(({ name, version }) => `${name} ${version}`)).toEqual(packages);
    for (const { type, name, version, purl, licenses, hashes } of bill.components) {
      expect(type).toBe('library');
      expect(decodeURIComponent(purl)).toBe(`pkg:npm/${name}@${version}`);
      expect(licenses[0].license.id).toMatch(/^(MIT|ISC|BSD-\d-Clause|Apache-2\.0|MPL-2\.0)$/);
      expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
    }
    const refs = bill.components.map((one) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(bill.dependencies).toEqual([{ ref: bill.metadata.component['bom-ref'], dependsOn: refs }]);
  });
});

describe('the text of a licence', () => {
  const MIT = 'MIT License\n\nCopyright (c) 2020 somebody\n\nPermission is hereby granted';

  /** The packages of a root with these files below node_modules. */
  async function inside(files: Readonly<Record<string, string | object>>): Promise<readonly Inside[]> {
    const root = mkdtempSync(join(tmpdir(), 'pm-inside-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const write = (path: string, content: string | object): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
    };
    const paths = Object.keys(files).map((name) => `node_modules/${name}`);
    const locked = paths.filter((path) => path.endsWith('/package.json')).map((path) => [dirname(path), {}]);
    write('package.json', { name: 'ours', license: 'MIT' });
    write('LICENSE', MIT);
    write('package-lock.json', { packages: Object.fromEntries(locked) });
    for (const [name, content] of Object.entries(files)) write(`node_modules/${name}`, content);
    const { packagesOf } = (await import(join(ROOT, 'scripts/inside.js'))) as { packagesOf: PackagesOf };
    return packagesOf(root, paths);
  }
  const about = (name: string, more: object = {}): object => ({
    name,
    version: '1.0.0',
    license: 'MIT',
    repository: 'owner/name',
    ...more,
  });

  it('is that of the innermost package', async () => {
    const packages = await inside({
      'outer/package.json': about('outer'),
      'outer/LICENSE': 'Outer: Permission',
      'outer/node_modules/@of/inner/package.json': about('@of/inner', { version: '2.0.0' }),
      'outer/node_modules/@of/inner/licence.md': 'Inner: Permission',
      'outer/node_modules/@of/inner/lib/deep.js': '',
    });
    expect(packages.map(({ name, version, text }) => [name, version, text])).toEqual([
      ['@of/inner', '2.0.0', 'Inner: Permission'],
      ['outer', '1.0.0', 'Outer: Permission'],
    ]);
  });

  it('is what the README says, where there is no file', async () => {
    const readme = '# one\n\n## License\n\nPermission is hereby granted by the README.\n\n## More\n\nother things';
    const [one] = await inside({ 'one/package.json': about('one'), 'one/README.md': readme });
    expect(one?.text).toBe('Permission is hereby granted by the README.');
  });

  it('is the usual one in the name of the author, where there is none', async () => {
    const [one] = await inside({ 'one/package.json': about('one', { author: { name: 'Ann Author' } }) });
    expect(one?.text).toBe(MIT.replace('2020 somebody', 'Ann Author'));
  });

  it('is missed by the build where no other package has that licence, or nobody is named', async () => {
    for (const more of [{ license: 'BSD-2-Clause', author: 'Ann Author' }, {}]) {
      const built = inside({ 'one/package.json': about('one', more) });
      await expect(built).rejects.toThrow(/^one \(.*\) comes without the text of its licence$/);
    }
  });

  it('stands below the address of the source, however it is written', async () => {
    const ways = [
      'git://github.com/',
      'git+ssh://git@github.com/',
      'git@github.com:',
      'github:',
      'https://github.com/',
      '',
    ];
    for (const url of ways.flatMap((way) => [`${way}owner/name`, `${way}owner/name.git`])) {
      const files = { 'one/package.json': about('one', { repository: { url } }), 'one/LICENSE': MIT };
      expect((await inside(files))[0]?.source).toBe('https://github.com/owner/name');
    }
  });
});
