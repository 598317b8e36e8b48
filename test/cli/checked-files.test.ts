// Files of pm that somebody edited: what is wrong is said with the file and the member, and never with its value.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
    [{ profiles: { prod: { ...PROD, habits: 'none' } } }, 'profiles.prod.habits must be a list of strings'],
    [{ profiles: { prod: { ...PROD, states: { Deny: '7' } } } }, 'profiles.prod.states.Deny must be a number'],
    [{ profils: {} }, 'holds what pm does not know: profils'],
    [{ __internal__: {} }, '__internal__ must be left out'],
    [{ profiles: [] }, 'profiles must be an object'],
    [{ profile: null, profiles: {} }, 'profile must be a string'],
  ])('%j is refused', async (content, words) => {
    put('config.json', content);
    await pm('profiles list').fails(2, `config.json cannot be used: ${words}`, 'Correct it, or move it away');
  });

  it('keeps what a newer pm has put there, through every change, and each command warns of it', async () => {
    put('config.json', { profiles: { prod: { ...PROD, region: 'eu' } }, theme: 'dark' });
    const warning =
      'config.json holds what this pm does not know: profiles.prod.region, theme. It is kept, and has no effect';
    for (const line of ['profiles list', 'profiles add prod --user ann', 'profiles use prod', 'profiles list'])
      await pm(line).says(warning);
    expect(JSON.parse(readFileSync(join(pm.home, 'config.json'), 'utf8'))).toEqual({
      profile: 'prod',
      profiles: { prod: { ...PROD, region: 'eu', user: 'ann' } },
      theme: 'dark',
    });
    expect(await pm('profiles list --quiet')).toMatchObject({ err: '', exit: 0 });
  });

  it('is not needed', async () => {
    await pm('profiles list').prints('local');
    expect(existsSync(join(pm.home, 'config.json'))).toBe(false);
  });
});

describe('credentials.json', () => {
  it('is refused without a word of its secrets', async () => {
    put('credentials.json', { 'https://pm.example.org': { ann: ['correct horse'] } });
    const said = await pm('profiles list').fails(2, 'credentials.json cannot be used', 'must be a string');
    expect(JSON.stringify(said)).not.toContain('horse');
  });
});
