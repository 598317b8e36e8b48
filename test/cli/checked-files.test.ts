// Files of pm that somebody edited: what is wrong is said with the file and the member, and never with its value.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { usingPm } from '../support/pm.ts';

const pm = usingPm();
const put = (name: string, content: unknown): void =>
  writeFileSync(join(pm.home, name), typeof content === 'string' ? content : JSON.stringify(content));
const PROD = { url: 'https://pm.example.org' };

describe('config.json', () => {
  it.each([
    [{ profiles: { prod: { ...PROD, user: 5 } } }, 'profiles.prod.user must be a string'],
    [{ profiles: { prod: {} } }, 'profiles.prod.url must be a string'],
    [{ profiles: { prod: { ...PROD, wire: 'yaml' } } }, 'profiles.prod.wire must be json or xml'],
    [{ profiles: { prod: { ...PROD, protectd: true } } }, 'profiles.prod holds what pm does not know: protectd'],
    [{ profiles: { prod: { ...PROD, protected: 'yes' } } }, 'profiles.prod.protected must be true'],
    [{ profiles: [] }, 'profiles must be an object'],
    [{ profile: null, profiles: {} }, 'profile must be a string'],
  ])('%j is refused', async (content, words) => {
    put('config.json', content);
    await pm('profiles list').fails(2, `config.json cannot be used: ${words}`, 'Mend it, or move it away');
  });

  it('is checked again when it was changed, and only then', async () => {
    await pm('profiles add prod --url https://pm.example.org').says('Added');
    await pm('profiles list').prints('prod');
    const checked = readFileSync(join(pm.home, 'checked.json'), 'utf8');
    await pm('profiles list').prints('prod');
    expect(readFileSync(join(pm.home, 'checked.json'), 'utf8')).toBe(checked);
    put('config.json', { profiles: { prod: { url: 5 } } });
    await pm('profiles list').fails(2, 'profiles.prod.url must be a string');
    put('config.json', { profiles: { prod: PROD } });
    await pm('profiles list').prints('prod');
    expect(readFileSync(join(pm.home, 'checked.json'), 'utf8')).not.toBe(checked);
  });

  it('is not needed', async () => {
    await pm('profiles list').prints('local');
    expect(existsSync(join(pm.home, 'checked.json'))).toBe(false);
  });
});

describe('credentials.json', () => {
  it('is refused without a word of its secrets', async () => {
    put('credentials.json', { 'https://pm.example.org': { ann: ['correct horse'] } });
    const said = await pm('profiles list').fails(2, 'credentials.json cannot be used', 'must be a string');
    expect(JSON.stringify(said)).not.toContain('horse');
  });
});

describe('the manifest of an export', () => {
  const manifest = () =>
    JSON.parse(readFileSync(join(pm.home, 'site/manifest.json'), 'utf8')) as Record<string, unknown>;

  beforeEach(async () => {
    await pm('core-values create --name Care --rank 1').prints('Care');
    await pm('export core-values --dir site').says('1 files');
  });

  it.each(['../outside.csv', 'deep/../../outside.csv', '..\\outside.csv', '..'])(
    'names no file as %s',
    async (name) => {
      const text = 'ID,Name,Rank\n';
      writeFileSync(join(pm.home, 'outside.csv'), text);
      const [entry] = Object.values(manifest().files as object);
      const sha256 = createHash('sha256').update(text).digest('hex');
      put('site/manifest.json', { ...manifest(), files: { [name]: { ...entry, sha256 } } });
      await pm('import --dir site --yes').fails(7, `names ${name}, which is no file of that folder`);
    },
  );

  it('names no link', async () => {
    const [[name = '', entry] = []] = Object.entries(manifest().files as object);
    renameSync(join(pm.home, 'site', name), join(pm.home, 'outside.csv'));
    symlinkSync('../outside.csv', join(pm.home, 'site', name));
    put('site/manifest.json', { ...manifest(), files: { [name]: entry } });
    await pm('import --dir site --yes').fails(7, `names ${name}, which is no file of that folder`);
  });

  it.each([
    [{ version: 3 }, 'version must be 2'],
    [{ site: 5 }, 'holds what pm does not know: site'],
    [
      { files: { 'core-values.csv': { resource: 'coreValue', rows: '3', sha256: '' } } },
      'files.core-values.csv.rows must be a number',
    ],
  ])('with %j is refused', async (changed, words) => {
    put('site/manifest.json', { ...manifest(), ...changed });
    await pm('import --dir site --yes').fails(7, 'manifest.json is not as pm wrote it', words, 'Export the site anew');
  });
});
